; The destination of V_MAD_U64_U32 overlaps a source.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=all; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=all
; CHECK: warning: 'v_mad_u64_u32 v[3:4], null, v0, v1, v[2:3]': destination v[3:4] overlaps source v[2:3]: wrong on gfx11 if that part of the source counts [hazards: mad64-overlap]
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
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mad_u64_u32 v[3:4], null, v0, v1, v[2:3] ; BAD
	v_mad_u64_u32 v[4:5], null, v0, v1, v[2:3]
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 32
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 16
	.amdhsa_group_segment_fixed_size 0
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
