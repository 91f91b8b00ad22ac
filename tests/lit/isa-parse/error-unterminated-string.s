; LLVM's parser never comes back from this line.
; RUN: not %isa-parse %s 2>&1 | FileCheck %s
; CHECK: error-unterminated-string.s:6:21: error: unterminated string constant

	.text
	v_mov_b32 v0, (1~x)"
