; turns-and-rest.s with an iteration of two steps, one for each buffer, and a way out behind either.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.protected sums
	.globl sums
	.p2align 8
	.type sums,@function
sums:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b64 s[8:9], s[0:1], 0x10         ; steps and lanes
	v_lshlrev_b32_e32 v1, 2, v0             ; where this lane stores
	v_xor_b32_e32 v2, 0x84, v1              ; where it loads: what the other wave has stored
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0             ; this lane's place in a row
	v_mov_b32_e32 v5, 0
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s9, s9, 2                    ; bytes of a row
	v_add_nc_u32_e32 v6, s9, v0
	v_add_nc_u32_e32 v7, s9, v6
	v_add_nc_u32_e32 v8, s9, v7
	s_lshl_b32 s10, s9, 2                   ; bytes of a group
	s_lshr_b32 s11, s8, 2                   ; groups
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc1 .Lsome
	global_load_b32 v9, v0, s[4:5]          ; first
	global_load_b32 v10, v6, s[4:5]
	global_load_b32 v11, v7, s[4:5]
	global_load_b32 v12, v8, s[4:5]
	s_add_u32 s4, s4, s10
	s_addc_u32 s5, s5, 0
.Lsome:
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc1 .Lrest
	s_waitcnt vmcnt(0)
	ds_store_b32 v1, v9                       ; first
	ds_store_b32 v1, v10 offset:256
	ds_store_b32 v1, v11 offset:512
	ds_store_b32 v1, v12 offset:768
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cmp_le_u32 s11, 1
	s_cbranch_scc1 .Llast
.Lgroup:
	global_load_b32 v9, v0, s[4:5]          ; next
	global_load_b32 v10, v6, s[4:5]
	global_load_b32 v11, v7, s[4:5]
	global_load_b32 v12, v8, s[4:5]
	s_add_u32 s4, s4, s10
	s_addc_u32 s5, s5, 0
	ds_load_b32 v13, v2                       ; this
	ds_load_b32 v14, v2 offset:256
	ds_load_b32 v15, v2 offset:512
	ds_load_b32 v16, v2 offset:768
	s_waitcnt lgkmcnt(0)                    ; loaded, this
	v_fma_f32 v5, v5, 0.5, v13
	v_fma_f32 v5, v5, 0.5, v14
	v_fma_f32 v5, v5, 0.5, v15
	v_fma_f32 v5, v5, 0.5, v16
	s_waitcnt vmcnt(0)                      ; arrived
	ds_store_b32 v1, v9 offset:1024          ; next
	ds_store_b32 v1, v10 offset:1280
	ds_store_b32 v1, v11 offset:1536
	ds_store_b32 v1, v12 offset:1792
	s_waitcnt lgkmcnt(0)                    ; stored
	s_barrier                               ; step
	s_sub_u32 s11, s11, 1
	s_cmp_eq_i32 s11, 1
	s_cbranch_scc1 .Lodd
	global_load_b32 v9, v0, s[4:5]          ; next
	global_load_b32 v10, v6, s[4:5]
	global_load_b32 v11, v7, s[4:5]
	global_load_b32 v12, v8, s[4:5]
	s_add_u32 s4, s4, s10
	s_addc_u32 s5, s5, 0
	ds_load_b32 v13, v2 offset:1024          ; this
	ds_load_b32 v14, v2 offset:1280
	ds_load_b32 v15, v2 offset:1536
	ds_load_b32 v16, v2 offset:1792
	s_waitcnt lgkmcnt(0)                    ; loaded, this
	v_fma_f32 v5, v5, 0.5, v13
	v_fma_f32 v5, v5, 0.5, v14
	v_fma_f32 v5, v5, 0.5, v15
	v_fma_f32 v5, v5, 0.5, v16
	s_waitcnt vmcnt(0)                      ; arrived
	ds_store_b32 v1, v9                       ; next
	ds_store_b32 v1, v10 offset:256
	ds_store_b32 v1, v11 offset:512
	ds_store_b32 v1, v12 offset:768
	s_waitcnt lgkmcnt(0)                    ; stored
	s_barrier                               ; step
	s_sub_u32 s11, s11, 1
	s_cmp_eq_i32 s11, 1
	s_cbranch_scc0 .Lgroup
	s_branch .Llast
.Lodd:
	v_xor_b32_e32 v2, 0x400, v2             ; the last group is in the other buffer
.Llast:
	ds_load_b32 v13, v2                       ; last
	ds_load_b32 v14, v2 offset:256
	ds_load_b32 v15, v2 offset:512
	ds_load_b32 v16, v2 offset:768
	s_waitcnt lgkmcnt(0)                    ; loaded, last
	v_fma_f32 v5, v5, 0.5, v13
	v_fma_f32 v5, v5, 0.5, v14
	v_fma_f32 v5, v5, 0.5, v15
	v_fma_f32 v5, v5, 0.5, v16
.Lrest:
	v_and_b32_e32 v1, 0x3ff, v1             ; which buffer no more
	s_and_b32 s11, 3, s8                    ; rows that are left
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc1 .Ldone
	global_load_b32 v9, v0, s[4:5]          ; rest
	global_load_b32 v10, v6, s[4:5]
	global_load_b32 v11, v7, s[4:5]
	global_load_b32 v12, v8, s[4:5]
	s_waitcnt vmcnt(0)
	s_barrier                               ; rest
	ds_store_b32 v1, v9                       ; rest
	ds_store_b32 v1, v10 offset:256
	ds_store_b32 v1, v11 offset:512
	ds_store_b32 v1, v12 offset:768
	s_waitcnt lgkmcnt(0)
	s_barrier                               ; rest is there
	v_and_b32_e32 v2, 0x3ff, v2             ; which buffer no more
.Lrow:
	ds_load_b32 v13, v2
	s_movk_i32 s12, 0x100
	v_add_co_u32 v2, vcc_lo, s12, v2
	s_waitcnt lgkmcnt(0)
	v_fma_f32 v5, v5, 0.5, v13
	s_sub_i32 s11, s11, 1
	s_cmp_le_i32 s11, 0
	s_cbranch_scc0 .Lrow
.Ldone:
	v_mul_f32_e32 v9, 0.5, v5                ; loaded on no way that comes here without a wait
	global_store_b32 v0, v9, s[6:7]
	s_endpgm
.Lend:
	.size sums, .Lend-sums
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel sums
	.amdhsa_next_free_vgpr 17
	.amdhsa_next_free_sgpr 16
	.amdhsa_user_sgpr_count 2
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 24
	.amdhsa_group_segment_fixed_size 2048
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_wavefront_size32 1
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
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .name:           sums
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .symbol:         sums.kd
    .vgpr_count:     17
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
