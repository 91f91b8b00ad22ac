; D = alpha * A * B + beta * C, column-major, as a library's generator writes it: addresses are 64-bit
; numbers, sizes and leading dimensions packed, and the descriptor has no kernarg size.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.protected	gemm
	.globl	gemm
	.p2align	8
	.type	gemm,@function
gemm:
	s_load_b256 s[4:11], s[0:1], 0x0
	s_load_b128 s[12:15], s[0:1], 0x20
	s_load_b32 s16, s[0:1], 0x30
	s_load_b128 s[20:23], s[0:1], 0x34
	s_waitcnt lgkmcnt(0)
	v_lshl_or_b32 v0, s2, 5, v0
	v_cmp_gt_u32_e32 vcc_lo, s12, v0
	s_and_saveexec_b32 s17, vcc_lo
	s_cbranch_execz .Lend
	v_mov_b32_e32 v1, 0
	v_lshlrev_b32_e32 v2, 2, v0
	s_mul_i32 s18, s3, s23
	s_lshl_b32 s18, s18, 2
	s_lshl_b32 s19, s22, 2
	s_cmp_eq_u32 s14, 0
	s_cbranch_scc1 .Lstore
.Lloop:
	v_mov_b32_e32 v5, s18
	global_load_b32 v3, v2, s[8:9]
	global_load_b32 v4, v5, s[10:11]
	v_add_nc_u32_e32 v2, s19, v2
	s_add_i32 s18, s18, 4
	s_add_i32 s14, s14, -1
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, v3, v4
	s_cmp_lg_u32 s14, 0
	s_cbranch_scc1 .Lloop
.Lstore:
	s_mul_i32 s18, s3, s21
	v_add_lshl_u32 v6, v0, s18, 2
	global_load_b32 v7, v6, s[6:7]
	s_mul_i32 s18, s3, s20
	v_add_lshl_u32 v8, v0, s18, 2
	v_mul_f32_e32 v1, s15, v1
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, s16, v7
	global_store_b32 v8, v1, s[4:5]
.Lend:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel gemm
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 2
		.amdhsa_next_free_vgpr 9
		.amdhsa_next_free_sgpr 24
		.amdhsa_wavefront_size32 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 1
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: gemm
    .symbol: gemm.kd
    .args:
      - {.name: AddressD, .size: 8, .offset: 0, .value_kind: by_value}
      - {.name: AddressC, .size: 8, .offset: 8, .value_kind: by_value}
      - {.name: AddressA, .size: 8, .offset: 16, .value_kind: by_value}
      - {.name: AddressB, .size: 8, .offset: 24, .value_kind: by_value}
      - {.name: Sizes, .size: 12, .offset: 32, .value_kind: by_value}
      - {.name: AlphaBeta, .size: 8, .offset: 44, .value_kind: by_value}
      - {.name: Leading, .size: 16, .offset: 52, .value_kind: by_value}
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 72
    .max_flat_workgroup_size: 32
    .private_segment_fixed_size: 0
    .sgpr_count: 24
    .vgpr_count: 9
    .wavefront_size: 32
...
	.end_amdgpu_metadata
