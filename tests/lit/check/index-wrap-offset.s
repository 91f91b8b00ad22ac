; The 32-bit offset beside an SGPR base wraps in a multiplication, for loads, stores and atomics.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=index-wrap --all-findings; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=index-wrap --all-findings

; CHECK: warning: 'global_load_b32 v6, v5, s[4:5]': the 32-bit offset is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
; CHECK: wave 0, lane 1, byte 0 of arg0; 31 times
; CHECK: warning: 'global_atomic_add_u32 v5, v0, s[6:7]': the 32-bit offset is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
; CHECK: warning: 'global_store_b32 v5, v0, s[6:7]': the 32-bit offset is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
; CHECK: warning: 'global_load_b32 v6, v8, s[4:5]': the 32-bit offset is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
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
	s_mov_b32 s8, 0x40000000 ; BAD
;FIX	s_movk_i32 s8, 0x10
	v_mul_lo_u32 v4, v0, s8
	v_lshlrev_b32_e32 v5, 2, v4
	global_load_b32 v6, v5, s[4:5]
	global_atomic_add_u32 v5, v0, s[6:7]
	global_store_b32 v5, v0, s[6:7]
	; The low half of 64 bits in which nothing has wrapped.
	v_mul_lo_u32 v4, v0, s8
	v_and_b32_e32 v2, v4, v4
	v_lshlrev_b64 v[8:9], 2, v[2:3]
	global_load_b32 v6, v8, s[4:5]
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
