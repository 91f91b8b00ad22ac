; RUN: %isa-parse --why-single %s | FileCheck %s

; CHECK: k: 3 FMAs of F32 outside a pair of two FMAs
; CHECK: destination-parity{{ +}}v_fmac_f32_e32 v0, v1, v2
; CHECK-SAME: the destinations v0 and v4 are both even
; CHECK: destination-parity{{ +}}v_fmac_f32_e32 v4, v7, v8
; CHECK: modifiers{{ +}}v_fmac_f32_e64 v3, -v1, v2

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v1, v2
	v_fmac_f32_e32 v4, v7, v8
	v_fmac_f32_e64 v3, -v1, v2
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
