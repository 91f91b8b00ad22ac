; Calls by s_call_b64, whose target is relative to the instruction.
;
; Per round, of rows a, b, c: sum0 += a * b + c, sum1 += b * c + a, both by the same function.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	call_direct
	.p2align	8
	.type	call_direct,@function
call_direct:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b64 s[8:9], s[0:1], 0x10         ; rounds and lanes
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0             ; this lane's place in a row
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s9, s9, 2                    ; bytes of a row
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
.Lround:
	global_load_b32 v7, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	global_load_b32 v8, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	global_load_b32 v9, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v1, v7
	v_mov_b32_e32 v2, v8
	v_mov_b32_e32 v3, v9
	s_call_b64 s[30:31], add_product
	v_add_f32_e32 v5, v5, v4
	v_mov_b32_e32 v1, v8
	v_mov_b32_e32 v2, v9
	v_mov_b32_e32 v3, v7
	s_call_b64 s[30:31], add_product
	v_add_f32_e32 v6, v6, v4
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lround
	global_store_b32 v0, v5, s[6:7]
	s_add_u32 s6, s6, s9
	s_addc_u32 s7, s7, 0
	global_store_b32 v0, v6, s[6:7]
	s_endpgm
.Lcall_direct_end:
	.size	call_direct, .Lcall_direct_end-call_direct
	.p2align	2
	.type	add_product,@function
add_product:
	v_fma_f32 v4, v1, v2, v3
	s_setpc_b64 s[30:31]
.Ladd_product_end:
	.size	add_product, .Ladd_product_end-add_product
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel call_direct
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 10
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
    .name:           call_direct
    .private_segment_fixed_size: 0
    .sgpr_count:     50
    .symbol:         call_direct.kd
    .vgpr_count:     10
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
