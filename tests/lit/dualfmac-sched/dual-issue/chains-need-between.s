; A step that needs something which is only made between the two stays behind it, and with it the
; rest of its chain.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; CHECK: v_dual_fmac_f32 v20, s4, v4 :: v_dual_fmac_f32 v21, s4, v5
; CHECK-NEXT: v_fmac_f32_e32 v20, s5, v6
; CHECK-NEXT: v_fmac_f32_e32 v20, s6, v8
; CHECK-NEXT: global_store_b32 v[12:13], v20, off
; CHECK-NEXT: v_sqrt_f32_e32 v7, v7
; CHECK: v_fmac_f32_e32 v21, s5, v7
; CHECK-NEXT: v_fmac_f32_e32 v21, s6, v9

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v20, s4, v4
	v_fmac_f32_e32 v20, s5, v6
	v_fmac_f32_e32 v20, s6, v8
	global_store_b32 v[12:13], v20, off
	v_sqrt_f32_e32 v7, v7
	v_fmac_f32_e32 v21, s4, v5
	s_waitcnt_depctr 0xfff
	v_fmac_f32_e32 v21, s5, v7
	v_fmac_f32_e32 v21, s6, v9
	global_store_b32 v[12:13], v21, off offset:4
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
