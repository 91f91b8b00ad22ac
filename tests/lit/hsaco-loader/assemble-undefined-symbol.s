; An undefined symbol is an error of the link, and no output is left behind.
; RUN: rm -f %t.hsaco
; RUN: not %hsaco-loader assemble %s -o %t.hsaco 2>&1 | FileCheck %s
; RUN: test ! -e %t.hsaco
; CHECK: error: {{.*}}nowhere
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl f
	.type f,@function
f:
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, nowhere@rel32@lo+4
	s_addc_u32 s1, s1, nowhere@rel32@hi+12
	s_setpc_b64 s[0:1]
