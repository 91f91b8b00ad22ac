; Where the first cannot go down, the second comes up, and so does what it waits for outside of loops.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; CHECK: s_waitcnt vmcnt(1)
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_dual_fmac_f32 v20, s4, v4 :: v_dual_fmac_f32 v21, s4, v5
; CHECK-NEXT: global_store_b32 v[12:13], v20, off
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK-NEXT: global_store_b32 v[12:13], v21, off offset:4

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v4, v[10:11], off
	global_load_b32 v5, v[10:11], off offset:4
	s_waitcnt vmcnt(1)
	v_fmac_f32_e32 v20, s4, v4
	global_store_b32 v[12:13], v20, off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v21, s4, v5
	global_store_b32 v[12:13], v21, off offset:4
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
