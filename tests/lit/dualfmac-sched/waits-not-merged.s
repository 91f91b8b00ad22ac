; Not merged: loads from memory, whose data may come far apart; LDS loads with another access between
; the waits; loads behind a scalar load; flat loads; code that runs once.
; RUN: %dualfmac-sched rewrite --waits %s | cmp - %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
.Lmemory:
	global_load_b32 v1, v[10:11], off
	global_load_b32 v2, v[10:11], off offset:4
	s_waitcnt vmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lmemory
.Lbetween:
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	ds_load_b32 v3, v0 offset:8
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v40, v3
	s_add_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 16
	s_cbranch_scc1 .Lbetween
.Lflat:
	flat_load_b32 v1, v[10:11]
	flat_load_b32 v2, v[10:11] offset:4
	s_waitcnt vmcnt(1) lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lflat
.Lscalar:
	s_load_b32 s6, s[0:1], 0x0
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	s_add_i32 s4, s4, s6
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lscalar
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
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
