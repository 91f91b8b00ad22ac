; What is in flight where paths meet is the worst of all paths: the value of v1 comes from the iteration
; before as well.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: s_mov_b32 s4, 8{{$}}
; CHECK-NEXT: v_mov_b32_e32 v1, 0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v9, 0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v10, 0{{$}}
; CHECK-NEXT: .Lloop:{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v2, v1, v3{{$}}
; CHECK-NEXT: s_add_i32 s4, s4, -1{{$}}
; CHECK-NEXT: v_mov_b32_e32 v8, v3{{$}}
; CHECK-NEXT: s_cmp_lg_u32 s4, 0{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v8, v3{{$}}
; CHECK-NEXT: v_mov_b32_e32 v7, v3{{$}}
; CHECK-NEXT: s_cbranch_scc1 .Lloop{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s4, 8
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
.Lloop:
	v_add_f32_e32 v2, v1, v3
	s_add_i32 s4, s4, -1
	v_mov_b32_e32 v8, v3
	s_cmp_lg_u32 s4, 0
	v_add_f32_e32 v1, v8, v3
	v_mov_b32_e32 v7, v3
	s_cbranch_scc1 .Lloop
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
