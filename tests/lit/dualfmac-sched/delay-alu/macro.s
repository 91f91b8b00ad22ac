; A block in which a macro's line would have to change is left, all of it.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: FileCheck --check-prefix=ERR %s < %t.err
; ERR: macro.s:[[#]]:1: remark: the s_delay_alu of this block stay

	.macro	sums r
	v_add_f32_e32 \r, v4, v4
	s_delay_alu instid0(VALU_DEP_4)
	v_add_f32_e32 v8, \r, \r
	.endm
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_add_f32_e32 v4, v1, v1
	sums v5
	v_mov_b32_e32 v9, v8
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
