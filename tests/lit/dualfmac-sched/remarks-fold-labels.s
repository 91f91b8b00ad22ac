; One remark of a kind, whatever the labels in it are called.
; RUN: %dualfmac-sched --unroll %s -o %t.s 2>&1 | FileCheck %s
; CHECK: remark: first_1 is not unrolled: the loop does not end with a branch on SCC
; CHECK: note: 1 more like it, at line {{[0-9]+}} (--all-remarks prints them)
; CHECK-NEXT: nothing changed: the output is the input, byte for byte

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
first_1:
	v_add_nc_u32_e32 v1, 1, v1
	v_cmp_gt_u32_e32 vcc_lo, 8, v1
	s_cbranch_vccnz first_1
second_loop2:
	v_add_nc_u32_e32 v1, -1, v1
	v_cmp_lt_u32_e32 vcc_lo, 2, v1
	s_cbranch_vccnz second_loop2
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
