; What is added to s_getpc_b64 counts from where that stands, so nothing comes between.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; CHECK: k:{{$}}
; CHECK-NEXT: s_getpc_b64 s[4:5]{{$}}
; CHECK-NEXT: s_add_u32 s4, s4, table@rel32@lo+4{{$}}
; CHECK-NEXT: s_addc_u32 s5, s5, table@rel32@hi+12{{$}}
; CHECK-NEXT: s_delay_alu instid0(SALU_CYCLE_1){{$}}
; CHECK-NEXT: v_add_co_u32 v1, s6, s5, v0{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, table@rel32@lo+4
	s_addc_u32 s5, s5, table@rel32@hi+12
	v_add_co_u32 v1, s6, s5, v0
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
