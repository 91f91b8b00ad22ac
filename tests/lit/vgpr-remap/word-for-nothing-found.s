; Single FMAs in a chain outside of loops: no pass has an objection, and none finds a
; partner. The kernel gets a line that says so.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: FileCheck %s < %t.err
; CHECK: remark: 'k' is as it was: 2 of its 2 F32 FMAs are single, there are 1 bank conflicts, and no better pairs and registers were found; isa-parse --why-single names the rule for each FMA, --allow-occupancy-loss gives it more registers

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v0, v4
	v_fmac_f32_e32 v0, v0, v3
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
