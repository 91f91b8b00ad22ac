; Offsets that are too far for multiples of 4 may fit as multiples of 256.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 4 LDS stores -> 2, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: ds_store_2addr_stride64_b32 v0, v1, v2 offset1:8{{$}}
; CHECK-NEXT: ; the farthest{{$}}
; CHECK-NEXT: ds_store_2addr_stride64_b32 v0, v3, v4 offset0:255 offset1:1{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:2048
	ds_store_b32 v0, v3 offset:65280 ; the farthest
	ds_store_b32 v0, v4 offset:256
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
