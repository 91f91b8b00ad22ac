; The instructions that a macro makes are told apart and shown as they are.
; RUN: %isa-parse --why-single %s | FileCheck %s

; CHECK: k: 3 FMAs of F32 outside a pair of two FMAs
; CHECK: 18#1  destination-parity  v_fmac_f32_e32 v0, v1, v2 {{.*}}with line 18#2: the destinations v0 and v4 are both even
; CHECK: 18#2  destination-parity  v_fmac_f32_e32 v4, v7, v8 {{.*}}with line 19:
; CHECK: 19  destination-parity  v_fmac_f32_e32 v6, v9, v10 {{.*}}with line 18#2:

	.text
	.macro MAC a, b
	v_fmac_f32_e32 v0, v\a, v\b
	v_fmac_f32_e32 v4, v7, v8
	.endm
	.globl	k
	.p2align	8
	.type	k,@function
k:
	MAC 1, 2
	v_fmac_f32_e32 v6, v9, v10
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
; RUN: %isa-parse --banks %s | FileCheck %s --check-prefix=BANKS
; BANKS: 18#1 {{.*}}v_fmac_f32_e32 v0, v1, v2
; BANKS: 18#2 {{.*}}v_fmac_f32_e32 v4, v7, v8
