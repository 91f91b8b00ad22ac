; Addresses that differ by a constant, whatever register they are in.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 4 LDS stores -> 2, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v0, v1, v2 offset1:128{{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v0, 0x200, v0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v5, v0{{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v6, 4, v5{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v5, v3, v4 offset1:1{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b32 v0, v1
	v_add_nc_u32_e32 v0, 0x200, v0
	ds_store_b32 v0, v2
	v_mov_b32_e32 v5, v0
	v_add_nc_u32_e32 v6, 4, v5
	ds_store_b32 v5, v3
	ds_store_b32 v6, v4
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
