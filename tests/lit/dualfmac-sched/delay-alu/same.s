; Lines that say the same in other words stay, byte for byte.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: grep "is as it was: nothing to improve for --delay-alu" %t.err
; RUN: bash -c 'test $(grep -c remark: %t.err) = 1'

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
  s_delay_alu   instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)   // so
	v_add_f32_e32 v4, v1, v1
	v_add_f32_e32 v5, v4, v4
	v_rcp_f32_e32 v6, v3
	s_delay_alu 0x5
	v_mul_f32_e32 v7, v6, v6
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
