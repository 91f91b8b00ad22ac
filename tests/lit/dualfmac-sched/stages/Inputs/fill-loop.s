; A tile of 160 dwords that two waves fill by a loop: `for (i = tid; i < 160; i += 64)`. Lanes of the
; second wave leave it earlier than those of the first.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.protected fills
	.globl fills
	.p2align 8
	.type fills,@function
fills:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b32 s8, s[0:1], 0x10             ; steps
	s_load_b32 s12, s[0:1], 0x1c            ; the workgroup's size in x, and in y
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x84, v1              ; what the other wave has stored
	v_sub_nc_u32_e32 v9, 0x27c, v1          ; from the tile's end
	v_mov_b32_e32 v5, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s12, s12, 0xffff
.Lstep:
	v_mov_b32_e32 v6, v0
	v_mov_b32_e32 v7, v1
	s_mov_b32 s10, 0
.Lfill:
	global_load_b32 v3, v7, s[4:5]
	v_add_nc_u32_e32 v6, 64, v6
	v_cmp_lt_u32_e32 vcc_lo, 159, v6
	s_or_b32 s10, vcc_lo, s10
	s_waitcnt vmcnt(0)
	ds_store_b32 v7, v3
	v_add_nc_u32_e32 v7, 0x100, v7
	s_and_not1_b32 exec_lo, exec_lo, s10
	s_cbranch_execnz .Lfill
	s_or_b32 exec_lo, exec_lo, s10
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_load_b32 v4, v2
	ds_load_b32 v8, v9
	s_add_u32 s4, s4, 0x280
	s_addc_u32 s5, s5, 0
	s_sub_u32 s8, s8, 1
	s_waitcnt lgkmcnt(0)
	v_fma_f32 v5, v5, 0.5, v4
	v_fma_f32 v5, v5, 0.5, v8
	s_barrier
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lstep
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_b32 v0, v5, s[6:7]
	s_endpgm
.Lend:
	.size fills, .Lend-fills
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel fills
	.amdhsa_next_free_vgpr 12
	.amdhsa_next_free_sgpr 16
	.amdhsa_user_sgpr_count 2
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 32
	.amdhsa_group_segment_fixed_size 640
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
      - {.offset: 28, .size: 2, .value_kind: hidden_group_size_x}
      - {.offset: 30, .size: 2, .value_kind: hidden_group_size_y}
    .group_segment_fixed_size: 640
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 64
    .name:           fills
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .symbol:         fills.kd
    .vgpr_count:     12
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
