; Scalar instructions wait for the SGPRs that the VALU writes, and so for all VALU results that are
; older.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: v_cmp_gt_f32_e64 s4, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_2){{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: v_add_f32_e32 v5, v2, v3{{$}}
; CHECK-NEXT: v_cmp_lt_f32_e64 s4, v2, v3{{$}}
; CHECK-NEXT: s_or_b32 s5, s4, s6{{$}}
; CHECK-NEXT: v_add_f32_e32 v6, v5, v5{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_cmp_gt_f32_e64 s4, v2, v3
	v_add_f32_e32 v4, v1, v1
	v_add_f32_e32 v5, v2, v3
	v_cmp_lt_f32_e64 s4, v2, v3
	s_or_b32 s5, s4, s6
	v_add_f32_e32 v6, v5, v5
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
