; A VOPD falls apart when one half is wanted and the other may wait. What comes up beside the first
; does not pass the second: here that would exchange two steps of one sum.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: not grep 'taken back' %t.err
; CHECK: v_dual_fmac_f32 v19, v13, v17
; CHECK-NEXT: v_fma_mixlo_f16
; CHECK-NEXT: v_fmac_f32_e32 v19, 1.0, v8

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v12, v18, v15 :: v_dual_fmac_f32 v19, v13, v17
	v_fma_mixlo_f16 v14, v15, v12, v12
	v_fmac_f32_e32 v19, 1.0, v8
	v_add_f32_e32 v8, v19, v18
	v_sub_f32_e32 v18, 1.0, v16
	v_add_nc_u32_e32 v19, v9, v19
	global_store_b32 v1, v19, s[0:1] offset:1408
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
