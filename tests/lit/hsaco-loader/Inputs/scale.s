	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.globl	scale
	.p2align	8
	.type	scale,@function
scale:
	s_load_b64 s[4:5], s[0:1], 0x0
	s_load_b32 s6, s[0:1], 0x8
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v3, 0
	s_mov_b32 s7, 0
	s_waitcnt lgkmcnt(0)
	global_load_b32 v2, v1, s[4:5]
	s_waitcnt vmcnt(0)
	ds_store_b32 v1, v2
.Lloop:
	v_add_f32_e32 v3, v3, v2
	s_add_i32 s7, s7, 1
	s_cmp_lt_i32 s7, s6
	s_cbranch_scc1 .Lloop
	global_store_b32 v1, v3, s[4:5]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel scale
		.amdhsa_group_segment_fixed_size 128
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
