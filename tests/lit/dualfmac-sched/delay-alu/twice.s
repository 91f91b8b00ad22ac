; Of two in one place the last one counts; the other one goes.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; SCORE: k: 0 s_delay_alu set, 1 removed, proven
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu 0x1{{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	s_delay_alu 0x3
	s_delay_alu 0x1
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
