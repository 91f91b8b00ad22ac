; One wait for all where the FMACs are two for each dword that it waits for besides; not where they
; are fewer, as where a thread has one result: there, arithmetic begins with the first loads.
; RUN: %dualfmac-sched rewrite --waits %s | grep -v '^;' | FileCheck %s
; CHECK: .Lenough:
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK-NOT: s_waitcnt
; CHECK: .Lfew:
; CHECK: s_waitcnt lgkmcnt(3)
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: s_endpgm

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
.Lenough:
	ds_load_b32 v1, v0
	ds_load_b128 v[4:7], v0 offset:16
	ds_load_b128 v[8:11], v0 offset:32
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v28, v4, v4
	v_fmac_f32_e32 v29, v5, v5
	v_fmac_f32_e32 v30, v6, v6
	v_fmac_f32_e32 v31, v7, v7
	v_fmac_f32_e32 v32, v8, v8
	v_fmac_f32_e32 v33, v9, v9
	v_fmac_f32_e32 v34, v10, v10
	v_fmac_f32_e32 v35, v11, v11
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lenough
.Lfew:
	ds_load_b32 v1, v0
	ds_load_b128 v[4:7], v0 offset:16
	ds_load_b128 v[8:11], v0 offset:32
	ds_load_b32 v2, v0 offset:8
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v28, v4, v2
	v_fmac_f32_e32 v29, v5, v5
	v_fmac_f32_e32 v30, v6, v6
	v_fmac_f32_e32 v31, v7, v7
	v_fmac_f32_e32 v32, v8, v8
	v_fmac_f32_e32 v33, v9, v9
	v_fmac_f32_e32 v34, v10, v10
	v_fmac_f32_e32 v35, v11, v11
	s_add_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 16
	s_cbranch_scc1 .Lfew
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
