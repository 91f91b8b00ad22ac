; A branch into the middle of a long branch: where that goes then, only its registers know. Nothing is changed.
; RUN: bash -c '%vgpr-remap %s -o %t.s > %t.err 2>&1'
; RUN: cmp %s %t.s
; RUN: FileCheck %s < %t.err
; CHECK: remark: {{.*}}goes on in the middle of a long branch
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[2:3], s[0:1], null
	v_lshlrev_b32_e32 v0, 2, v0
	v_mov_b32_e32 v9, 1.0
	v_mov_b32_e32 v10, 2.0
	v_mov_b32_e32 v11, 1.0
	v_mov_b32_e32 v12, 2.0
	s_mov_b64 s[8:9], s[2:3]
	s_cbranch_scc1 .Lpost
	s_nop 0
	s_getpc_b64 s[8:9]
.Lpost:
	s_add_u32 s8, s8, (.Lfar-.Lpost)&4294967295
	s_addc_u32 s9, s9, (.Lfar-.Lpost)>>32
	s_setpc_b64 s[8:9]
	v_mov_b32_e32 v9, 0
.Lfar:
	v_fmac_f32_e32 v4, v9, v10
	v_fmac_f32_e32 v5, v11, v12
	v_fmac_f32_e32 v4, v10, v10
	v_fmac_f32_e32 v5, v12, v12
	s_waitcnt lgkmcnt(0)
	global_store_b64 v0, v[4:5], s[2:3]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
