; s_delay_alu counts instructions: fewer are skipped where a wait is gone.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; CHECK: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v4
; CHECK-NEXT: v_add_nc_u32_e32 v5, v5, v5
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v5
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instid1(VALU_DEP_2)
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v4
; CHECK-NEXT: v_mov_b32_e32 v6, v1
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instid1(VALU_DEP_1)
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v4
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v1, v[10:11], off
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v6, v1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_add_nc_u32_e32 v4, v4, v4
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v5, v5, v5
	v_add_nc_u32_e32 v4, v4, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v4, v4
	v_mov_b32_e32 v6, v1
	s_delay_alu 0x91
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v4, v4
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_nc_u32_e32 v4, v4, v4
	v_add_nc_u32_e32 v5, v5, v5
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v5, v5, v5
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
