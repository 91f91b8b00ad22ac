; A count is as high as the next use allows, each counter for itself.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; SCORE: k: 3 waits -> 3, 2 of them changed, proven
; CHECK: ds_load_b32
; CHECK-NEXT: s_waitcnt vmcnt(1){{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v4, v1, v1
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v4, v4, v3
; CHECK-NEXT: s_waitcnt vmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v1, v[10:11], off
	global_load_b32 v2, v[10:11], off offset:4
	ds_load_b32 v3, v0
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_nc_u32_e32 v4, v1, v1
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_nc_u32_e32 v4, v4, v3
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v4, v4, v2
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
