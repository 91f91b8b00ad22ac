; A macro's lines stay as they are; the places beside them get theirs.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=ERR %s < %t.err
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; ERR: macro.s:[[#]]:1: remark: no s_delay_alu is set here
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: sums v5{{$}}
; CHECK-NEXT: v_mov_b32_e32 v9, v8{{$}}

	.macro	sums r
	v_add_f32_e32 \r, v4, v4
	s_delay_alu instid0(VALU_DEP_4)
	v_add_f32_e32 v8, \r, \r
	.endm
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_add_f32_e32 v4, v1, v1
	sums v5
	v_mov_b32_e32 v9, v8
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
