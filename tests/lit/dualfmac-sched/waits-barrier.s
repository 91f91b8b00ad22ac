; What a wait before a barrier waits for is told to other waves, used here or not. Behind the barrier
; nothing is left to wait for.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; CHECK: s_waitcnt vmcnt(0) lgkmcnt(0)
; CHECK-NEXT: s_barrier
; CHECK-NEXT: v_mov_b32_e32 v2, v1

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v1, v[10:11], off
	ds_store_b32 v0, v4
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_mov_b32_e32 v2, v1
	global_store_b32 v[10:11], v2, off
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
