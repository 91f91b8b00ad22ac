; Both halves of a register are loaded without a wait in between, as compilers write it: a load of 16
; bits leaves the other half as it is when it returns, behind the one before. What is read besides has
; to have arrived: an address out of a pair of which the first register is overwritten.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=all; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=all
; CHECK-NOT: d16_hi_b16
; CHECK: :[[#@LINE+23]]:1: warning: 'global_load_d16_b16 v4, v5, s[4:5]': v5 is read while global_load_b64 still owns it [waits: read-before-wait]
; CHECK: note: fix: s_waitcnt vmcnt(0) before it
; CHECK-NOT: warning
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
	v_mov_b32_e32 v7, 0
	global_load_d16_b16 v2, v1, s[4:5]
	global_load_d16_hi_b16 v2, v1, s[4:5] offset:2
	v_mov_b32_e32 v6, 0
	s_waitcnt vmcnt(0)
	global_load_b64 v[4:5], v7, s[6:7]
;FIX	s_waitcnt vmcnt(0)
	global_load_d16_b16 v4, v5, s[4:5]
	s_waitcnt vmcnt(0)
	global_store_b32 v1, v2, s[6:7]
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
