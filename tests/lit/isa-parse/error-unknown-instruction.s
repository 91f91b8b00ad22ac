; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error-unknown-instruction.s:11:2: error: invalid instruction

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_frobnicate_f32 v1, v2
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
