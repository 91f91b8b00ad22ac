	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 6
	.text
	.protected	sgemm_nt_5x3
	.globl	sgemm_nt_5x3
	.p2align	8
	.type	sgemm_nt_5x3,@function
sgemm_nt_5x3:
	s_clause 0x3
	s_load_b128 s[4:7], s[0:1], 0x18
	s_load_b128 s[8:11], s[0:1], 0x0
	s_load_b64 s[12:13], s[0:1], 0x10
	s_load_b32 s16, s[0:1], 0x28
	v_and_b32_e32 v5, 0x3ff, v0
	v_bfe_u32 v6, v0, 10, 10
	s_mulk_i32 s15, 0x50
	s_mul_i32 s14, s14, 48
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s6, 1
	s_cbranch_scc1 .LBB0_14
	v_lshl_add_u32 v1, v6, 4, v5
	v_dual_mov_b32 v15, 0 :: v_dual_and_b32 v0, 7, v5
	v_mul_u32_u24_e32 v7, 20, v6
	v_lshlrev_b32_e32 v4, 2, v5
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_lshrrev_b32_e32 v2, 3, v1
	v_cmp_gt_u32_e32 vcc_lo, 0x280, v1
	v_cmp_gt_u32_e64 s0, 0x180, v1
	v_dual_mov_b32 v21, 0 :: v_dual_add_nc_u32 v8, 0xffffff00, v1
	v_dual_mov_b32 v27, 0 :: v_dual_add_nc_u32 v10, s15, v2
	v_dual_mov_b32 v18, 0 :: v_dual_lshlrev_b32 v3, 2, v2
	v_dual_mov_b32 v24, 0 :: v_dual_add_nc_u32 v11, s14, v2
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_mad_u64_u32 v[1:2], null, s6, v10, v[0:1]
	v_mul_u32_u24_e32 v9, 0xc4, v0
	v_mad_u32_u24 v12, 0x144, v0, v3
	v_dual_mov_b32 v33, 0 :: v_dual_add_nc_u32 v14, 0x510, v7
	v_dual_mov_b32 v35, 0 :: v_dual_add_nc_u32 v16, 0x518, v7
	s_delay_alu instid0(VALU_DEP_4)
	v_add3_u32 v13, v9, v3, 0xa20
	v_mad_u64_u32 v[2:3], null, s6, v11, v[0:1]
	v_mov_b32_e32 v9, 0
	v_dual_mov_b32 v30, 0 :: v_dual_add_nc_u32 v17, 0x654, v7
	v_dual_mov_b32 v32, 0 :: v_dual_add_nc_u32 v19, 0x65c, v7
	v_dual_mov_b32 v37, 0 :: v_dual_add_nc_u32 v20, 0x798, v7
	v_dual_mov_b32 v39, 0 :: v_dual_add_nc_u32 v22, 0x7a0, v7
	v_dual_mov_b32 v34, 0 :: v_dual_add_nc_u32 v23, 0x8dc, v7
	v_dual_mov_b32 v36, 0 :: v_dual_add_nc_u32 v25, 0x8e4, v7
	v_add_nc_u32_e32 v26, 0x800, v4
	v_add_nc_u32_e32 v28, 0xc00, v4
	v_dual_mov_b32 v38, 0 :: v_dual_add_nc_u32 v29, 0x400, v7
	v_add_nc_u32_e32 v31, 0x600, v7
	s_lshl_b32 s3, s6, 5
	s_mov_b32 s17, 0
	s_branch .LBB0_3
.LBB0_2:
	s_set_inst_prefetch_distance 0x2
	s_or_b32 exec_lo, exec_lo, s18
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_gl0_inv
	ds_load_2addr_b32 v[3:4], v7 offset1:1
	ds_load_2addr_b32 v[40:41], v7 offset0:2 offset1:3
	ds_load_2addr_b32 v[42:43], v7 offset0:4 offset1:85
	ds_load_2addr_b32 v[44:45], v26 offset0:136 offset1:152
	ds_load_2addr_b32 v[46:47], v26 offset0:168 offset1:185
	v_add_nc_u32_e32 v1, 8, v1
	s_add_i32 s17, s17, 8
	v_add_nc_u32_e32 v2, 8, v2
	s_cmp_ge_i32 s17, s6
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v39, v44, v3 :: v_dual_fmac_f32 v34, v46, v4
	v_dual_fmac_f32 v38, v45, v3 :: v_dual_fmac_f32 v33, v44, v40
	v_dual_fmac_f32 v37, v46, v3 :: v_dual_fmac_f32 v36, v44, v4
	v_dual_fmac_f32 v35, v45, v4 :: v_dual_fmac_f32 v18, v44, v42
	v_dual_fmac_f32 v32, v45, v40 :: v_dual_fmac_f32 v27, v44, v41
	v_dual_fmac_f32 v30, v46, v40 :: v_dual_fmac_f32 v15, v45, v42
	v_dual_fmac_f32 v24, v45, v41 :: v_dual_fmac_f32 v9, v46, v42
	v_fmac_f32_e32 v21, v46, v41
	ds_load_2addr_b32 v[3:4], v7 offset0:81 offset1:82
	ds_load_2addr_b32 v[40:41], v7 offset0:83 offset1:84
	ds_load_2addr_b32 v[44:45], v26 offset0:201 offset1:217
	v_fmac_f32_e32 v18, v47, v43
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v39, v47, v3
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v36, v47, v4 :: v_dual_fmac_f32 v37, v45, v3
	v_fmac_f32_e32 v38, v44, v3
	v_fmac_f32_e32 v35, v44, v4
	v_fmac_f32_e32 v34, v45, v4
	v_dual_fmac_f32 v33, v47, v40 :: v_dual_fmac_f32 v24, v44, v41
	v_dual_fmac_f32 v32, v44, v40 :: v_dual_fmac_f32 v27, v47, v41
	v_dual_fmac_f32 v30, v45, v40 :: v_dual_fmac_f32 v15, v44, v43
	v_fmac_f32_e32 v21, v45, v41
	v_fmac_f32_e32 v9, v45, v43
	ds_load_2addr_b32 v[3:4], v7 offset0:162 offset1:163
	ds_load_2addr_b32 v[40:41], v7 offset0:164 offset1:165
	ds_load_2addr_b32 v[42:43], v7 offset0:166 offset1:247
	ds_load_2addr_b32 v[44:45], v26 offset0:234 offset1:250
	ds_load_2addr_b32 v[46:47], v28 offset0:10 offset1:27
	s_waitcnt lgkmcnt(1)
	v_dual_fmac_f32 v39, v44, v3 :: v_dual_fmac_f32 v32, v45, v40
	v_dual_fmac_f32 v38, v45, v3 :: v_dual_fmac_f32 v33, v44, v40
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v37, v46, v3 :: v_dual_fmac_f32 v24, v45, v41
	v_fmac_f32_e32 v36, v44, v4
	v_dual_fmac_f32 v35, v45, v4 :: v_dual_fmac_f32 v18, v44, v42
	v_fmac_f32_e32 v34, v46, v4
	v_dual_fmac_f32 v30, v46, v40 :: v_dual_fmac_f32 v27, v44, v41
	v_fmac_f32_e32 v21, v46, v41
	v_fmac_f32_e32 v15, v45, v42
	ds_load_2addr_b32 v[3:4], v7 offset0:243 offset1:244
	ds_load_2addr_b32 v[40:41], v7 offset0:245 offset1:246
	ds_load_2addr_b32 v[44:45], v28 offset0:43 offset1:59
	v_dual_fmac_f32 v9, v46, v42 :: v_dual_fmac_f32 v18, v47, v43
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v39, v47, v3
	v_fmac_f32_e32 v36, v47, v4
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v38, v44, v3
	v_dual_fmac_f32 v37, v45, v3 :: v_dual_fmac_f32 v24, v44, v41
	v_fmac_f32_e32 v35, v44, v4
	v_fmac_f32_e32 v34, v45, v4
	v_fmac_f32_e32 v33, v47, v40
	v_fmac_f32_e32 v32, v44, v40
	v_dual_fmac_f32 v30, v45, v40 :: v_dual_fmac_f32 v27, v47, v41
	v_fmac_f32_e32 v21, v45, v41
	v_fmac_f32_e32 v15, v44, v43
	v_fmac_f32_e32 v9, v45, v43
	ds_load_2addr_b32 v[3:4], v14 offset1:1
	ds_load_2addr_b32 v[40:41], v16 offset1:1
	ds_load_2addr_b32 v[42:43], v29 offset0:72 offset1:153
	ds_load_2addr_b32 v[44:45], v28 offset0:76 offset1:92
	ds_load_2addr_b32 v[46:47], v28 offset0:108 offset1:125
	s_waitcnt lgkmcnt(1)
	v_dual_fmac_f32 v39, v44, v3 :: v_dual_fmac_f32 v32, v45, v40
	v_fmac_f32_e32 v38, v45, v3
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v37, v46, v3 :: v_dual_fmac_f32 v24, v45, v41
	v_fmac_f32_e32 v36, v44, v4
	v_dual_fmac_f32 v35, v45, v4 :: v_dual_fmac_f32 v18, v44, v42
	v_fmac_f32_e32 v34, v46, v4
	v_fmac_f32_e32 v33, v44, v40
	v_dual_fmac_f32 v30, v46, v40 :: v_dual_fmac_f32 v27, v44, v41
	v_fmac_f32_e32 v21, v46, v41
	v_fmac_f32_e32 v15, v45, v42
	ds_load_2addr_b32 v[3:4], v17 offset1:1
	ds_load_2addr_b32 v[40:41], v19 offset1:1
	ds_load_2addr_b32 v[44:45], v28 offset0:141 offset1:157
	v_dual_fmac_f32 v9, v46, v42 :: v_dual_fmac_f32 v18, v47, v43
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v39, v47, v3
	v_fmac_f32_e32 v36, v47, v4
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v38, v44, v3
	v_dual_fmac_f32 v37, v45, v3 :: v_dual_fmac_f32 v24, v44, v41
	v_fmac_f32_e32 v35, v44, v4
	v_fmac_f32_e32 v34, v45, v4
	v_fmac_f32_e32 v33, v47, v40
	v_fmac_f32_e32 v32, v44, v40
	v_dual_fmac_f32 v30, v45, v40 :: v_dual_fmac_f32 v27, v47, v41
	v_fmac_f32_e32 v21, v45, v41
	v_fmac_f32_e32 v15, v44, v43
	v_fmac_f32_e32 v9, v45, v43
	ds_load_2addr_b32 v[3:4], v20 offset1:1
	ds_load_2addr_b32 v[40:41], v22 offset1:1
	ds_load_2addr_b32 v[42:43], v31 offset0:106 offset1:187
	ds_load_2addr_b32 v[44:45], v28 offset0:174 offset1:190
	ds_load_2addr_b32 v[46:47], v28 offset0:206 offset1:223
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v38, v45, v3
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v37, v46, v3 :: v_dual_fmac_f32 v18, v44, v42
	v_fmac_f32_e32 v36, v44, v4
	v_fmac_f32_e32 v39, v44, v3
	v_fmac_f32_e32 v35, v45, v4
	v_fmac_f32_e32 v34, v46, v4
	v_fmac_f32_e32 v32, v45, v40
	v_dual_fmac_f32 v30, v46, v40 :: v_dual_fmac_f32 v27, v44, v41
	v_dual_fmac_f32 v24, v45, v41 :: v_dual_fmac_f32 v33, v44, v40
	v_dual_fmac_f32 v18, v47, v43 :: v_dual_fmac_f32 v21, v46, v41
	v_fmac_f32_e32 v15, v45, v42
	ds_load_2addr_b32 v[3:4], v23 offset1:1
	ds_load_2addr_b32 v[40:41], v25 offset1:1
	ds_load_2addr_b32 v[44:45], v28 offset0:239 offset1:255
	s_waitcnt lgkmcnt(2)
	v_dual_fmac_f32 v9, v46, v42 :: v_dual_fmac_f32 v36, v47, v4
	v_fmac_f32_e32 v39, v47, v3
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v38, v44, v3
	v_fmac_f32_e32 v37, v45, v3
	v_fmac_f32_e32 v35, v44, v4
	v_fmac_f32_e32 v34, v45, v4
	v_fmac_f32_e32 v33, v47, v40
	v_fmac_f32_e32 v32, v44, v40
	v_dual_fmac_f32 v30, v45, v40 :: v_dual_fmac_f32 v27, v47, v41
	v_fmac_f32_e32 v24, v44, v41
	v_fmac_f32_e32 v21, v45, v41
	v_fmac_f32_e32 v15, v44, v43
	v_fmac_f32_e32 v9, v45, v43
	s_barrier
	buffer_gl0_inv
	s_cbranch_scc1 .LBB0_13
.LBB0_3:
	v_or_b32_e32 v40, s17, v0
	s_and_saveexec_b32 s18, vcc_lo
	s_cbranch_execz .LBB0_8
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_i32_e64 s1, s6, v40
	v_dual_mov_b32 v41, v10 :: v_dual_mov_b32 v42, v12
	v_mov_b32_e32 v3, v1
	v_mov_b32_e32 v43, v8
	s_mov_b32 s19, 0
	s_set_inst_prefetch_distance 0x1
	s_branch .LBB0_6
	.p2align	6
.LBB0_5:
	s_or_b32 exec_lo, exec_lo, s20
	v_add_nc_u32_e32 v43, 0x100, v43
	s_waitcnt vmcnt(0)
	ds_store_b32 v42, v4
	v_add_nc_u32_e32 v42, 0x80, v42
	v_add_nc_u32_e32 v3, s3, v3
	v_add_nc_u32_e32 v41, 32, v41
	v_cmp_lt_u32_e64 s2, 0x17f, v43
	s_or_b32 s19, s2, s19
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s19
	s_cbranch_execz .LBB0_8
.LBB0_6:
	v_cmp_gt_i32_e64 s2, s4, v41
	v_mov_b32_e32 v4, 0
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s20, s2
	s_cbranch_execz .LBB0_5
	v_ashrrev_i32_e32 v4, 31, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[44:45], 2, v[3:4]
	v_add_co_u32 v44, s2, s8, v44
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v45, null, s9, v45, s2
	global_load_b32 v4, v[44:45], off
	s_branch .LBB0_5
.LBB0_8:
	s_set_inst_prefetch_distance 0x2
	s_or_b32 exec_lo, exec_lo, s18
	s_and_saveexec_b32 s18, s0
	s_cbranch_execz .LBB0_2
	v_cmp_gt_i32_e64 s1, s6, v40
	v_dual_mov_b32 v40, v11 :: v_dual_mov_b32 v3, v2
	v_dual_mov_b32 v41, v13 :: v_dual_mov_b32 v42, v8
	s_mov_b32 s19, 0
	s_set_inst_prefetch_distance 0x1
	s_branch .LBB0_11
	.p2align	6
.LBB0_10:
	s_or_b32 exec_lo, exec_lo, s20
	v_add_nc_u32_e32 v42, 0x100, v42
	s_waitcnt vmcnt(0)
	ds_store_b32 v41, v4
	v_add_nc_u32_e32 v41, 0x80, v41
	v_add_nc_u32_e32 v3, s3, v3
	v_add_nc_u32_e32 v40, 32, v40
	v_cmp_lt_u32_e64 s2, 0x7f, v42
	s_or_b32 s19, s2, s19
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s19
	s_cbranch_execz .LBB0_2
.LBB0_11:
	v_cmp_gt_i32_e64 s2, s5, v40
	v_mov_b32_e32 v4, 0
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s20, s2
	s_cbranch_execz .LBB0_10
	v_ashrrev_i32_e32 v4, 31, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[43:44], 2, v[3:4]
	v_add_co_u32 v43, s2, s10, v43
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v44, null, s11, v44, s2
	global_load_b32 v4, v[43:44], off
	s_branch .LBB0_10
.LBB0_13:
	v_dual_mul_f32 v20, s7, v39 :: v_dual_mul_f32 v19, s7, v38
	v_dual_mul_f32 v17, s7, v37 :: v_dual_mul_f32 v16, s7, v36
	v_dual_mul_f32 v14, s7, v35 :: v_dual_mul_f32 v13, s7, v34
	v_dual_mul_f32 v12, s7, v33 :: v_dual_mul_f32 v11, s7, v32
	v_dual_mul_f32 v10, s7, v30 :: v_dual_mul_f32 v7, s7, v24
	v_mul_f32_e32 v8, s7, v27
	v_dual_mul_f32 v4, s7, v21 :: v_dual_mul_f32 v1, s7, v15
	v_mul_f32_e32 v2, s7, v18
	v_mul_f32_e32 v0, s7, v9
	s_branch .LBB0_15
.LBB0_14:
	v_dual_mov_b32 v20, 0 :: v_dual_mov_b32 v19, 0
	v_dual_mov_b32 v17, 0 :: v_dual_mov_b32 v16, 0
	v_dual_mov_b32 v14, 0 :: v_dual_mov_b32 v13, 0
	v_dual_mov_b32 v12, 0 :: v_dual_mov_b32 v11, 0
	v_dual_mov_b32 v10, 0 :: v_dual_mov_b32 v7, 0
	v_dual_mov_b32 v8, 0 :: v_dual_mov_b32 v1, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v0, 0
.LBB0_15:
	v_mad_u32_u24 v6, v6, 5, s15
	v_add_nc_u32_e32 v3, s14, v5
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_mul_lo_u32 v5, s5, v6
	v_cmp_gt_i32_e64 s2, s4, v6
	v_cmp_gt_i32_e32 vcc_lo, s5, v3
	s_and_b32 s0, s2, vcc_lo
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_17
	v_add_nc_u32_e32 v21, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v22, 31, v21
	v_lshlrev_b64 v[21:22], 2, v[21:22]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v21, s0, s12, v21
	v_add_co_ci_u32_e64 v22, null, s13, v22, s0
	global_load_b32 v9, v[21:22], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v20, s16, v9
	global_store_b32 v[21:22], v20, off
.LBB0_17:
	s_or_b32 exec_lo, exec_lo, s1
	v_add_nc_u32_e32 v9, 16, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v9
	s_and_b32 s1, s2, s0
	s_and_saveexec_b32 s3, s1
	s_cbranch_execz .LBB0_19
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v15, 31, v3
	v_add_co_u32 v20, s1, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v21, null, v9, v15, s1
	v_lshlrev_b64 v[20:21], 2, v[20:21]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v20, s1, s12, v20
	v_add_co_ci_u32_e64 v21, null, s13, v21, s1
	global_load_b32 v9, v[20:21], off offset:64
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v19, s16, v9
	global_store_b32 v[20:21], v19, off offset:64
.LBB0_19:
	s_or_b32 exec_lo, exec_lo, s3
	v_add_nc_u32_e32 v9, 32, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s1, s5, v9
	s_and_b32 s2, s2, s1
	s_and_saveexec_b32 s3, s2
	s_cbranch_execz .LBB0_21
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v15, 31, v3
	v_add_co_u32 v18, s2, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v19, null, v9, v15, s2
	v_lshlrev_b64 v[18:19], 2, v[18:19]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v18, s2, s12, v18
	v_add_co_ci_u32_e64 v19, null, s13, v19, s2
	global_load_b32 v9, v[18:19], off offset:128
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v17, s16, v9
	global_store_b32 v[18:19], v17, off offset:128
.LBB0_21:
	s_or_b32 exec_lo, exec_lo, s3
	v_add_nc_u32_e32 v9, 1, v6
	v_add_nc_u32_e32 v5, s5, v5
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s2, s4, v9
	s_and_b32 s3, s2, vcc_lo
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_37
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_38
.LBB0_23:
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execz .LBB0_25
.LBB0_24:
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v15, 31, v3
	v_add_co_u32 v14, s2, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v15, null, v9, v15, s2
	v_lshlrev_b64 v[14:15], 2, v[14:15]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v14, s2, s12, v14
	v_add_co_ci_u32_e64 v15, null, s13, v15, s2
	global_load_b32 v9, v[14:15], off offset:128
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v13, s16, v9
	global_store_b32 v[14:15], v13, off offset:128
.LBB0_25:
	s_or_b32 exec_lo, exec_lo, s3
	v_add_nc_u32_e32 v9, 2, v6
	v_add_nc_u32_e32 v5, s5, v5
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s2, s4, v9
	s_and_b32 s3, s2, vcc_lo
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_39
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_40
.LBB0_27:
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execz .LBB0_29
.LBB0_28:
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v12, 31, v3
	v_add_co_u32 v11, s2, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v12, null, v9, v12, s2
	v_lshlrev_b64 v[11:12], 2, v[11:12]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v11, s2, s12, v11
	v_add_co_ci_u32_e64 v12, null, s13, v12, s2
	global_load_b32 v9, v[11:12], off offset:128
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v10, s16, v9
	global_store_b32 v[11:12], v10, off offset:128
.LBB0_29:
	s_or_b32 exec_lo, exec_lo, s3
	v_add_nc_u32_e32 v9, 3, v6
	v_add_nc_u32_e32 v5, s5, v5
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s2, s4, v9
	s_and_b32 s3, s2, vcc_lo
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_41
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execnz .LBB0_42
.LBB0_31:
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execz .LBB0_33
.LBB0_32:
	v_ashrrev_i32_e32 v8, 31, v5
	v_ashrrev_i32_e32 v9, 31, v3
	v_add_co_u32 v7, s2, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v8, null, v8, v9, s2
	v_lshlrev_b64 v[7:8], 2, v[7:8]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v7, s2, s12, v7
	v_add_co_ci_u32_e64 v8, null, s13, v8, s2
	global_load_b32 v9, v[7:8], off offset:128
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v4, s16, v9
	global_store_b32 v[7:8], v4, off offset:128
.LBB0_33:
	s_or_b32 exec_lo, exec_lo, s3
	v_add_nc_u32_e32 v4, 4, v6
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s2, s4, v4
	v_add_nc_u32_e32 v4, s5, v5
	s_and_b32 s4, s2, vcc_lo
	s_and_saveexec_b32 s3, s4
	s_cbranch_execnz .LBB0_43
	s_or_b32 exec_lo, exec_lo, s3
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s0, s3
	s_cbranch_execnz .LBB0_44
.LBB0_35:
	s_or_b32 exec_lo, exec_lo, s0
	s_and_b32 s0, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s1, s0
	s_cbranch_execnz .LBB0_45
.LBB0_36:
	s_endpgm
.LBB0_37:
	v_add_nc_u32_e32 v17, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v18, 31, v17
	v_lshlrev_b64 v[17:18], 2, v[17:18]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v17, s3, s12, v17
	v_add_co_ci_u32_e64 v18, null, s13, v18, s3
	global_load_b32 v9, v[17:18], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v16, s16, v9
	global_store_b32 v[17:18], v16, off
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execz .LBB0_23
.LBB0_38:
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v16, 31, v3
	v_add_co_u32 v15, s3, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v16, null, v9, v16, s3
	v_lshlrev_b64 v[15:16], 2, v[15:16]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v15, s3, s12, v15
	v_add_co_ci_u32_e64 v16, null, s13, v16, s3
	global_load_b32 v9, v[15:16], off offset:64
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v14, s16, v9
	global_store_b32 v[15:16], v14, off offset:64
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execnz .LBB0_24
	s_branch .LBB0_25
.LBB0_39:
	v_add_nc_u32_e32 v13, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v14, 31, v13
	v_lshlrev_b64 v[13:14], 2, v[13:14]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v13, s3, s12, v13
	v_add_co_ci_u32_e64 v14, null, s13, v14, s3
	global_load_b32 v9, v[13:14], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v12, s16, v9
	global_store_b32 v[13:14], v12, off
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execz .LBB0_27
.LBB0_40:
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v13, 31, v3
	v_add_co_u32 v12, s3, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v13, null, v9, v13, s3
	v_lshlrev_b64 v[12:13], 2, v[12:13]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v12, s3, s12, v12
	v_add_co_ci_u32_e64 v13, null, s13, v13, s3
	global_load_b32 v9, v[12:13], off offset:64
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v11, s16, v9
	global_store_b32 v[12:13], v11, off offset:64
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execnz .LBB0_28
	s_branch .LBB0_29
.LBB0_41:
	v_add_nc_u32_e32 v9, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v10, 31, v9
	v_lshlrev_b64 v[9:10], 2, v[9:10]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v9, s3, s12, v9
	v_add_co_ci_u32_e64 v10, null, s13, v10, s3
	global_load_b32 v11, v[9:10], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v8, s16, v11
	global_store_b32 v[9:10], v8, off
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s6, s3
	s_cbranch_execz .LBB0_31
.LBB0_42:
	v_ashrrev_i32_e32 v9, 31, v5
	v_ashrrev_i32_e32 v10, 31, v3
	v_add_co_u32 v8, s3, v5, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v9, null, v9, v10, s3
	v_lshlrev_b64 v[8:9], 2, v[8:9]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v8, s3, s12, v8
	v_add_co_ci_u32_e64 v9, null, s13, v9, s3
	global_load_b32 v10, v[8:9], off offset:64
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v7, s16, v10
	global_store_b32 v[8:9], v7, off offset:64
	s_or_b32 exec_lo, exec_lo, s6
	s_and_b32 s2, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execnz .LBB0_32
	s_branch .LBB0_33
.LBB0_43:
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_nc_u32_e32 v5, v4, v3
	v_ashrrev_i32_e32 v6, 31, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[5:6], 2, v[5:6]
	v_add_co_u32 v5, vcc_lo, s12, v5
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v6, null, s13, v6, vcc_lo
	global_load_b32 v7, v[5:6], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v2, s16, v7
	global_store_b32 v[5:6], v2, off
	s_or_b32 exec_lo, exec_lo, s3
	s_and_b32 s3, s2, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s0, s3
	s_cbranch_execz .LBB0_35
.LBB0_44:
	v_ashrrev_i32_e32 v2, 31, v4
	v_ashrrev_i32_e32 v6, 31, v3
	v_add_co_u32 v5, vcc_lo, v4, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v6, null, v2, v6, vcc_lo
	v_lshlrev_b64 v[5:6], 2, v[5:6]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v5, vcc_lo, s12, v5
	v_add_co_ci_u32_e64 v6, null, s13, v6, vcc_lo
	global_load_b32 v2, v[5:6], off offset:64
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, s16, v2
	global_store_b32 v[5:6], v1, off offset:64
	s_or_b32 exec_lo, exec_lo, s0
	s_and_b32 s0, s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_36
.LBB0_45:
	v_ashrrev_i32_e32 v2, 31, v4
	v_ashrrev_i32_e32 v5, 31, v3
	v_add_co_u32 v1, vcc_lo, v4, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v2, null, v2, v5, vcc_lo
	v_lshlrev_b64 v[1:2], 2, v[1:2]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v1, vcc_lo, s12, v1
	v_add_co_ci_u32_e64 v2, null, s13, v2, vcc_lo
	global_load_b32 v3, v[1:2], off offset:128
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v0, s16, v3
	global_store_b32 v[1:2], v0, off offset:128
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel sgemm_nt_5x3
		.amdhsa_group_segment_fixed_size 4160
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 44
		.amdhsa_user_sgpr_count 14
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 48
		.amdhsa_next_free_sgpr 21
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_shared_vgpr_count 0
		.amdhsa_inst_pref_size 27
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	sgemm_nt_5x3, .Lfunc_end0-sgemm_nt_5x3
	.set sgemm_nt_5x3.num_vgpr, 48
	.set sgemm_nt_5x3.num_agpr, 0
	.set sgemm_nt_5x3.numbered_sgpr, 21
	.set sgemm_nt_5x3.num_named_barrier, 0
	.set sgemm_nt_5x3.private_seg_size, 0
	.set sgemm_nt_5x3.uses_vcc, 1
	.set sgemm_nt_5x3.uses_flat_scratch, 0
	.set sgemm_nt_5x3.has_dyn_sized_stack, 0
	.set sgemm_nt_5x3.has_recursion, 0
	.set sgemm_nt_5x3.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_c2d914d59e274114,@object
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_c2d914d59e274114
__hip_cuid_c2d914d59e274114:
	.byte	0
	.size	__hip_cuid_c2d914d59e274114, 1

	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .offset:         28
        .size:           4
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .value_kind:     by_value
      - .offset:         36
        .size:           4
        .value_kind:     by_value
      - .offset:         40
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 4160
    .kernarg_segment_align: 8
    .kernarg_segment_size: 44
    .max_flat_workgroup_size: 256
    .name:           sgemm_nt_5x3
    .private_segment_fixed_size: 0
    .sgpr_count:     23
    .sgpr_spill_count: 0
    .symbol:         sgemm_nt_5x3.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     48
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
