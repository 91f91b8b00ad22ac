; A long branch is one only as long as nothing comes between; hints around it are set.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=ERR %s < %t.err
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; ERR: long-branch.s:[[#]]:1: remark: no s_delay_alu is set here
; ERR: k: 1 s_delay_alu set, 0 removed, proven
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: v_add_f32_e32 v5, v4, v4{{$}}
; CHECK-NEXT: s_getpc_b64 s[4:5]{{$}}
; CHECK-NEXT: s_add_i32 s6, done, 4{{$}}
; CHECK-NEXT: s_add_u32 s4, s4, s6{{$}}
; CHECK-NEXT: s_addc_u32 s5, s5, 0{{$}}
; CHECK-NEXT: s_setpc_b64 s[4:5]{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_add_f32_e32 v4, v1, v1
	v_add_f32_e32 v5, v4, v4
	s_getpc_b64 s[4:5]
	s_add_i32 s6, done, 4
	s_add_u32 s4, s4, s6
	s_addc_u32 s5, s5, 0
	s_setpc_b64 s[4:5]
done:
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
