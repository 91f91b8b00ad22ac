	.text
	.globl	tile
	.p2align	8
	.type	tile,@function
tile:                                   ; a 2x2 tile, as a person writes it
	v_lshlrev_b32_e32 v1, 4, v0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v12, v1
	s_movk_i32 s0, 3
.Lloop:                                 ; the loop
	ds_load_2addr_b32 v[8:9], v1 offset1:1
	ds_load_2addr_b32 v[10:11], v1 offset0:2 offset1:3
	s_add_i32 s0, s0, -1
	v_add_nc_u32_e32 v1, 16, v1
	s_cmp_lg_u32 s0, 0
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v4, v8, v10
	v_fmac_f32_e32 v5, v8, v11
	v_fmac_f32_e32 v6, v9, v10
	v_fmac_f32_e32 v7, v9, v11
	s_cbranch_scc1 .Lloop
	ds_store_b128 v12, v[4:7]
	s_endpgm
.Lfunc_end0:
	.size	tile, .Lfunc_end0-tile
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel tile
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
