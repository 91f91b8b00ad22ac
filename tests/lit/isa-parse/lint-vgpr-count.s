; RUN: not %isa-parse --lint %s > %t
; RUN: FileCheck %s < %t

; CHECK: warning: 64 VGPRs declared, but line [[#]] uses v70 [vgpr-count]
; CHECK: 1 finding
; llvm-mc says nothing:
; RUN: %llvm-mc -filetype=null %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v70, v1
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
