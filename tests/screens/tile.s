	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	tile
	.p2align	8
	.type	tile,@function
tile:                                   ; products of a 2 x 2 tile, in steps of 64
	s_load_b128 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 4, v0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	s_waitcnt lgkmcnt(0)
	global_load_b128 v[8:11], v1, s[4:5]
	s_movk_i32 s0, 64
	s_waitcnt vmcnt(0)
	ds_store_b128 v1, v[8:11]
	s_waitcnt lgkmcnt(0)
.LBB0_1:                                ; the loop
	ds_load_2addr_b32 v[8:9], v1 offset1:1
	ds_load_2addr_b32 v[10:11], v1 offset0:2 offset1:3
	s_add_i32 s0, s0, -1
	s_cmp_lg_u32 s0, 0
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v4, v8, v10
	v_fmac_f32_e32 v5, v8, v11
	v_fmac_f32_e32 v6, v9, v10
	v_fmac_f32_e32 v7, v9, v11
	s_cbranch_scc1 .LBB0_1
	global_store_b128 v1, v[4:7], s[6:7]
	s_endpgm
.Lfunc_end0:
	.size	tile, .Lfunc_end0-tile
	.amdhsa_code_object_version 5
	.amdhsa_kernel tile
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 8
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: tile
    .symbol: tile.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 12
    .max_flat_workgroup_size: 32
    .args:
      - {.name: in, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.name: out, .address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}
...
	.end_amdgpu_metadata
