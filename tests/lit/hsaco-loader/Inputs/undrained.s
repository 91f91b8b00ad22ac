; The kernel of prefetch-two-buffers.s, but what a step loads from LDS is loaded behind the barrier of
; the step before, in front of that one's product: no step begins with a wait for LDS.
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
	global_load_b32 v3, v0, s[4:5]          ; the first row
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(0)
	ds_store_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_load_b32 v4, v2                      ; first
.Lstep:
	s_sub_u32 s8, s8, 1                     ; even
	s_cmp_eq_u32 s8, 0
	s_cbranch_scc1 .Lrest
	global_load_b32 v3, v0, s[4:5]          ; the next row, even
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(0)                      ; arrived, even
	ds_store_b32 v1, v3 offset:256          ; even
	s_waitcnt lgkmcnt(0)                    ; loaded and stored, even
	s_barrier                               ; even
	ds_load_b32 v6, v2 offset:256          ; for the next step, even
	v_fma_f32 v5, v5, 0.5, v4               ; even
.Lodd:
	s_sub_u32 s8, s8, 1                     ; odd
	s_cmp_eq_u32 s8, 0
	s_cbranch_scc1 .Lrest2
	global_load_b32 v3, v0, s[4:5]          ; the next row, odd
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(0)                      ; arrived, odd
	ds_store_b32 v1, v3                     ; odd
	s_waitcnt lgkmcnt(0)                    ; loaded and stored, odd
	s_barrier                               ; odd
	ds_load_b32 v4, v2                     ; for the next step, odd
	v_fma_f32 v5, v5, 0.5, v6               ; odd
	s_branch .Lstep
.Lrest:
	s_waitcnt lgkmcnt(0)                    ; last loaded, even
	v_fma_f32 v5, v5, 0.5, v4               ; last sum, even
	global_store_b32 v0, v5, s[6:7]         ; even
	s_endpgm
.Lrest2:
	s_waitcnt lgkmcnt(0)                    ; last loaded, odd
	v_fma_f32 v5, v5, 0.5, v6               ; last sum, odd
	global_store_b32 v0, v5, s[6:7]         ; odd
	s_endpgm
.Lend:
	.size sums, .Lend-sums
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel sums
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.amdhsa_user_sgpr_count 2
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 24
	.amdhsa_group_segment_fixed_size 512
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
    .group_segment_fixed_size: 512
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .name:           sums
    .private_segment_fixed_size: 0
    .reqd_workgroup_size: [64, 1, 1]
    .sgpr_count:     16
    .symbol:         sums.kd
    .vgpr_count:     8
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
