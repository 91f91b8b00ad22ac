; Another kernel branches into the loop, with registers of its own: the function stays as it is.
; RUN: %vgpr-remap %s 2>%t.err | cmp - %s
; RUN: FileCheck %s < %t.err
; RUN: %dualfmac-sched rewrite %s 2>/dev/null | cmp - %s

; CHECK: remark: left as it is: the function may be entered at label '.Lloop' from elsewhere

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v5, 0
.Lloop:
	v_fmac_f32_e32 v1, v2, v4
	v_fmac_f32_e32 v5, v2, v8
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[6:7]
	global_store_b32 v0, v5, s[6:7] offset:4
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.globl	other
	.p2align	8
	.type	other,@function
other:
	v_mov_b32_e32 v1, 1.0
	v_mov_b32_e32 v5, 2.0
	s_branch .Lloop
.Lfunc_end1:
	.size	other, .Lfunc_end1-other
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.amdhsa_kernel other
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
