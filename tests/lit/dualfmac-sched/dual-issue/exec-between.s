; Nothing goes past a write of EXEC.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: k:
; CHECK-NEXT: v_fmac_f32_e32 v20, v4, v6
; CHECK-NEXT: s_mov_b32 exec_lo, s4
; CHECK-NEXT: v_fmac_f32_e32 v21, v5, v7

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v20, v4, v6
	s_mov_b32 exec_lo, s4
	v_fmac_f32_e32 v21, v5, v7
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
