; Two pairs with a hazard, whose halves would find no partners without it, stay; others become pairs beside them.
; RUN: %dualfmac-sched rewrite --dual-issue --region=.Lloop %s -o %t.s --score 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: grep -v '^;' %t.s | FileCheck %s
; SCORE: VALU 5 -> 4, single FMACs 2 -> 0, conflicts 4 -> 4, hazards 2 -> 2
; SCORE: proven
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v0, 0
.Lloop:
	v_dual_fmac_f32 v0, v8, v18 :: v_dual_fmac_f32 v1, v10, v16
	v_dual_fmac_f32 v2, v12, v22 :: v_dual_fmac_f32 v3, v14, v20
	v_fmac_f32_e32 v4, v9, v11
	v_fmac_f32_e32 v5, v24, v26
	s_add_i32 s0, s0, 1
	s_cmp_lg_u32 s0, s1
	s_cbranch_scc1 .Lloop
	global_store_b128 v30, v[0:3], s[4:5]
	global_store_b64 v30, v[4:5], s[4:5] offset:16
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
; CHECK: .Lloop:
; CHECK: v_dual_fmac_f32 v0, v8, v18 :: v_dual_fmac_f32 v1, v10, v16
; CHECK: v_dual_fmac_f32 v2, v12, v22 :: v_dual_fmac_f32 v3, v14, v20
; CHECK: v_dual_fmac_f32 v4, {{.*}} :: v_dual_fmac_f32 v5,
; CHECK: s_cbranch_scc1
