; The forward form to a place in front goes 4 GiB too far: no branch, and nothing is touched.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: cmp %s %t.s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_cmp_eq_u32 s4, 0
	s_cbranch_scc0 .LBB0_1
	s_getpc_b64 s[6:7]
.Lpost_getpc0:
	s_add_u32 s6, s6, (.LBB0_2-.Lpost_getpc0)&4294967295
	s_addc_u32 s7, s7, (.LBB0_2-.Lpost_getpc0)>>32
	s_setpc_b64 s[6:7]
.LBB0_1:
	v_fmac_f32_e32 v20, v4, v6
	v_fmac_f32_e32 v21, v5, v7
	s_getpc_b64 s[6:7]
	s_add_i32 s8, .LBB0_2, 4
	s_add_u32 s6, s6, s8
	s_addc_u32 s7, s7, 0
	s_setpc_b64 s[6:7]
.LBB0_3:
	v_fmac_f32_e32 v20, v4, v6
	v_fmac_f32_e32 v21, v5, v7
	global_store_b32 v[10:11], v20, off
	global_store_b32 v[10:11], v21, off offset:4
	s_endpgm
.LBB0_2:
	v_fmac_f32_e32 v20, v4, v6
	v_fmac_f32_e32 v21, v5, v7
	s_getpc_b64 s[6:7]
	s_add_i32 s8, .LBB0_3, 4
	s_add_u32 s6, s6, s8
	s_addc_u32 s7, s7, 0
	s_setpc_b64 s[6:7]
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
