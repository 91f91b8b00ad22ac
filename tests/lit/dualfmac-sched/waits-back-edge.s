; What is in flight at a loop's start is what both ways in leave: here two loads, of which the first
; is needed first.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; CHECK: .Lloop:
; CHECK-NEXT: s_waitcnt vmcnt(1)
; CHECK-NEXT: v_add_f32_e32 v4, v4, v1
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_add_f32_e32 v4, v4, v2
; CHECK: .Lshort:
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_add_f32_e32 v4, v4, v1

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
	global_load_b32 v1, v[10:11], off
	global_load_b32 v2, v[10:11], off offset:4
.Lloop:
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, v4, v1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, v4, v2
	global_load_b32 v1, v[10:11], off
	global_load_b32 v2, v[10:11], off offset:4
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
.Lshort:                                ; the back edge has one load only
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, v4, v1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, v4, v2
	global_load_b32 v1, v[10:11], off
	s_add_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 16
	s_cbranch_scc1 .Lshort
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
