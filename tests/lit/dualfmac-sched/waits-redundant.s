; Waits for what has come back are gone; comments and labels of their lines are not.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; SCORE: k: 4 waits -> 1, 0 of them changed, proven
; CHECK: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_add_nc_u32_e32 v4, v1, v1
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v1
; CHECK-NEXT: {{^}}	; said twice
; CHECK-NEXT: .Lhere:{{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v4
; CHECK-NEXT: global_store_b32

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v1, v[10:11], off
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v1, v1
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v4, v1
	s_waitcnt vmcnt(0) ; said twice
.Lhere:	s_waitcnt vmcnt(3)
	v_add_nc_u32_e32 v4, v4, v4
	global_store_b32 v[10:11], v4, off
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
