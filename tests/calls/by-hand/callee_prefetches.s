; The callee returns with loads in flight, and the caller waits for them: in each round the function
; uses the values of this round and starts to load those of the next.
;
; Per round, of rows a and b: sum = sum * 0.5 + a * b + a. One pair of rows more is loaded than used.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	callee_prefetches
	.p2align	8
	.type	callee_prefetches,@function
callee_prefetches:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b64 s[8:9], s[0:1], 0x10         ; rounds and lanes
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0             ; this lane's place in a row
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s9, s9, 2                    ; bytes of a row
	s_getpc_b64 s[12:13]
	s_add_u32 s12, s12, advance@rel32@lo+4
	s_addc_u32 s13, s13, advance@rel32@hi+12
	v_mov_b32_e32 v5, 0
	global_load_b32 v1, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	global_load_b32 v2, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
.Lround:
	s_waitcnt vmcnt(0)
	s_swappc_b64 s[30:31], s[12:13]
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lround
	global_store_b32 v0, v5, s[6:7]
	s_waitcnt vmcnt(0)
	s_endpgm
.Lcallee_prefetches_end:
	.size	callee_prefetches, .Lcallee_prefetches_end-callee_prefetches
	.p2align	2
	.type	advance,@function
advance:
	v_fma_f32 v3, v1, v2, v1
	global_load_b32 v1, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	global_load_b32 v2, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	v_fma_f32 v5, v5, 0.5, v3
	s_setpc_b64 s[30:31]
.Ladvance_end:
	.size	advance, .Ladvance_end-advance
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel callee_prefetches
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 6
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
    .name:           callee_prefetches
    .private_segment_fixed_size: 0
    .sgpr_count:     50
    .symbol:         callee_prefetches.kd
    .vgpr_count:     6
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
