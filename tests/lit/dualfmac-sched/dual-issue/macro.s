; An invocation is written out where its code changes and stays where it does not.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: .endm
; CHECK: .endm
; CHECK-NEXT: v_dual_fmac_f32 v20, v4, v6 :: v_dual_fmac_f32 v21, v5, v7
; CHECK-NEXT: {{^}} keep
; CHECK-NEXT: s_mov_b32 exec_lo, s4
; CHECK-NEXT: {{^}} keep

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
.macro mac a, b
	v_fmac_f32 v20, v\a, v\b // row 0
	v_fmac_f32 v21, v5, v7
.endm
.macro keep
	s_nop 1
	v_fmac_f32 v20, v20, v20
.endm
	mac 4, 6
	keep
	s_mov_b32 exec_lo, s4
	keep
	global_store_b32 v[10:11], v20, off
	global_store_b32 v[10:11], v21, off offset:4
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
