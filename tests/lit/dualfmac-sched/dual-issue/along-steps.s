; Each LDS load brings one row's or column's factors of two steps. From even registers on, all of a
; step would have one parity: half of the loads go to odd ones.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: .LBB0_1:
; CHECK-COUNT-4: ds_load_2addr_b32
; CHECK-NOT: v_fmac_f32
; CHECK-COUNT-4: v_dual_fmac_f32 {{.*}} v_dual_fmac_f32
; CHECK-NOT: v_fmac_f32

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	v_lshlrev_b32_e32 v12, 3, v0
	s_mov_b32 s5, 0
.LBB0_1:
	ds_load_2addr_b32 v[2:3], v12 offset1:1
	ds_load_2addr_b32 v[4:5], v12 offset0:16 offset1:17
	ds_load_2addr_b32 v[6:7], v12 offset0:32 offset1:33
	ds_load_2addr_b32 v[8:9], v12 offset0:48 offset1:49
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v20, v2, v6
	v_fmac_f32_e32 v21, v2, v8
	v_fmac_f32_e32 v22, v4, v6
	v_fmac_f32_e32 v23, v4, v8
	v_fmac_f32_e32 v20, v3, v7
	v_fmac_f32_e32 v21, v3, v9
	v_fmac_f32_e32 v22, v5, v7
	v_fmac_f32_e32 v23, v5, v9
	s_add_i32 s5, s5, 1
	s_cmp_lg_u32 s5, 8
	s_cbranch_scc1 .LBB0_1
	v_add_f32_e32 v20, v20, v21
	v_add_f32_e32 v22, v22, v23
	v_add_f32_e32 v20, v20, v22
	global_store_b32 v12, v20, s[0:1]
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
