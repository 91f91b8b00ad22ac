; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: wave64 code; this toolchain handles wave32

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_cmp_lt_f32_e64 s[2:3], v1, v2
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_wavefront_size32 0
	.end_amdhsa_kernel
