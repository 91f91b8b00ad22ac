; A function that runs into the next one: scaled_product halves its first argument and goes on as product.
;
; Per round, of rows a and b: sum += a * b + b, then sum += 0.5 * b * a + a.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	fall_through
	.p2align	8
	.type	fall_through,@function
fall_through:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b64 s[8:9], s[0:1], 0x10         ; rounds and lanes
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0             ; this lane's place in a row
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s9, s9, 2                    ; bytes of a row
	s_getpc_b64 s[12:13]
	s_add_u32 s12, s12, product@rel32@lo+4
	s_addc_u32 s13, s13, product@rel32@hi+12
	s_getpc_b64 s[14:15]
	s_add_u32 s14, s14, scaled_product@rel32@lo+4
	s_addc_u32 s15, s15, scaled_product@rel32@hi+12
	v_mov_b32_e32 v5, 0
.Lround:
	global_load_b32 v6, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	global_load_b32 v7, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v1, v6
	v_mov_b32_e32 v2, v7
	s_swappc_b64 s[30:31], s[12:13]
	v_mov_b32_e32 v1, v7
	v_mov_b32_e32 v2, v6
	s_swappc_b64 s[30:31], s[14:15]
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lround
	global_store_b32 v0, v5, s[6:7]
	s_endpgm
.Lfall_through_end:
	.size	fall_through, .Lfall_through_end-fall_through
	.p2align	2
	.type	scaled_product,@function
scaled_product:
	v_mul_f32_e32 v1, 0.5, v1
.Lscaled_product_end:
	.size	scaled_product, .Lscaled_product_end-scaled_product
	.type	product,@function
product:
	v_fma_f32 v3, v1, v2, v2
	v_add_f32_e32 v5, v5, v3
	s_setpc_b64 s[30:31]
.Lproduct_end:
	.size	product, .Lproduct_end-product
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel fall_through
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 48
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}
      - {.offset: 16, .size: 4, .value_kind: by_value}
      - {.offset: 20, .size: 4, .value_kind: by_value}
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .name:           fall_through
    .private_segment_fixed_size: 0
    .sgpr_count:     50
    .symbol:         fall_through.kd
    .vgpr_count:     8
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
