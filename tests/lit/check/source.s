; --check=source leaves out what instructions get wrong; a clean run says that it looked.
; REQUIRES: hsaco-loader
; RUN: %hsaco-loader run %s --launch %S/Inputs/launch.json --check=source | FileCheck %s
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=source,hazards; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=BOTH
; CHECK: --check: 0 findings
; BOTH: [hazards: vopd-parity]
; BOTH: exit code 2

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
	v_dual_mov_b32 v2, 0 :: v_dual_mov_b32 v3, 0
	v_dual_mov_b32 v4, v0 :: v_dual_mov_b32 v5, v2
	v_dual_mov_b32 v4, v0 :: v_dual_mov_b32 v5, v3
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
