	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	hazards
	.p2align	8
	.type	hazards,@function
hazards:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v6, v10
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v6, v12
	v_dual_fmac_f32 v0, v5, v8 :: v_dual_fmac_f32 v1, v7, v9
	v_dual_fmac_f32 v0, v5, v8 :: v_dual_fmac_f32 v1, v7, v11
	v_dual_fmac_f32 v2, v4, v9 :: v_dual_fmac_f32 v1, v6, v10
	s_setprio 4
	s_endpgm
.Lfunc_end0:
	.size	hazards, .Lfunc_end0-hazards
	.amdhsa_kernel hazards
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 8
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
