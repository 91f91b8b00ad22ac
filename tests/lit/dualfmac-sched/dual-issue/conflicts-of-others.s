; A sum and a maximum that share an instruction, and a bank: no FMA, no tile, no loop. One of the
; four values goes to a register of another bank.
; RUN: %dualfmac-sched rewrite --dual-issue --score %s -o %t.s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; SCORE: VALU 1 -> 1, {{.*}} conflicts 1 -> 0, {{.*}} 1 values in other registers
; CHECK: v_dual_add_f32 v2, v{{[0-9]+}}, v5 :: v_dual_max_f32 v3, v{{[0-9]+}}, v{{[0-9]+}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v4, v0
	ds_load_b32 v5, v0 offset:4
	ds_load_b32 v8, v0 offset:8
	ds_load_b32 v6, v0 offset:12
	s_waitcnt lgkmcnt(0)
	v_dual_add_f32 v2, v4, v5 :: v_dual_max_f32 v3, v6, v8
	global_store_b64 v0, v[2:3], s[0:1]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
