; RUN: %isa-parse --roundtrip %s | FileCheck %s
; CHECK: 4 instructions printed anew, {{[0-9]+}} bytes of code are the same (5 more come out of macros, which are kept)

	.macro two a, b
	v_mov_b32 v\a, v\b
	v_mov_b32 v\b, 0x40
	.endm
	two 1, 2
	.rept 3
	s_nop 1
	.endr
	.if 0
	s_nop 2
	.else
	s_nop 3
	.endif
	.set K, 5
	v_mov_b32 v3, K
1:	s_nop 0
	s_branch 1b
