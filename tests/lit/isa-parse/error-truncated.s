; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: 

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fm
