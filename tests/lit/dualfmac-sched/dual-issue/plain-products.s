; Products whose sums have negated addends: no FMAC adds them up, and still they are worth registers
; that give them partners.
; RUN: %dualfmac-sched rewrite --dual-issue --score %s -o %t.s 2> %t.err
; RUN: FileCheck %s < %t.s
; RUN: FileCheck %s --check-prefix=SCORE < %t.err
; CHECK: ds_load_b64
; CHECK-COUNT-2: v_dual_mul_f32 {{.*}} :: v_dual_mul_f32
; CHECK: ds_store_b128
; SCORE: k: VALU 17 -> 15, {{.*}} values in other registers, {{.*}} proven
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_lshlrev_b32_e32 v0, 4, v0
	v_mov_b32_e32 v1, 0
	s_movk_i32 s0, 64
.Lloop:
	ds_load_b64 v[8:9], v0
	ds_load_b64 v[12:13], v0 offset:8
	ds_load_b64 v[16:17], v0 offset:16
	ds_load_b64 v[20:21], v0 offset:24
	s_add_i32 s0, s0, -1
	s_cmp_lg_u32 s0, 0
	s_waitcnt lgkmcnt(0)
	v_mul_f32_e32 v24, v9, v13
	v_mul_f32_e32 v26, v9, v21
	v_mul_f32_e32 v28, v17, v13
	v_mul_f32_e32 v30, v17, v21
	v_mul_f32_e32 v32, v8, v13
	v_mul_f32_e32 v34, v8, v21
	v_mul_f32_e32 v36, v16, v13
	v_mul_f32_e32 v38, v16, v21
	v_fma_f32 v4, v8, v12, -v24
	v_fma_f32 v5, v8, v20, -v26
	v_fma_f32 v6, v16, v12, -v28
	v_fma_f32 v7, v16, v20, -v30
	v_fma_f32 v4, v9, -v12, v4
	v_fma_f32 v4, |v32|, v34, v4
	v_fma_f32 v5, |v36|, v38, v5
	s_cbranch_scc1 .Lloop
	ds_store_b128 v0, v[4:7]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 40
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
