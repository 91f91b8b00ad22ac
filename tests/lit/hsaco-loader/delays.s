; Wave 0 stores to LDS, waits and sets a flag in memory; wave 1 waits for the flag. Without the wait
; the plain emulator sees no difference, some order of events does.
; REQUIRES: hsaco-loader
; RUN: sed -e '/; RELEASE$/d' %s > %t.s
; RUN: %hsaco-loader verify --no-lint --against %s %s --launch %S/Inputs/hand-over.json --delays --delay-runs 100 | FileCheck %s --check-prefix=RIGHT
; RUN: %hsaco-loader verify --no-lint --against %s %t.s --launch %S/Inputs/hand-over.json | FileCheck %s --check-prefix=PLAIN
; RUN: sh -c '%hsaco-loader verify --no-lint --against %s %t.s --launch %S/Inputs/hand-over.json --delays=1 --delay-runs 100; echo "exit code $?"' | FileCheck %s --check-prefix=WRONG
; RUN: sh -c '%hsaco-loader verify --no-lint --against %t.s %t.s --launch %S/Inputs/hand-over.json --delays --delay-runs 100 --json; echo "exit code $?"' | FileCheck %s --check-prefix=BOTH
; RUN: %hsaco-loader run %s --launch %S/Inputs/hand-over.json --delays=7 --threads 1 -o %t.one
; RUN: %hsaco-loader run %s --launch %S/Inputs/hand-over.json --delays=7 --threads 3 -o %t.three
; RUN: cmp %t.one %t.three
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/hand-over.json --delays --check=all; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=CHECK-TOO
; RIGHT: the same with delays, seeds 1 to 100
; RIGHT: verified: 1 of 1 cases
; PLAIN-NOT: with delays
; PLAIN: verified: 1 of 1 cases
; WRONG: FAILED, though 64 elements are bit-exact
; WRONG: with delays, seed {{[0-9]+}} (the first of {{[0-9]+}} among 100): arg1: {{[0-9]+}} of 64 elements differ
; WRONG-NOT: the original's own result
; WRONG: exit code 2
; BOTH: "first_different_seed": {{[0-9]+}}
; BOTH: "original_differs": true
; BOTH: exit code 2
; CHECK-TOO: a run with delayed memory operations cannot be checked or traced as well
; CHECK-TOO: exit code 1

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.protected k
	.globl k
	.p2align 8
	.type k,@function
k:
	s_load_b128 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v1, 31, v0
	v_lshlrev_b32_e32 v1, 2, v1
	v_lshrrev_b32_e32 v2, 5, v0
	v_readfirstlane_b32 s8, v2
	v_dual_mov_b32 v3, 0 :: v_dual_mov_b32 v4, 1
	s_lshl_b32 s9, s2, 7
	ds_store_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_u32 s4, s4, s9
	s_addc_u32 s5, s5, 0
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lpoll
	v_add_nc_u32_e32 v5, 7, v1
	ds_store_b32 v1, v5
	s_waitcnt lgkmcnt(0) ; RELEASE
	global_store_b32 v3, v4, s[4:5]
	s_endpgm
.Lpoll:
	global_load_b32 v6, v3, s[4:5]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s10, v6
	s_cmp_eq_u32 s10, 0
	s_cbranch_scc1 .Lpoll
	ds_load_b32 v7, v1
	v_add_nc_u32_e32 v1, s9, v1
	s_waitcnt lgkmcnt(0)
	global_store_b32 v1, v7, s[6:7]
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 32
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_workgroup_id_x 1
	.amdhsa_kernarg_size 16
	.amdhsa_group_segment_fixed_size 256
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
