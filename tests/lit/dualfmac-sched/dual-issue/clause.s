; A clause counts the loads that have become several.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: s_clause 0x3
; CHECK-COUNT-4: ds_load_b64

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s5, 0
.LBB0_1:
	s_clause 0x1
	ds_load_b128 v[0:3], v12
	ds_load_b128 v[4:7], v12 offset:64
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v20, v0, v4
	v_fmac_f32_e32 v21, v1, v5
	v_fmac_f32_e32 v22, v2, v6
	v_fmac_f32_e32 v23, v3, v7
	s_add_i32 s5, s5, 1
	s_cmp_lg_u32 s5, 8
	s_cbranch_scc1 .LBB0_1
	global_store_b128 v[10:11], v[20:23], off
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
