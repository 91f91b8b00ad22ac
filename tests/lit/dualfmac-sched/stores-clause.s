; A clause shrinks with its members, and goes with the last but one.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 5 LDS stores -> 3, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: s_clause 0x1{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v0, v1, v2 offset1:1{{$}}
; CHECK-NEXT: ds_store_b32 v5, v3 offset:8{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}
; CHECK-NEXT: s_barrier{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v0, v1, v2 offset1:1{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_clause 0x2
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	ds_store_b32 v5, v3 offset:8
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_clause 0x1
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	s_waitcnt lgkmcnt(0)
	s_barrier
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
