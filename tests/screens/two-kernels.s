	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	scale
	.p2align	8
	.type	scale,@function
scale:
	s_load_b64 s[2:3], s[0:1], 0x0
	s_load_b32 s4, s[0:1], 0x8
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v6, 1.0
	v_mov_b32_e32 v7, 2.0
	v_mov_b32_e32 v8, 0.5
	v_mov_b32_e32 v9, 4.0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v4, 0
.LBB0_1:
	v_fmac_f32_e32 v2, v6, v8
	v_fmac_f32_e32 v4, v7, v9
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .LBB0_1
	v_add_f32_e32 v2, v2, v4
	global_store_b32 v1, v2, s[2:3]
	s_endpgm
.Lfunc_end0:
	.size	scale, .Lfunc_end0-scale

	.globl	clear
	.p2align	8
	.type	clear,@function
clear:
	s_load_b64 s[2:3], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v2, 0
	s_waitcnt lgkmcnt(0)
	global_store_b32 v1, v2, s[2:3]
	s_endpgm
.Lfunc_end1:
	.size	clear, .Lfunc_end1-clear

	.amdhsa_code_object_version 5
	.amdhsa_kernel scale
		.amdhsa_kernarg_size 12
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 5
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdhsa_kernel clear
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 4
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 5
    .vgpr_count: 10
    .max_flat_workgroup_size: 32
    .args:
      - {.name: out, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.name: n, .offset: 8, .size: 4, .value_kind: by_value}
  - .name: clear
    .symbol: clear.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 4
    .vgpr_count: 3
    .max_flat_workgroup_size: 32
    .args:
      - {.name: out, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
...
	.end_amdgpu_metadata
