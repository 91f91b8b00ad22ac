# A loop that nothing reaches, as hand-written code has it behind its end, is in nobody's way.
# RUN: %vgpr-remap %s 2>/dev/null | grep -v '^# [A-Z]' | FileCheck %s
# CHECK: v_dual_fmac_f32
# CHECK: s_endpgm
# CHECK-NEXT: .Lstop: s_branch .Lstop
	.text
	.type	k,@function
k:
	v_fmac_f32 v4, v1, v2
	v_fmac_f32 v5, v2, v1
	global_store_b64 v0, v[4:5], s[2:3]
	s_endpgm
.Lstop:	s_branch .Lstop
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section .rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 64
	.amdhsa_next_free_sgpr 30
	.end_amdhsa_kernel
