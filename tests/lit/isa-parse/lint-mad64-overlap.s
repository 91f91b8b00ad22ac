; RUN: not %isa-parse --lint %s > %t
; RUN: FileCheck %s < %t

; CHECK: warning: destination v[2:3] overlaps source v[2:3]: wrong on gfx11 if that part of the source counts [mad64-overlap]
; CHECK: 1 finding
; llvm-mc says nothing:
; RUN: %llvm-mc -filetype=null %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mad_u64_u32 v[2:3], null, v1, s4, v[2:3]
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
