; A sum that begins with `x * y + 0` and a sum with a factor of 2.0 are FMAAK and FMAMK, which VOPD
; has: two of them with the same constant, or one with any other half.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: v_dual_fmaak_f32 {{.*}}, 0x0 :: v_dual_fmaak_f32 {{.*}}, 0x0
; CHECK-NOT: v_fma_f32
; CHECK: v_dual_fmamk_f32 {{.*}}, 0x40000000, {{.*}} :: v_dual_fmamk_f32
; CHECK-NOT: v_fma_f32
; CHECK: s_endpgm

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v12, 5, v0
	s_waitcnt lgkmcnt(0)
	global_load_b128 v[4:7], v12, s[0:1]
	global_load_b128 v[8:11], v12, s[0:1] offset:16
	s_waitcnt vmcnt(0)
	v_fma_f32 v14, v4, v10, 0
	v_fma_f32 v17, v5, v11, 0
	v_fma_f32 v18, v6, 2.0, v8
	v_fma_f32 v19, v7, 2.0, v9
	v_fmac_f32_e32 v14, v6, v8
	v_fmac_f32_e32 v17, v7, v9
	v_fmac_f32_e32 v8, v18, v14
	v_fmac_f32_e32 v9, v19, v17
	global_store_b64 v12, v[8:9], s[0:1]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
