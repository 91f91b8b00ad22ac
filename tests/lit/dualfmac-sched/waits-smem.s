; Scalar loads come back in any order: while one is in flight, 0 is the only count. Once it has come
; back, LDS loads have their order.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; CHECK: s_load_b32
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: v_mov_b32_e32 v4, v1
; CHECK-NEXT: v_add_nc_u32_e32 v4, s4, v2
; CHECK: s_waitcnt lgkmcnt(1)
; CHECK-NEXT: v_mov_b32_e32 v5, v1
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: v_mov_b32_e32 v6, v2

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_load_b32 s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v4, v1
	s_waitcnt lgkmcnt(0)
	v_add_nc_u32_e32 v4, s4, v2
	ds_load_b32 v1, v0 offset:8
	ds_load_b32 v2, v0 offset:12
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v5, v1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v6, v2
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
