; Double precision takes longer than four VALU instructions can tell.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f64 v[2:3], v[4:5], v[6:7]{{$}}
; CHECK-NEXT: v_mov_b32_e32 v20, v0{{$}}
; CHECK-NEXT: s_nop 3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_2){{$}}
; CHECK-NEXT: v_mov_b32_e32 v21, v2{{$}}
; CHECK-NEXT: v_mov_b32_e32 v22, v0{{$}}
; CHECK-NEXT: s_nop 3{{$}}
; CHECK-NEXT: v_mov_b32_e32 v23, v21{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f64 v[2:3], v[4:5], v[6:7]
	v_mov_b32_e32 v20, v0
	s_nop 3
	v_mov_b32_e32 v21, v2
	v_mov_b32_e32 v22, v0
	s_nop 3
	v_mov_b32_e32 v23, v21
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
