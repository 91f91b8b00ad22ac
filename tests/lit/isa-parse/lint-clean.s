; RUN: %isa-parse --lint %s > %t && not grep . %t

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_clause 0x1
	s_load_b64 s[4:5], s[0:1], 0x0
	s_load_b32 s6, s[0:1], 0x8
	s_setprio 3
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10
	s_waitcnt lgkmcnt(0)
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
