; Every chip of RDNA3 is handled with its own room for waves; other families are refused by name.
; RUN: split-file %s %t
; RUN: sed s/CHIP/gfx1103/ %t/in.s | %isa-parse | FileCheck %s --check-prefix=SMALL
; RUN: sed s/CHIP/gfx1101/ %t/in.s | %isa-parse | FileCheck %s --check-prefix=LARGE
; RUN: sed s/CHIP/gfx1151/ %t/in.s | not %isa-parse 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: sed s/CHIP/gfx1201/ %t/in.s | not %isa-parse 2>&1 | FileCheck %s --check-prefix=NEWER

; SMALL: 8 waves per SIMD
; LARGE: 12 waves per SIMD
; OTHER: <stdin>:1:1: error: code for gfx1151 (RDNA3.5); this toolchain handles RDNA3: compile with --offload-arch=gfx1100
; NEWER: error: code for gfx1201 (RDNA4); this toolchain handles RDNA3

;--- in.s
	.amdgcn_target "amdgcn-amd-amdhsa--CHIP"
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32 v119, 0
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 120
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
