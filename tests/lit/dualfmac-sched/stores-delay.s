; s_delay_alu counts instructions: those of a block that changes go.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --merge-stores %t.s | cmp - %t.s
; SCORE: k: 2 LDS stores -> 1, proven
; CHECK: {{^}}k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v4, v5{{$}}
; CHECK-NEXT: ds_store_2addr_b32 v0, v1, v2 offset1:1{{$}}
; CHECK-NEXT: v_add_f32_e32 v6, v1, v1{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v4, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	v_add_f32_e32 v6, v1, v1
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
