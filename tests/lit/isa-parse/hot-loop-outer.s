; FMAs that are written out stand around an inner loop, which loads: the outer loop is the hot one,
; and the views of the innermost loops show it, too.
; RUN: %isa-parse --json %s | jq -c '.kernels[0].hot | [.name, .single_fmac]' | FileCheck %s --check-prefix=HOT
; RUN: %isa-parse --banks %s | FileCheck %s --check-prefix=BANKS

; HOT: [".LBB0_1",2]
; BANKS: .LBB0_2 of k: 4 instructions
; BANKS: .LBB0_1 of k: 9 instructions

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s4, 8
.LBB0_1:
	s_mov_b32 s5, 8
.LBB0_2:
	v_add_nc_u32_e32 v8, 4, v8
	s_add_i32 s5, s5, -1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 .LBB0_2
	v_fmac_f32_e32 v0, v4, v5
	v_fmac_f32_e32 v1, v6, v7
	s_add_i32 s4, s4, -1
	s_cbranch_scc1 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
