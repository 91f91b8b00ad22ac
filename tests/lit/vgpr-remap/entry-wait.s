; What a caller has left in flight is waited for where the function starts; nothing of the function comes
; before that, and --waits does not weaken it.
; RUN: %vgpr-remap %s | grep -v "^; [A-Z]" | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %s | cmp - %s

	.text
	.p2align	2
	.type	f,@function
f:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v0, v2, v4
	v_fmac_f32_e32 v1, v3, v5
	v_fmac_f32_e32 v0, v4, v3
	v_fmac_f32_e32 v1, v5, v2
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_endpgm
.Lfunc_end1:
	.size	k, .Lfunc_end1-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel

; CHECK: f:
; CHECK-NEXT: s_waitcnt vmcnt(0){{.*}} lgkmcnt(0)
; CHECK-NEXT: v_dual_fmac_f32
