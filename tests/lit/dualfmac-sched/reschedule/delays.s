; Where the function has s_delay_alu it comes anew, for the places where results are now.
; RUN: %dualfmac-sched rewrite --reschedule %s | grep -v "^;" | FileCheck %s
; CHECK: v_fmac_f32_e32 v1, v8, v10{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2){{$}}
; CHECK-NEXT: v_mul_f32_e32 v0, v0, v11{{$}}
; CHECK-NEXT: v_mul_f32_e32 v1, v1, v11{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v8, v9
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v0, v0, v12
	v_fmac_f32_e32 v1, v8, v10
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_f32_e32 v1, v1, v11
	v_add_f32_e32 v1, v1, v12
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
