; As in the compiler's output, an s_delay_alu comes before the debug location of its instruction.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1){{$}}
; CHECK-NEXT: .loc{{[ \t]}}1 2 3{{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.file	1 "k.hip"
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	.loc	1 2 3
	v_add_f32_e32 v4, v1, v1
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
