; The first loads are looked at and waited for: they may be an acquire, which later loads stand behind.
; RUN: %dualfmac-sched rewrite --fragments --score %s | grep -v "^; [A-Z]" | FileCheck %s
; CHECK: {{^}}.Lloop:
; CHECK-NEXT: ds_load_b32 v10, v8
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: v_cmp_eq_u32_e32 vcc_lo, 1, v10
; CHECK-NEXT: ds_load_b64

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
.Lloop:
	ds_load_b32 v10, v8
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u32_e32 vcc_lo, 1, v10
	v_dual_fmac_f32 v20, v14, v16 :: v_dual_fmac_f32 v21, v15, v17
	v_dual_fmac_f32 v22, v14, v16 :: v_dual_fmac_f32 v23, v15, v17
	v_dual_fmac_f32 v24, v14, v16 :: v_dual_fmac_f32 v25, v15, v17
	v_dual_fmac_f32 v26, v14, v16 :: v_dual_fmac_f32 v27, v15, v17
	v_dual_fmac_f32 v28, v14, v16 :: v_dual_fmac_f32 v29, v15, v17
	v_dual_fmac_f32 v30, v14, v16 :: v_dual_fmac_f32 v31, v15, v17
	v_dual_fmac_f32 v32, v14, v16 :: v_dual_fmac_f32 v33, v15, v17
	v_dual_fmac_f32 v34, v14, v16 :: v_dual_fmac_f32 v35, v15, v17
	v_dual_fmac_f32 v20, v14, v16 :: v_dual_fmac_f32 v21, v15, v17
	v_dual_fmac_f32 v22, v14, v16 :: v_dual_fmac_f32 v23, v15, v17
	v_dual_fmac_f32 v24, v14, v16 :: v_dual_fmac_f32 v25, v15, v17
	v_dual_fmac_f32 v26, v14, v16 :: v_dual_fmac_f32 v27, v15, v17
	v_dual_fmac_f32 v28, v14, v16 :: v_dual_fmac_f32 v29, v15, v17
	v_dual_fmac_f32 v30, v14, v16 :: v_dual_fmac_f32 v31, v15, v17
	v_dual_fmac_f32 v32, v14, v16 :: v_dual_fmac_f32 v33, v15, v17
	v_dual_fmac_f32 v34, v14, v16 :: v_dual_fmac_f32 v35, v15, v17
	ds_load_b64 v[10:11], v8 offset:16
	ds_load_b64 v[12:13], v9 offset:16
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v20, v10, v12 :: v_dual_fmac_f32 v21, v11, v13
	v_dual_fmac_f32 v22, v10, v12 :: v_dual_fmac_f32 v23, v11, v13
	v_dual_fmac_f32 v24, v10, v12 :: v_dual_fmac_f32 v25, v11, v13
	v_dual_fmac_f32 v26, v10, v12 :: v_dual_fmac_f32 v27, v11, v13
	v_dual_fmac_f32 v28, v10, v12 :: v_dual_fmac_f32 v29, v11, v13
	v_dual_fmac_f32 v30, v10, v12 :: v_dual_fmac_f32 v31, v11, v13
	v_dual_fmac_f32 v32, v10, v12 :: v_dual_fmac_f32 v33, v11, v13
	v_dual_fmac_f32 v34, v10, v12 :: v_dual_fmac_f32 v35, v11, v13
	v_dual_fmac_f32 v20, v10, v12 :: v_dual_fmac_f32 v21, v11, v13
	v_dual_fmac_f32 v22, v10, v12 :: v_dual_fmac_f32 v23, v11, v13
	v_dual_fmac_f32 v24, v10, v12 :: v_dual_fmac_f32 v25, v11, v13
	v_dual_fmac_f32 v26, v10, v12 :: v_dual_fmac_f32 v27, v11, v13
	v_dual_fmac_f32 v28, v10, v12 :: v_dual_fmac_f32 v29, v11, v13
	v_dual_fmac_f32 v30, v10, v12 :: v_dual_fmac_f32 v31, v11, v13
	v_dual_fmac_f32 v32, v10, v12 :: v_dual_fmac_f32 v33, v11, v13
	v_dual_fmac_f32 v34, v10, v12 :: v_dual_fmac_f32 v35, v11, v13
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
