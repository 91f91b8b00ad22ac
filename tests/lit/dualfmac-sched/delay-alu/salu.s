; Scalar results are counted in cycles; two instructions later they are there.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: s_mov_b32 s4, 5{{$}}
; CHECK-NEXT: s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: s_add_i32 s5, s4, 1{{$}}
; CHECK-NEXT: s_mov_b32 s6, 7{{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v1, s5, v0{{$}}
; CHECK-NEXT: v_add_nc_u32_e32 v2, s6, v1{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s4, 5
	s_add_i32 s5, s4, 1
	s_mov_b32 s6, 7
	v_add_nc_u32_e32 v1, s5, v0
	v_add_nc_u32_e32 v2, s6, v1
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
