# The code behind the label is not what stands there in the text: what follows is laid out behind
# the first part, so nothing of this function is changed.
# RUN: %vgpr-remap %s -o %t.s 2>&1 | FileCheck %s
# RUN: cmp %s %t.s
# CHECK: could not be proven: 'k' was changed, although line {{[0-9]+}} of it is followed by code of another section
	.text
	.type	k,@function
k:
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	s_branch .Lcold
.Lback:
	.section .text.cold,"ax",@progbits
.Lcold:
	v_fmac_f32_e32 v4, v1, v2
	v_fmac_f32_e32 v5, v2, v1
	s_branch .Lback
	.text
	global_store_b64 v0, v[4:5], s[0:1]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section .rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
