; A load from LDS goes in front of what does not need it, and next to another one: a memory instruction
; waits for the vector instructions in front of it, which costs more than it hides if there are two.
; RUN: %dualfmac-sched rewrite --reschedule %s | grep -v "^;" | FileCheck %s
; CHECK: ds_load_b32 v4, v20
; CHECK-NEXT: ds_load_b32 v5, v20 offset:4
; CHECK: v_mul_f32_e32 v1
; CHECK: s_waitcnt lgkmcnt(1)
; CHECK-NEXT: v_fmac_f32_e32 v0, v4, v8{{$}}
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: v_fmac_f32_e32 v0, v5, v9{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v4, v20
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v0, v4, v8
	v_mul_f32_e32 v1, v10, v11
	v_mul_f32_e32 v2, v10, v12
	v_mul_f32_e32 v3, v10, v13
	ds_load_b32 v5, v20 offset:4
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v0, v5, v9
	v_add_f32_e32 v0, v0, v1
	v_add_f32_e32 v0, v0, v2
	v_add_f32_e32 v0, v0, v3
	global_store_b32 v21, v0, s[0:1]
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
