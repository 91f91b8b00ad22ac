; What may look like a wrap and is none: negative numbers on the way, a mask behind a hash, numbers
; of 64 bits that are computed in halves, undecided constants, registers that are used again.
; REQUIRES: hsaco-loader
; RUN: %hsaco-loader run %s --launch %S/Inputs/launch.json --check=index-wrap 2>&1 | FileCheck %s '--implicit-check-not=[index-wrap'
; CHECK: k on emulated

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
	; (tid - 1) + 1, with the constant inline, as a literal, in an SGPR and in a VGPR.
	v_add_nc_u32_e32 v2, -1, v0
	v_add_nc_u32_e32 v2, 1, v2
	v_add_nc_u32_e32 v2, 0xfffff000, v2
	s_movk_i32 s8, 0x7ff
	v_add3_u32 v2, v2, s8, s8
	v_add_nc_u32_e32 v2, 2, v2
	s_mov_b32 s8, 0xffffff00
	v_mov_b32_e32 v4, 0x100
	v_add3_u32 v2, v2, s8, v4
	v_mul_lo_u32 v4, v0, -4
	v_lshl_add_u32 v2, v0, 2, v2
	v_add_nc_u32_e32 v2, v4, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc_lo, s4, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v5, vcc_lo
	global_load_b32 v6, v[4:5], off
	; A hash.
	v_mul_lo_u32 v2, 0x9e3779b1, v0
	v_mul_lo_u32 v2, v2, v2
	v_mul_lo_u32 v2, v2, v2
	v_mul_lo_u32 v2, v2, v2
	v_and_b32_e32 v2, 0x3ff, v2
	v_lshlrev_b32_e32 v4, 2, v2
	global_load_b32 v7, v4, s[4:5]
	; base + 2^20 * (2^20 + tid) - 2^40 - 2^20 * tid + 4 * tid - 8 + 8, in halves of every kind.
	v_add_nc_u32_e32 v8, 0x100000, v0
	s_mov_b32 s8, 0x100000
	v_mad_u64_u32 v[10:11], null, v8, s8, 0
	v_mul_lo_u32 v12, v0, s8
	v_mul_hi_u32 v13, v0, s8
	v_sub_co_u32 v10, vcc_lo, v10, v12
	v_sub_co_ci_u32_e32 v11, vcc_lo, v11, v13, vcc_lo
	v_add_co_u32 v14, s9, s4, v10
	v_add_co_ci_u32_e64 v15, s9, s5, v11, s9
	v_add_co_u32 v14, vcc_lo, v14, v1
	v_add_co_ci_u32_e32 v15, vcc_lo, 0, v15, vcc_lo
	v_add_co_u32 v14, vcc_lo, v14, -8
	v_add_co_ci_u32_e32 v15, vcc_lo, -1, v15, vcc_lo
	v_add_co_u32 v14, vcc_lo, v14, 8
	v_add_co_ci_u32_e32 v15, vcc_lo, 0xffffff00, v15, vcc_lo
	global_load_b32 v8, v[14:15], off
	; A product of 64 bits by 64: (2^32 + 3) * (5 * 2^32 + tid), shifted to the left and back.
	v_mov_b32_e32 v16, 3
	v_mov_b32_e32 v17, 1
	v_mov_b32_e32 v18, v0
	v_mov_b32_e32 v19, 5
	v_mad_u64_u32 v[20:21], null, v16, v18, 0
	v_mad_u64_u32 v[22:23], null, v16, v19, v[21:22]
	v_mad_u64_u32 v[24:25], null, v17, v18, v[22:23]
	v_mov_b32_e32 v21, v24
	v_lshlrev_b64 v[20:21], 3, v[20:21]
	v_and_b32_e32 v20, 0xfc, v20
	v_sub_co_u32 v20, vcc_lo, v20, v20
	v_sub_co_ci_u32_e32 v21, vcc_lo, v21, v21, vcc_lo
	v_add_co_u32 v20, vcc_lo, s4, v20
	v_add_co_ci_u32_e32 v21, vcc_lo, s5, v21, vcc_lo
	global_load_b32 v9, v[20:21], off
	; 4 * 0xfffffff0 | 4, less itself.
	v_mov_b32_e32 v18, -16
	v_mov_b32_e32 v19, 0
	v_and_b32_e32 v18, v18, v18
	v_lshlrev_b64 v[20:21], 2, v[18:19]
	v_or_b32_e32 v20, 4, v20
	v_lshlrev_b64 v[22:23], 2, v[18:19]
	v_sub_co_u32 v20, vcc_lo, v20, v22
	v_sub_co_ci_u32_e32 v21, vcc_lo, v21, v23, vcc_lo
	v_add_co_u32 v20, vcc_lo, s4, v20
	v_add_co_ci_u32_e32 v21, vcc_lo, s5, v21, vcc_lo
	global_load_b32 v9, v[20:21], off
	; The same by scalars: 0xffffffff * 0xffffffff - 0xfffffffe00000001.
	s_mov_b32 s8, -1
	s_mul_i32 s10, s8, s8
	s_mul_hi_u32 s11, s8, s8
	s_sub_u32 s10, s10, 1
	s_subb_u32 s11, s11, 0xfffffffe
	s_add_u32 s10, s4, s10
	s_addc_u32 s11, s5, s11
	global_load_b32 v10, v1, s[10:11]
	; What has wrapped and is not used again.
	v_lshlrev_b32_e32 v2, 31, v0
	v_dual_mov_b32 v2, 4 :: v_dual_mov_b32 v5, 0
	global_load_b32 v11, v2, s[4:5]
	; A wrapped value that only inactive lanes keep.
	v_lshlrev_b32_e32 v2, 31, v0
	v_add_nc_u32_e32 v2, v2, v2
	s_mov_b32 exec_lo, 0xffff
	v_mov_b32_e32 v2, 4
	global_load_b32 v11, v2, s[4:5]
	s_mov_b32 exec_lo, -1
	s_waitcnt vmcnt(0)
	global_store_b32 v1, v6, s[6:7]
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
