; A carry that no high half takes up: the sum is an index of 32 bits that has wrapped.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=index-wrap; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=index-wrap

; CHECK: warning: 'global_load_b32 v6, v[4:5], off': an index of the address is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
; CHECK: wave 0, lane 16,
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
	s_mov_b32 s8, 0x7ffffff8
	v_add_nc_u32_e32 v2, s8, v0
	s_mov_b32 s8, 0x7ffffff8 ; BAD
;FIX	s_mov_b32 s8, 0x10
	v_add_co_u32 v2, vcc_lo, s8, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_or_b32_e32 v4, 4, v4
	v_add_co_u32 v4, vcc_lo, s4, v4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v5, vcc_lo
	global_load_b32 v6, v[4:5], off
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
