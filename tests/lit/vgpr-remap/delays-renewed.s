; Where the text had s_delay_alu, what is made of it has some, and they name the distances of the new order.
; Text that had none gets none.
; RUN: %vgpr-remap %s | grep -v '^; [A-Z]' | FileCheck %s
; RUN: grep -v s_delay_alu %s | %vgpr-remap - | grep -v '^; [A-Z]' | FileCheck --check-prefix=NONE %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_cvt_f32_u32_e32 v4, v0
	v_add_f32_e32 v6, 1.0, v4
	v_add_f32_e32 v9, 2.0, v4
	v_add_f32_e32 v12, 3.0, v4
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
.Lloop:
	v_fmac_f32_e32 v2, v9, v4
	v_fmac_f32_e32 v3, v12, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_fmac_f32_e32 v2, v12, v4
	v_fmac_f32_e32 v3, v9, v6
	s_add_i32 s0, s0, 1
	s_cmp_lg_u32 s0, s1
	s_cbranch_scc1 .Lloop
	global_store_b64 v0, v[2:3], s[4:5]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

; CHECK: .Lloop:
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
; CHECK-NEXT: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; CHECK-NEXT: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; NONE-NOT: s_delay_alu
; NONE: .Lloop:
; NONE-NEXT: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; NONE-NEXT: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; NONE-NOT: s_delay_alu
