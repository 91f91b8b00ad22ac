; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: kernel 'k' has a descriptor but no code: label 'k:' missing

	.text
	s_nop 0
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
