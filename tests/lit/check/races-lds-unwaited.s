; There is a barrier, but the store may still be in flight when its wave passes it.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=all --param B=64; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=all --param B=64
; CHECK: warning: 'ds_load_b32 v3, v2': reads LDS byte 0 while wave 0 writes it in the same barrier interval [races: lds-race]
; CHECK: note: fix: s_waitcnt lgkmcnt(0) before the s_barrier between the two
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
	ds_store_b32 v1, v1
;FIX	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32_e32 v2, 0x80, v1
	ds_load_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	global_store_b32 v1, v3, s[6:7]
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 32
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_kernarg_size 16
	.amdhsa_group_segment_fixed_size 256
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
