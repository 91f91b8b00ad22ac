; The SGPR base is made of a scalar index that wraps.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=index-wrap; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=index-wrap

; CHECK: warning: 'global_store_b32 v1, v0, s[12:13]': in the scalar base, an index of the address is 16, but 4294967312 without wrapping [index-wrap: wrapped-index]
; CHECK: note: kernel k, workgroup (0, 0, 0), wave 0, lane 0, byte 64 of arg1
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
	s_mov_b32 s8, 0x10000001 ; BAD
;FIX	s_mov_b32 s8, 1
	s_lshl_b32 s8, s8, 4
	s_mov_b32 s9, 0
	s_lshl_b64 s[10:11], s[8:9], 2
	s_add_u32 s12, s6, s10
	s_addc_u32 s13, s7, s11
	global_store_b32 v1, v0, s[12:13]
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
