; What wrapped stays so through moves, halves of a VOPD, lanes, selections and multiply-adds, and in lanes
; that were not active when their register was written again.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=index-wrap --all-findings; echo "exit code $?"' 2>&1 | FileCheck %s
; CHECK: 'global_load_b32 v10, v5, s[4:5]': the 32-bit offset is 0, but 4294967296 without
; CHECK: 'global_load_b32 v11, v6, s[4:5]': the 32-bit offset is 4, but 4294967300 without
; CHECK: wave 0, lane 0, byte 4 of arg0; 32 times
; CHECK: 'global_load_b32 v12, v7, s[4:5]': the 32-bit offset is 0, but 4294967296 without
; CHECK: wave 0, lane 3, byte 0 of arg0
; CHECK: 'global_load_b32 v13, v8, s[4:5]': the 32-bit offset is 16, but 4294967312 without
; CHECK: wave 0, lane 16,
; CHECK: 'global_load_b32 v14, v[16:17], off': an index of the address is 1, but 4294967297 without
; CHECK: 'global_load_b32 v15, v9, s[4:5]': the 32-bit offset is 0, but more than 64 bits without
; CHECK: 'global_load_b32 v19, v18, s[4:5]': the 32-bit offset is 8, but 4294967304 without
; CHECK: wave 0, lane 16, byte 8 of arg0; 16 times
; CHECK: exit code 2

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.protected k
	.globl k
	.p2align 8
	.type k,@function
k:
	s_load_b128 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, 0x80000000
	v_lshlrev_b32_e32 v4, 1, v2
	v_and_b32_e32 v2, v2, v2
	v_lshlrev_b32_e32 v4, 1, v2
	v_dual_mov_b32 v5, v4 :: v_dual_add_nc_u32 v6, 4, v4
	global_load_b32 v10, v5, s[4:5]
	v_readfirstlane_b32 s8, v6
	v_mov_b32_e32 v6, s8
	global_load_b32 v11, v6, s[4:5]
	v_mov_b32_e32 v7, 0
	v_readlane_b32 s9, v4, 1
	v_writelane_b32 v7, s9, 3
	global_load_b32 v12, v7, s[4:5]
	v_add_nc_u32_e32 v8, 16, v4
	v_cmp_le_u32_e32 vcc_lo, 16, v0
	v_cndmask_b32_e32 v8, 16, v8, vcc_lo
	global_load_b32 v13, v8, s[4:5]
	v_add_nc_u32_e32 v8, 1, v4
	v_mov_b32_e32 v17, s5
	v_mov_b32_e32 v16, s4
	v_mad_u64_u32 v[16:17], null, v8, 8, v[16:17]
	global_load_b32 v14, v[16:17], off
	v_lshlrev_b32_e32 v9, 31, v4
	v_mul_lo_u32 v9, v9, v9
	v_mul_lo_u32 v9, v9, v9
	global_load_b32 v15, v9, s[4:5]
	v_add_nc_u32_e32 v18, 8, v4
	s_mov_b32 exec_lo, 0xffff
	v_mov_b32_e32 v18, 8
	s_mov_b32 exec_lo, -1
	global_load_b32 v19, v18, s[4:5]
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 32
	.amdhsa_next_free_sgpr 32
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 16
	.amdhsa_group_segment_fixed_size 0
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
