; The second chain is written into the register that the first one leaves, so it stays behind it.
; RUN: %dualfmac-sched rewrite --reschedule %s 2> %t.err | cmp - %s
; RUN: FileCheck %s < %t.err
; CHECK: nothing changed

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v8, v9
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v3, v0, v12
	v_mul_f32_e32 v0, v8, v10
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v4, v0, v12
	global_store_b64 v2, v[3:4], s[0:1]
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
