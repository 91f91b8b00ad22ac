; A kernel whose rewrite assumed no-index-wrap says so below its label, and its code object in the
; section .rdna.assume: `all` includes the check then, and verify makes it by itself, of both
; kernels. Here results agree by chance: tid * 2^32 bytes are no bytes at all.
; REQUIRES: hsaco-loader
; RUN: sed -e '/rdna-assume/d' %s > %t.silent.s
; RUN: sed -e 's/30, v0/3, v0/' %s > %t.good.s
; RUN: %hsaco-loader assemble %s -o %t.hsaco
; RUN: sh -c '%hsaco-loader run %s --launch %S/Inputs/launch.json --check=all; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefixes=LINE,CHECK
; RUN: sh -c '%hsaco-loader run %t.hsaco --launch %S/Inputs/launch.json --check=all; echo "exit code $?"' 2>&1 | FileCheck %s
; RUN: sh -c '%hsaco-loader verify --no-lint --against %t.silent.s %s --launch %S/Inputs/launch.json; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefixes=VERIFY,CHECK
; RUN: sh -c '%hsaco-loader verify --no-lint --against %t.silent.s %t.hsaco --launch %S/Inputs/launch.json; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefixes=VERIFY,CHECK
; RUN: %hsaco-loader run %t.silent.s --launch %S/Inputs/launch.json --check=all
; RUN: %hsaco-loader verify --no-lint --against %s %t.silent.s --launch %S/Inputs/launch.json
; RUN: sed -e 's/rdna-assume: no-index-wrap/rdna-given: workitem_id_x <= 3/' %s > %t.given.s
; RUN: sh -c '%hsaco-loader verify --no-lint --against %t.silent.s %t.given.s --launch %S/Inputs/launch.json; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=GIVEN
; GIVEN: 'global_load_b32 v5, v4, s[4:5]': the 32-bit offset is 0, but 4294967296 without wrapping
; RUN: sh -c '%hsaco-loader verify --no-lint --against %t.silent.s %t.good.s --launch %S/Inputs/launch.json; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefix=ORIGINAL
; LINE: index-wrap-declared.s:41:1: warning: 'global_load_b32 v5, v4, s[4:5]': the 32-bit
; VERIFY: the original, line {{[0-9]+}} 'global_load_b32 v5, v4, s[4:5]': the 32-bit offset is 0, but 4294967296 without wrapping; the rewrite assumed no-index-wrap
; CHECK: offset is 0, but 4294967296 without wrapping [index-wrap: wrapped-index]
; CHECK: exit code 2
; ORIGINAL: the original, line {{[0-9]+}} 'global_load_b32 v5, v4, s[4:5]'
; ORIGINAL-NOT: [index-wrap
; ORIGINAL: exit code 2

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.protected k
	.globl k
	.p2align 8
	.type k,@function
k:
; rdna-assume: no-index-wrap
	s_load_b128 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v4, 30, v0
	v_lshlrev_b32_e32 v4, 2, v4
	global_load_b32 v5, v4, s[4:5]
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v5, 1.0
	global_store_b32 v1, v5, s[6:7]
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
