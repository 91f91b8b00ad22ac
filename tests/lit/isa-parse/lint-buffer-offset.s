; RUN: not %isa-parse --lint %s > %t
; RUN: FileCheck %s < %t

; CHECK: warning: offset 4096 does not fit 12 bits; the assembler encodes 0 [buffer-offset]
; CHECK: 1 finding
; llvm-mc says nothing:
; RUN: %llvm-mc -filetype=null %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	buffer_store_b32 v1, v2, s[4:7], 0 offen offset:4096
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
