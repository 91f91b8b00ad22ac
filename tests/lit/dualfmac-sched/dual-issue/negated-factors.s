; Half of a complex product subtracts. No VOPD slot negates, so the negated value has a register of
; its own, and its four FMAs are FMACs with partners.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s --score 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --dual-issue %t.s | cmp - %t.s
; SCORE: k: VALU 9 -> 6, single FMACs 8 -> 0, {{.*}}, 1 negated factors in registers of their own, proven
; CHECK: 0x80000000
; CHECK-NOT: v_fma_f32
; CHECK: s_endpgm

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v24, 5, v0
	s_waitcnt lgkmcnt(0)
	s_clause 0x3
	global_load_b128 v[4:7], v24, s[0:1]
	global_load_b128 v[8:11], v24, s[0:1] offset:16
	global_load_b128 v[12:15], v24, s[0:1] offset:32
	global_load_b128 v[16:19], v24, s[0:1] offset:48
	s_waitcnt vmcnt(0)
	v_fma_f32 v12, -v5, v10, v12
	v_fmac_f32_e32 v13, v4, v11
	v_fma_f32 v14, -v5, v6, v14
	v_fmac_f32_e32 v15, v4, v7
	v_fma_f32 v16, -v5, v10, v16
	v_fmac_f32_e32 v17, v4, v11
	v_fma_f32 v18, -v5, v6, v18
	v_fmac_f32_e32 v19, v4, v7
	global_store_b128 v24, v[12:15], s[0:1]
	global_store_b128 v24, v[16:19], s[0:1] offset:16
	global_store_b64 v24, v[4:5], s[0:1] offset:64
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
