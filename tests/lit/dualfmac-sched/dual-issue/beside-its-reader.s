; What reads an FMAC's result does not come up beside it: both halves would read what was before.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: not grep 'taken back' %t.err
; CHECK: v_fmac_f32_e32 v8, v13, v14
; CHECK-NEXT: ds_store_b32 v20, v8
; CHECK-NEXT: v_dual_fmac_f32 v9, v8, v15 :: v_dual_fmac_f32 v30, v5, v6

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v8, v13, v14
	ds_store_b32 v20, v8
	v_fmac_f32_e32 v9, v8, v15
	v_fmac_f32_e32 v30, v5, v6
	global_store_b32 v[10:11], v9, off
	global_store_b32 v[10:11], v30, off offset:4
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
