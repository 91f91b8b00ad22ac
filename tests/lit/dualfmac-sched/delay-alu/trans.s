; Results of transcendental instructions are counted on their own; a VALU result that is older
; than they are is there when they are.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: v_rcp_f32_e32 v1, v2{{$}}
; CHECK-NEXT: v_mov_b32_e32 v3, v4{{$}}
; CHECK-NEXT: s_delay_alu instid0(TRANS32_DEP_1) | instskip(SKIP_3) | instid1(TRANS32_DEP_2){{$}}
; CHECK-NEXT: v_add_f32_e32 v5, v1, v1{{$}}
; CHECK-NEXT: v_mov_b32_e32 v6, v4{{$}}
; CHECK-NEXT: v_exp_f32_e32 v7, v2{{$}}
; CHECK-NEXT: v_log_f32_e32 v8, v2{{$}}
; CHECK-NEXT: v_add_f32_e32 v9, v6, v7{{$}}
; CHECK-NEXT: v_sqrt_f32_e32 v10, v2{{$}}
; CHECK-NEXT: v_mov_b32_e32 v11, v4{{$}}
; CHECK-NEXT: s_delay_alu instid0(TRANS32_DEP_1) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v12, v10, v11{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_rcp_f32_e32 v1, v2
	v_mov_b32_e32 v3, v4
	v_add_f32_e32 v5, v1, v1
	v_mov_b32_e32 v6, v4
	v_exp_f32_e32 v7, v2
	v_log_f32_e32 v8, v2
	v_add_f32_e32 v9, v6, v7
	v_sqrt_f32_e32 v10, v2
	v_mov_b32_e32 v11, v4
	v_add_f32_e32 v12, v10, v11
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
