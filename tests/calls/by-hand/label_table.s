; A table of labels in read-only data, as distances from the table; the round chooses the target.
;
; Per round with row b: state = 0.5 * state + b, state * b - 0.25 or state * state * b + b, in turn.
; The state begins as the first row.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	label_table
	.p2align	8
	.type	label_table,@function
label_table:
	s_load_b128 s[4:7], s[0:1], 0x0         ; the buffers
	s_load_b64 s[8:9], s[0:1], 0x10         ; rounds and lanes
	v_lshl_or_b32 v0, s2, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0             ; this lane's place in a row
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s9, s9, 2                    ; bytes of a row
	global_load_b32 v1, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_getpc_b64 s[16:17]
	s_add_u32 s16, s16, table@rel32@lo+4
	s_addc_u32 s17, s17, table@rel32@hi+12
	s_mov_b32 s10, 0
.Lround:
	global_load_b32 v2, v0, s[4:5]
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_load_b32 s12, s[16:17], s10
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s13, s12, 31
	s_add_u32 s12, s16, s12
	s_addc_u32 s13, s17, s13
	s_swappc_b64 s[30:31], s[12:13]
	s_add_u32 s10, s10, 4
	s_cmp_eq_u32 s10, 12
	s_cselect_b32 s10, 0, s10
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lround
	global_store_b32 v0, v1, s[6:7]
	s_endpgm
.Llabel_table_end:
	.size	label_table, .Llabel_table_end-label_table
	.p2align	2
	.type	grow,@function
grow:
	s_waitcnt vmcnt(0)
	v_fma_f32 v1, v1, 0.5, v2
	s_setpc_b64 s[30:31]
.Lgrow_end:
	.size	grow, .Lgrow_end-grow
	.p2align	2
	.type	turn,@function
turn:
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v3, 0xbe800000
	v_fma_f32 v1, v1, v2, v3
	s_setpc_b64 s[30:31]
.Lturn_end:
	.size	turn, .Lturn_end-turn
	.p2align	2
	.type	bend,@function
bend:
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v3, v1, v1
	v_fma_f32 v1, v3, v2, v2
	s_setpc_b64 s[30:31]
.Lbend_end:
	.size	bend, .Lbend_end-bend
	.section	.rodata,"a",@progbits
	.p2align	2
table:
	.long	grow-table
	.long	turn-table
	.long	bend-table
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel label_table
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 4
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
    .name:           label_table
    .private_segment_fixed_size: 0
    .sgpr_count:     50
    .symbol:         label_table.kd
    .vgpr_count:     4
    .wavefront_size: 32
    .workgroup_processor_mode: 0
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
