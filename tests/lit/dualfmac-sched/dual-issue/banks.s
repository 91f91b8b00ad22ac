; The factors of a tile that are in the same banks go to other ones, in the whole function, and their LDS tuples are loaded by two; waits count the new loads.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK-COUNT-4: ds_load_b64
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: .LBB0_1:
; CHECK-NEXT: ds_load_b32 v30, v13
; CHECK-NEXT: s_waitcnt lgkmcnt(1)
; CHECK-NEXT: v_dual_fmac_f32 {{.*}} v_dual_fmac_f32
; CHECK-NEXT: v_dual_fmac_f32 {{.*}} v_dual_fmac_f32
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NOT: v_fmac_f32
; CHECK-COUNT-4: ds_load_b64

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	s_mov_b32 s5, 0
	ds_load_b128 v[0:3], v12
	ds_load_b128 v[4:7], v12 offset:64
.LBB0_1:
	ds_load_b32 v30, v13
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v0, v4
	v_fmac_f32_e32 v21, v1, v5
	v_fmac_f32_e32 v22, v2, v6
	v_fmac_f32_e32 v23, v3, v7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v20, v20, v30
	ds_load_b128 v[0:3], v12 offset:128
	ds_load_b128 v[4:7], v12 offset:256
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
