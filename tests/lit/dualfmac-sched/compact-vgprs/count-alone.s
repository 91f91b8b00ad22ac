; Fewer than are declared may be in use from the start: the count alone falls.
; RUN: %dualfmac-sched rewrite --compact-vgprs --score %s -o %t.s 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=TEXT %s < %t.s
; CHECK: k: 132 VGPRs -> 3, waves per SIMD 10 -> 16, 0 values in other registers, 3 VGPRs in use at once
; TEXT: v_add_f32_e32 v2, v1, v0
; TEXT: .amdhsa_next_free_vgpr 3

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 1.0
	v_add_f32_e32 v2, v1, v0
	ds_store_2addr_b32 v0, v2, v1 offset1:1
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_next_free_vgpr 132
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
