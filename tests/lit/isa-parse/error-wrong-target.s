; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: code for gfx90a (GCN or CDNA); this toolchain handles RDNA3

	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_accvgpr_read_b32 v0, a0
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
