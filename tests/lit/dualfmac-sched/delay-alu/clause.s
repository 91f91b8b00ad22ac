; Nothing comes between the members of a clause.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: FileCheck --check-prefix=ERR %s < %t.err
; ERR: clause.s:[[#]]:1: remark: no s_delay_alu is set here

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	s_clause 0x1
	v_add_f32_e32 v4, v1, v1
	v_add_f32_e32 v5, v4, v4
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
