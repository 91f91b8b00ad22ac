; All registers hold something, and more of them would cost a wave.
; RUN: %dualfmac-sched rewrite --fragments --score %s 2> %t.err | cmp - %s
; RUN: FileCheck --check-prefix=SAID %s < %t.err
; SAID: remark: {{.*}}LDS loads are not issued earlier: 4 VGPRs are missing for a second v[10:11], v[12:13]

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v18, 0
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v24, 0
	v_mov_b32_e32 v25, 0
	v_mov_b32_e32 v26, 0
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v28, 0
	v_mov_b32_e32 v29, 0
	v_mov_b32_e32 v30, 0
	v_mov_b32_e32 v31, 0
	v_mov_b32_e32 v32, 0
	v_mov_b32_e32 v33, 0
	v_mov_b32_e32 v34, 0
	v_mov_b32_e32 v35, 0
	v_mov_b32_e32 v36, 0
	v_mov_b32_e32 v37, 0
	v_mov_b32_e32 v38, 0
	v_mov_b32_e32 v39, 0
	v_mov_b32_e32 v40, 0
	v_mov_b32_e32 v41, 0
	v_mov_b32_e32 v42, 0
	v_mov_b32_e32 v43, 0
	v_mov_b32_e32 v44, 0
	v_mov_b32_e32 v45, 0
	v_mov_b32_e32 v46, 0
	v_mov_b32_e32 v47, 0
	v_mov_b32_e32 v48, 0
	v_mov_b32_e32 v49, 0
	v_mov_b32_e32 v50, 0
	v_mov_b32_e32 v51, 0
	v_mov_b32_e32 v52, 0
	v_mov_b32_e32 v53, 0
	v_mov_b32_e32 v54, 0
	v_mov_b32_e32 v55, 0
	v_mov_b32_e32 v56, 0
	v_mov_b32_e32 v57, 0
	v_mov_b32_e32 v58, 0
	v_mov_b32_e32 v59, 0
	v_mov_b32_e32 v60, 0
	v_mov_b32_e32 v61, 0
	v_mov_b32_e32 v62, 0
	v_mov_b32_e32 v63, 0
	v_mov_b32_e32 v64, 0
	v_mov_b32_e32 v65, 0
	v_mov_b32_e32 v66, 0
	v_mov_b32_e32 v67, 0
	v_mov_b32_e32 v68, 0
	v_mov_b32_e32 v69, 0
	v_mov_b32_e32 v70, 0
	v_mov_b32_e32 v71, 0
	v_mov_b32_e32 v72, 0
	v_mov_b32_e32 v73, 0
	v_mov_b32_e32 v74, 0
	v_mov_b32_e32 v75, 0
	v_mov_b32_e32 v76, 0
	v_mov_b32_e32 v77, 0
	v_mov_b32_e32 v78, 0
	v_mov_b32_e32 v79, 0
	v_mov_b32_e32 v80, 0
	v_mov_b32_e32 v81, 0
	v_mov_b32_e32 v82, 0
	v_mov_b32_e32 v83, 0
	v_mov_b32_e32 v84, 0
	v_mov_b32_e32 v85, 0
	v_mov_b32_e32 v86, 0
	v_mov_b32_e32 v87, 0
	v_mov_b32_e32 v88, 0
	v_mov_b32_e32 v89, 0
	v_mov_b32_e32 v90, 0
	v_mov_b32_e32 v91, 0
	v_mov_b32_e32 v92, 0
	v_mov_b32_e32 v93, 0
	v_mov_b32_e32 v94, 0
	v_mov_b32_e32 v95, 0
.Lloop:
	ds_load_b64 v[10:11], v8 offset:0
	ds_load_b64 v[12:13], v9 offset:0
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
	global_store_b32 v0, v1, s[6:7]
	global_store_b32 v0, v2, s[6:7]
	global_store_b32 v0, v3, s[6:7]
	global_store_b32 v0, v4, s[6:7]
	global_store_b32 v0, v5, s[6:7]
	global_store_b32 v0, v6, s[6:7]
	global_store_b32 v0, v7, s[6:7]
	global_store_b32 v0, v8, s[6:7]
	global_store_b32 v0, v9, s[6:7]
	global_store_b32 v0, v14, s[6:7]
	global_store_b32 v0, v15, s[6:7]
	global_store_b32 v0, v16, s[6:7]
	global_store_b32 v0, v17, s[6:7]
	global_store_b32 v0, v18, s[6:7]
	global_store_b32 v0, v19, s[6:7]
	global_store_b32 v0, v20, s[6:7]
	global_store_b32 v0, v21, s[6:7]
	global_store_b32 v0, v22, s[6:7]
	global_store_b32 v0, v23, s[6:7]
	global_store_b32 v0, v24, s[6:7]
	global_store_b32 v0, v25, s[6:7]
	global_store_b32 v0, v26, s[6:7]
	global_store_b32 v0, v27, s[6:7]
	global_store_b32 v0, v28, s[6:7]
	global_store_b32 v0, v29, s[6:7]
	global_store_b32 v0, v30, s[6:7]
	global_store_b32 v0, v31, s[6:7]
	global_store_b32 v0, v32, s[6:7]
	global_store_b32 v0, v33, s[6:7]
	global_store_b32 v0, v34, s[6:7]
	global_store_b32 v0, v35, s[6:7]
	global_store_b32 v0, v36, s[6:7]
	global_store_b32 v0, v37, s[6:7]
	global_store_b32 v0, v38, s[6:7]
	global_store_b32 v0, v39, s[6:7]
	global_store_b32 v0, v40, s[6:7]
	global_store_b32 v0, v41, s[6:7]
	global_store_b32 v0, v42, s[6:7]
	global_store_b32 v0, v43, s[6:7]
	global_store_b32 v0, v44, s[6:7]
	global_store_b32 v0, v45, s[6:7]
	global_store_b32 v0, v46, s[6:7]
	global_store_b32 v0, v47, s[6:7]
	global_store_b32 v0, v48, s[6:7]
	global_store_b32 v0, v49, s[6:7]
	global_store_b32 v0, v50, s[6:7]
	global_store_b32 v0, v51, s[6:7]
	global_store_b32 v0, v52, s[6:7]
	global_store_b32 v0, v53, s[6:7]
	global_store_b32 v0, v54, s[6:7]
	global_store_b32 v0, v55, s[6:7]
	global_store_b32 v0, v56, s[6:7]
	global_store_b32 v0, v57, s[6:7]
	global_store_b32 v0, v58, s[6:7]
	global_store_b32 v0, v59, s[6:7]
	global_store_b32 v0, v60, s[6:7]
	global_store_b32 v0, v61, s[6:7]
	global_store_b32 v0, v62, s[6:7]
	global_store_b32 v0, v63, s[6:7]
	global_store_b32 v0, v64, s[6:7]
	global_store_b32 v0, v65, s[6:7]
	global_store_b32 v0, v66, s[6:7]
	global_store_b32 v0, v67, s[6:7]
	global_store_b32 v0, v68, s[6:7]
	global_store_b32 v0, v69, s[6:7]
	global_store_b32 v0, v70, s[6:7]
	global_store_b32 v0, v71, s[6:7]
	global_store_b32 v0, v72, s[6:7]
	global_store_b32 v0, v73, s[6:7]
	global_store_b32 v0, v74, s[6:7]
	global_store_b32 v0, v75, s[6:7]
	global_store_b32 v0, v76, s[6:7]
	global_store_b32 v0, v77, s[6:7]
	global_store_b32 v0, v78, s[6:7]
	global_store_b32 v0, v79, s[6:7]
	global_store_b32 v0, v80, s[6:7]
	global_store_b32 v0, v81, s[6:7]
	global_store_b32 v0, v82, s[6:7]
	global_store_b32 v0, v83, s[6:7]
	global_store_b32 v0, v84, s[6:7]
	global_store_b32 v0, v85, s[6:7]
	global_store_b32 v0, v86, s[6:7]
	global_store_b32 v0, v87, s[6:7]
	global_store_b32 v0, v88, s[6:7]
	global_store_b32 v0, v89, s[6:7]
	global_store_b32 v0, v90, s[6:7]
	global_store_b32 v0, v91, s[6:7]
	global_store_b32 v0, v92, s[6:7]
	global_store_b32 v0, v93, s[6:7]
	global_store_b32 v0, v94, s[6:7]
	global_store_b32 v0, v95, s[6:7]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_next_free_vgpr 96
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
