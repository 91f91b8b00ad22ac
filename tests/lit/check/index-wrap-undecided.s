; An index that wraps in a workgroup that is in no corner of the grid. Where bounds cannot say
; anything of an access, verify looks at all of them: here a factor of 2^31, of which neither sign is
; meant, and with the second command a FLAT load, of whose address nothing is ever assumed.
; REQUIRES: hsaco-loader
; DEFINE: %{verify} = %hsaco-loader verify --no-lint --launch %S/Inputs/launch.json --param G=6 --against
; RUN: sed -e '/rdna-assume/d' %s > %t.was.s
; RUN: sh -c '%{verify} %t.was.s %s; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefixes=UNCLEAR,CHECK
; RUN: sed -e 's/s_mul_i32 .*/s_mov_b32 s12, 0/' %s > %t.good.s
; RUN: sed -e '/rdna-assume/d' %t.good.s > %t.good.was.s
; RUN: %{verify} %t.good.was.s %t.good.s 2>&1 | FileCheck %s --check-prefix=GOOD
; RUN: sed -e 's/s_mul_i32 .*/v_lshlrev_b32_e32 v4, 30, v0/' -e 's/v_add_nc_u32_e32 .*/v_lshlrev_b32_e32 v4, 2, v4/' -e 's/; flat: //' -e '/global_load/d' %s > %t.flat.s
; RUN: sed -e '/rdna-assume/d' %t.flat.s > %t.flat.was.s
; RUN: sh -c '%{verify} %t.flat.was.s %t.flat.s; echo "exit code $?"' 2>&1 | FileCheck %s --check-prefixes=FLAT,CHECK
; UNCLEAR: 'global_load_b32 v5, v4, s[4:5]': the 32-bit offset is {{.*}} without wrapping
; FLAT: 'flat_load_b32 v5, v[4:5]': the address is {{.*}} without wrapping
; CHECK: exit code 2
; GOOD: verified: 1 of 1 cases
; GOOD: corners only

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
	s_waitcnt lgkmcnt(0)
	s_cmp_lg_u32 s2, 2
	s_cbranch_scc1 .Lskip
	s_mul_i32 s12, s2, 0x80000000
	v_add_nc_u32_e32 v4, s12, v1
	; flat: v_add_co_u32 v4, vcc_lo, s4, v4
	; flat: v_mov_b32_e32 v5, s5
	; flat: v_add_co_ci_u32_e64 v5, null, 0, v5, vcc_lo
	; flat: flat_load_b32 v5, v[4:5]
	global_load_b32 v5, v4, s[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
.Lskip:
	v_mov_b32_e32 v5, 1.0
	global_store_b32 v1, v5, s[6:7]
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 32
	.amdhsa_next_free_sgpr 32
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_system_sgpr_workgroup_id_x 1
	.amdhsa_kernarg_size 16
	.amdhsa_group_segment_fixed_size 0
	.amdhsa_float_denorm_mode_32 3
	.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
