; RUN: not %isa-parse %s > %t.out 2> %t.err
; RUN: FileCheck %s < %t.err
; RUN: not grep . %t.out
; CHECK: error: no kernel in the input

	.text
	s_nop 0
