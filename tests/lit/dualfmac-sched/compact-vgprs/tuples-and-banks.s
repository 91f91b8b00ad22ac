; A tuple stays a tuple, factors keep their bank, sums their parity.
; RUN: %dualfmac-sched rewrite --compact-vgprs --score %s -o %t.s 2>&1 | FileCheck %s
; RUN: grep -v '^;' %t.s | FileCheck --check-prefix=TEXT %s
; CHECK: k: 132 VGPRs -> 7, waves per SIMD 10 -> 16
; TEXT: ds_load_b128 v[0:3], v6
; TEXT: v_dual_fmac_f32 v4, v0, v2 :: v_dual_fmac_f32 v5, v1, v3
; TEXT: ds_store_2addr_b32 v6, v4, v5 offset1:1

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_lshlrev_b32_e32 v0, 4, v0
	v_dual_mov_b32 v122, 0 :: v_dual_mov_b32 v131, 0
	ds_load_b128 v[124:127], v0
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v122, v124, v126 :: v_dual_fmac_f32 v131, v125, v127
	ds_store_2addr_b32 v0, v122, v131 offset1:1
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
