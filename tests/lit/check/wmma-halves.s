; A is loaded with the number of the lane, so that its halves differ: the emulator, which looks at
; the lower half alone, computes what a GPU does not. With lane & 15 nothing is reported.
; REQUIRES: hsaco-loader
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=all; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sed -e 's/^;FIX//' -e '/; BAD$/d' %s > %t.s
; RUN: %hsaco-loader run %t.s --launch %S/Inputs/launch.json --check=all
; RUN: %hsaco-loader run %s --launch %S/Inputs/launch.json --check=waits,hazards
; CHECK: [[@LINE+27]]:1: warning: 'v_wmma_f32_16x16x16_f16 v[24:31], v[8:15], v[16:23], v[24:31]': v8 of the factor v[8:15] is 0x{{[0-9a-f]+}} in lane 0 and 0x{{[0-9a-f]+}} in lane 16: the upper half of the lanes must repeat the lower one [wmma: halves-differ]
; CHECK: note: kernel k, workgroup (0, 0, 0), wave 0, lane 16
; CHECK: fix: load the factor with lane & 15
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
	v_and_b32_e32 v2, 15, v0
	v_lshlrev_b32_e32 v1, 5, v0 ; BAD
;FIX	v_lshlrev_b32_e32 v1, 5, v2
	v_lshlrev_b32_e32 v2, 5, v2
	s_waitcnt lgkmcnt(0)
	global_load_b128 v[8:11], v1, s[4:5]
	global_load_b128 v[12:15], v1, s[4:5] offset:16
	global_load_b128 v[16:19], v2, s[4:5] offset:1024
	global_load_b128 v[20:23], v2, s[4:5] offset:1040
	global_load_b128 v[24:27], v2, s[4:5] offset:2048
	global_load_b128 v[28:31], v2, s[4:5] offset:2064
	s_waitcnt vmcnt(0)
	v_wmma_f32_16x16x16_f16 v[24:31], v[8:15], v[16:23], v[24:31]
	v_lshlrev_b32_e32 v1, 5, v0
	global_store_b128 v1, v[24:27], s[6:7]
	global_store_b128 v1, v[28:31], s[6:7] offset:16
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
