; In every order of the factors both halves would read v1 in one slot, or another register of its
; bank: the reason names what is wrong with the nearest order.
; RUN: %isa-parse --why-single %s | FileCheck %s
; CHECK: src1-bank {{.*}}: src1 would be v1 in both halves, which must read different banks there, in every order of the factors; give one of them a copy in another bank

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v4, v1, v5
	v_fmac_f32_e32 v7, v1, v6
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
