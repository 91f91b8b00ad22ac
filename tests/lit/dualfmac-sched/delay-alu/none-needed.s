; Nothing to tell: memory instructions wait for the VALU themselves, conditions are not counted.
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
	v_cmp_gt_f32_e32 vcc_lo, v2, v3
	v_cndmask_b32_e32 v4, v5, v6, vcc_lo
	v_lshlrev_b32_e32 v7, 2, v0
	ds_store_b32 v7, v4
	v_add_f32_e32 v8, v4, v1
	s_waitcnt lgkmcnt(0)
	global_load_b32 v9, v7, s[0:1]
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v10, v9, v9
	s_cmp_lg_u32 s4, 0
	s_cselect_b32 s5, s6, s7
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
