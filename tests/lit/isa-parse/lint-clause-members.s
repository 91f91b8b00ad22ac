; RUN: not %isa-parse --lint %s > %t
; RUN: FileCheck %s < %t

; CHECK: warning: not allowed in the clause of line [[#]] [clause-members]
; CHECK: 1 finding
; llvm-mc says nothing:
; RUN: %llvm-mc -filetype=null %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_clause 0x2
	ds_store_b32 v1, v2
	s_nop 0
	s_barrier
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
