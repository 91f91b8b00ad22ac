; RUN: %isa-parse %s --block 128 | FileCheck %s
; RUN: %isa-parse %s --block 16x8 | FileCheck %s

; CHECK: kernel k
; CHECK-NEXT: VGPRs      64 declared, 18 used
; CHECK-NEXT: SGPRs      5 used
; CHECK-NEXT: LDS        8192 bytes
; CHECK-NEXT: code       {{[0-9]+}} bytes, 7 instructions
; CHECK-NEXT: workgroup  128 work-items, CU mode
; CHECK-NEXT: occupancy  16 waves per SIMD, all there are
; CHECK: loop{{ +}}lines{{ +}}instr
; CHECK-NEXT: .LBB0_1{{ +}}21-25{{ +}}5{{ +}}2{{ +}}1{{ +}}1{{ +}}1{{ +}}1{{ +}}0{{ +}}1{{ +}}0

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
.LBB0_1:
	ds_load_b32 v17, v2
	s_add_i32 s4, s4, 1
	v_dual_fmac_f32 v4, v8, v9 :: v_dual_fmac_f32 v5, v13, v10
	v_fmac_f32_e32 v1, v2, v3
	s_cbranch_scc0 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
