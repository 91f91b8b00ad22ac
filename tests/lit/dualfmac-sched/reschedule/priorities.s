; Between which instructions a priority holds is the choice of whoever set it: the block stays, and a
; remark says what that costs.
; RUN: %dualfmac-sched rewrite --reschedule %s 2> %t.err | cmp - %s
; RUN: FileCheck %s < %t.err
; CHECK: remark: the order of this block stays: it sets priorities (s_setprio) where {{[0-9]+}} of {{[0-9]+}} clocks of latency could be saved

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_setprio 1
	v_fmac_f32_e32 v0, v8, v9
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v0, v0, v12
	v_fmac_f32_e32 v1, v8, v10
	v_mul_f32_e32 v1, v1, v11
	v_add_f32_e32 v1, v1, v12
	s_setprio 0
	global_store_b64 v2, v[0:1], s[0:1]
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
