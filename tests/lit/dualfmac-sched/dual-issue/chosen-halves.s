; Halves of chosen 64-bit values, which no VOPD may be taken apart for: their registers are in one
; bank, so the tuple of one goes to another, both halves of it.
; RUN: %dualfmac-sched rewrite --dual-issue --score %s -o %t.s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; SCORE: conflicts 2 -> 0, {{.*}} 2 values in other registers, 0 more LDS loads, proven
; CHECK: ds_load_b64 v[4:5], v0
; CHECK: ds_load_b64 v[6:7], v0 offset:8
; CHECK: v_dual_cndmask_b32 v2, v4, v6 :: v_dual_cndmask_b32 v3, v5, v7

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b64 v[2:3], v0
	ds_load_b64 v[6:7], v0 offset:8
	v_cmp_gt_u32_e32 vcc_lo, 16, v0
	s_waitcnt lgkmcnt(0)
	v_dual_cndmask_b32 v2, v2, v6 :: v_dual_cndmask_b32 v3, v3, v7
	global_store_b64 v0, v[2:3], s[0:1]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
