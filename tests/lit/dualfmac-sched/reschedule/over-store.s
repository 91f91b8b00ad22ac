; A load stays behind a store that may write what it reads, however early it is wanted.
; RUN: %dualfmac-sched rewrite --reschedule %s | grep -v "^;" | FileCheck %s
; CHECK: ds_store_b32 v20, v0
; CHECK: ds_load_b32 v4, v21

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v8, v9
	ds_store_b32 v20, v0
	v_mul_f32_e32 v1, v10, v11
	v_mul_f32_e32 v2, v1, v12
	v_mul_f32_e32 v3, v2, v13
	ds_load_b32 v4, v21
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v3, v4, v8
	v_mul_f32_e32 v5, v10, v13
	v_mul_f32_e32 v6, v5, v12
	v_add_f32_e32 v3, v3, v6
	global_store_b32 v22, v3, s[0:1]
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
