; How many VALU instructions ago; a VOPD is one. Who comes later need not wait again.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; SCORE: k: 1 s_delay_alu set, 0 removed, proven
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: v_dual_add_f32 v4, v5, v6 :: v_dual_mul_f32 v7, v8, v9{{$}}
; CHECK-NEXT: v_mov_b32_e32 v10, v11{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_3){{$}}
; CHECK-NEXT: v_add_f32_e32 v12, v1, v1{{$}}
; CHECK-NEXT: v_add_f32_e32 v13, v1, v11{{$}}
; CHECK-NEXT: v_mov_b32_e32 v14, v11{{$}}
; CHECK-NEXT: v_mov_b32_e32 v15, v11{{$}}
; CHECK-NEXT: v_mov_b32_e32 v16, v11{{$}}
; CHECK-NEXT: v_add_f32_e32 v17, v12, v12{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_dual_add_f32 v4, v5, v6 :: v_dual_mul_f32 v7, v8, v9
	v_mov_b32_e32 v10, v11
	v_add_f32_e32 v12, v1, v1
	v_add_f32_e32 v13, v1, v11
	v_mov_b32_e32 v14, v11
	v_mov_b32_e32 v15, v11
	v_mov_b32_e32 v16, v11
	v_add_f32_e32 v17, v12, v12
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
