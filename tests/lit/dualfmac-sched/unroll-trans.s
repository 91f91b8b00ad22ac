; Additions that become offsets no longer keep a transcendental and its use apart.
; RUN: %dualfmac-sched rewrite --unroll %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --unroll %t.s | cmp - %t.s
; CHECK: v_exp_f32_e32 v3, v4
; CHECK-NEXT: s_waitcnt_depctr 0xfff
; CHECK-NEXT: v_add_f32_e32 v5, v3, v5
; CHECK: v_exp_f32_e32 v3, v4
; CHECK-NEXT: s_waitcnt_depctr 0xfff
; CHECK-NEXT: v_add_f32_e32 v5, v3, v5

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s0, 2
.Lloop:
	ds_load_b32 v4, v1
	ds_load_b32 v6, v2
	s_waitcnt lgkmcnt(0)
	v_exp_f32_e32 v3, v4
	v_add_nc_u32_e32 v1, 4, v1
	v_add_nc_u32_e32 v2, 4, v2
	v_add_nc_u32_e32 v1, 4, v1
	v_add_nc_u32_e32 v2, 4, v2
	v_add_nc_u32_e32 v1, 4, v1
	v_add_nc_u32_e32 v2, 4, v2
	v_add_f32_e32 v5, v3, v5
	v_add_f32_e32 v5, v6, v5
	s_add_i32 s0, s0, -1
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc1 .Lloop
	ds_store_b32 v0, v5
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
