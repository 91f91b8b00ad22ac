; The kernel of prefetch-one-buffer.s with three LDS buffers: a row is stored two steps before it is
; used, so nobody waits for the stores of a step at its barrier, but a step later.
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
	global_load_b32 v3, v0, s[4:5]   ; the first row
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_sub_u32 s8, s8, 1              ; first
	s_cmp_eq_u32 s8, 0               ; first
	s_cbranch_scc1 .Lrest
	global_load_b32 v6, v0, s[4:5]   ; the second row
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_waitcnt vmcnt(1)               ; first arrived
	ds_store_b32 v1, v3              ; first
	s_waitcnt vmcnt(0)               ; second arrived
	ds_store_b32 v1, v6 offset:256   ; second
	s_waitcnt lgkmcnt(1)             ; first stored
	s_barrier                        ; first
.Lstep:
	s_sub_u32 s8, s8, 1              ; step 0
	s_cmp_eq_u32 s8, 0               ; step 0
	s_cbranch_scc1 .Ltwo0
	global_load_b32 v3, v0, s[4:5]   ; the row after the next, step 0
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	ds_load_b32 v4, v2               ; step 0
	s_waitcnt lgkmcnt(0)             ; loaded and stored, step 0
	v_fma_f32 v5, v5, 0.5, v4        ; step 0
	s_waitcnt vmcnt(0)               ; arrived, step 0
	ds_store_b32 v1, v3 offset:512   ; step 0
	s_barrier                        ; step 0
.Lstep1:
	s_sub_u32 s8, s8, 1              ; step 1
	s_cmp_eq_u32 s8, 0               ; step 1
	s_cbranch_scc1 .Ltwo1
	global_load_b32 v3, v0, s[4:5]   ; the row after the next, step 1
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	ds_load_b32 v4, v2 offset:256    ; step 1
	s_waitcnt lgkmcnt(0)             ; loaded and stored, step 1
	v_fma_f32 v5, v5, 0.5, v4        ; step 1
	s_waitcnt vmcnt(0)               ; arrived, step 1
	ds_store_b32 v1, v3              ; step 1
	s_barrier                        ; step 1
.Lstep2:
	s_sub_u32 s8, s8, 1              ; step 2
	s_cmp_eq_u32 s8, 0               ; step 2
	s_cbranch_scc1 .Ltwo2
	global_load_b32 v3, v0, s[4:5]   ; the row after the next, step 2
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	ds_load_b32 v4, v2 offset:512    ; step 2
	s_waitcnt lgkmcnt(0)             ; loaded and stored, step 2
	v_fma_f32 v5, v5, 0.5, v4        ; step 2
	s_waitcnt vmcnt(0)               ; arrived, step 2
	ds_store_b32 v1, v3 offset:256   ; step 2
	s_barrier                        ; step 2
	s_branch .Lstep
.Ltwo0:
	ds_load_b32 v4, v2               ; last but one, 0
	s_waitcnt lgkmcnt(0)             ; last but one, 0
	v_fma_f32 v5, v5, 0.5, v4        ; last but one, 0
	s_barrier                        ; last, 0
	ds_load_b32 v4, v2 offset:256    ; last, 0
	s_waitcnt lgkmcnt(0)             ; last, 0
	v_fma_f32 v5, v5, 0.5, v4        ; last, 0
	global_store_b32 v0, v5, s[6:7]  ; 0
	s_endpgm
.Ltwo1:
	ds_load_b32 v4, v2 offset:256    ; last but one, 1
	s_waitcnt lgkmcnt(0)             ; last but one, 1
	v_fma_f32 v5, v5, 0.5, v4        ; last but one, 1
	s_barrier                        ; last, 1
	ds_load_b32 v4, v2 offset:512    ; last, 1
	s_waitcnt lgkmcnt(0)             ; last, 1
	v_fma_f32 v5, v5, 0.5, v4        ; last, 1
	global_store_b32 v0, v5, s[6:7]  ; 1
	s_endpgm
.Ltwo2:
	ds_load_b32 v4, v2 offset:512    ; last but one, 2
	s_waitcnt lgkmcnt(0)             ; last but one, 2
	v_fma_f32 v5, v5, 0.5, v4        ; last but one, 2
	s_barrier                        ; last, 2
	ds_load_b32 v4, v2               ; last, 2
	s_waitcnt lgkmcnt(0)             ; last, 2
	v_fma_f32 v5, v5, 0.5, v4        ; last, 2
	global_store_b32 v0, v5, s[6:7]  ; 2
	s_endpgm
.Lrest:
	s_waitcnt vmcnt(0)               ; one
	ds_store_b32 v1, v3              ; one
	s_waitcnt lgkmcnt(0)             ; one stored
	s_barrier                        ; one
	ds_load_b32 v4, v2               ; one
	s_waitcnt lgkmcnt(0)             ; one loaded
	v_fma_f32 v5, v5, 0.5, v4        ; one
	global_store_b32 v0, v5, s[6:7]  ; one
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
	.amdhsa_group_segment_fixed_size 768
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
    .group_segment_fixed_size: 768
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
