; Stores of two registers: multiples of 8, or of 512.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 4 LDS stores -> 2, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: ds_store_2addr_b64 v0, v[2:3], v[4:5] offset0:1 offset1:255{{$}}
; CHECK-NEXT: ds_store_2addr_stride64_b64 v0, v[6:7], v[8:9] offset1:5{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b64 v0, v[2:3] offset:8
	ds_store_b64 v0, v[4:5] offset:2040
	ds_store_b64 v0, v[6:7]
	ds_store_b64 v0, v[8:9] offset:2560
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
