; lgkmcnt counts one where it counted two: the load is still waited for, the last store is not.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 3 LDS stores -> 2, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: ds_load_b32 v3, v4{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v0, v1, v2 offset1:1{{$}}
; CHECK-NEXT: ds_store_b32 v5, v2{{$}}
; CHECK-NEXT: s_waitcnt vmcnt(2) lgkmcnt(2){{$}}
; CHECK-NEXT: v_add_f32_e32 v6, v3, v3{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(1){{$}}
; CHECK-NEXT: v_add_f32_e32 v7, v6, v3{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v3, v4
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	ds_store_b32 v5, v2
	s_waitcnt vmcnt(2) lgkmcnt(3)
	v_add_f32_e32 v6, v3, v3
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v7, v6, v3
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
