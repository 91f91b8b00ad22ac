; An FMAC does not come up past what writes its source.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: not grep "taken back" %t.err

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v20, v4, v6
	global_store_b32 v[10:11], v20, off
	v_rcp_f32_e32 v5, v8
	v_fmac_f32_e32 v21, v5, v7
	global_store_b32 v[10:11], v21, off offset:4
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
