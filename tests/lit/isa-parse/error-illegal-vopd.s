; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: src0 operands must use different VGPR banks

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmac_f32 v3, v5, v7
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
