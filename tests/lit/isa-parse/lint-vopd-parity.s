; RUN: not %isa-parse --lint %s > %t
; RUN: FileCheck %s < %t

; CHECK: warning: src0 reads v4 and v6, of the same parity{{.*}}[vopd-parity]
; CHECK: 1 finding
; llvm-mc says nothing:
; RUN: %llvm-mc -filetype=null %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v6, v10
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
