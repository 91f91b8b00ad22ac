; RUN: %isa-parse --banks %s | FileCheck %s
; RUN: %isa-parse --banks --region .LBB0_1 %s | FileCheck %s

; CHECK: .LBB0_1 of k: 4 instructions, 2 bank conflicts, 1 parity hazard
; CHECK-NEXT: line{{ +}}SRCX0{{ +}}SRCX1{{ +}}SRCY0{{ +}}SRCY1{{ +}}DSTX{{ +}}DSTY
; CHECK-NEXT: R0{{ +}}R1{{ +}}R3{{ +}}R2{{ +}}R/W0{{ +}}R/W1{{ +}}v_dual_fmac_f32
; CHECK-NOT: CONFLICT
; CHECK-NEXT: Cache0{{ +}}R0{{ +}}R2{{ +}}Cache2{{.*}}CONFLICT v4/v8 bank 0, v6/v10 bank 2; HAZARD v4/v6 same parity
; CHECK-NEXT: -{{ +}}R1{{ +}}-{{ +}}-{{ +}}W2{{ +}}-{{ +}}v_add_f32
; CHECK-NEXT: s_cbranch_scc0

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
.LBB0_1:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10
	v_dual_fmac_f32 v0, v4, v8 :: v_dual_fmac_f32 v1, v6, v10
	v_add_f32_e32 v2, s4, v1
	s_cbranch_scc0 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
