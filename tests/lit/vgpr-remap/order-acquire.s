; In CU mode a plain LDS load, a wait and plain loads behind it may be an acquire: the flag is compared. The
; wait stays between them; that of the data is placed anew.
; RUN: %vgpr-remap %s | grep -v '^; [A-Z]' | FileCheck %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
.Lloop:
	ds_load_b32 v12, v20
	s_waitcnt lgkmcnt(0)
	global_load_b32 v8, v21, s[4:5]
	ds_load_b64 v[10:11], v22
	v_cmp_ne_u32_e32 vcc_lo, 0, v12
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cndmask_b32_e32 v9, 0, v8, vcc_lo
	v_fmac_f32_e32 v1, v8, v10
	v_fmac_f32_e32 v2, v8, v11
	v_fmac_f32_e32 v3, v9, v10
	v_fmac_f32_e32 v4, v9, v11
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .Lloop
	global_store_b128 v23, v[1:4], s[6:7]
	s_endpgm

; CHECK: .Lloop:
; CHECK: ds_load_b32 [[FLAG:v[0-9]+]], v20
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK: global_load_b32
; CHECK: v_dual_fmac_f32
; CHECK: v_dual_fmac_f32
; CHECK: s_cbranch_scc1 .Lloop
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
