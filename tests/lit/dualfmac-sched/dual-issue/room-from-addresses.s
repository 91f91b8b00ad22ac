; Factors of a scalar need different parities. Where no register of the other one is free, an address gives its own away:
; of addresses no parity is asked.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s --score 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: grep -v '^;' %t.s | FileCheck %s
; SCORE: single FMACs 2 -> 0
; SCORE: proven
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[2:3], s[0:1], null
	v_lshlrev_b32_e32 v1, 4, v0
	s_waitcnt lgkmcnt(0)
	.set n, 8
	.rept 22
	global_load_b128 v[n:n+3], v1, s[2:3]
	.set n, n+4
	.endr
	v_lshlrev_b32_e32 v2, 2, v0
	v_lshl_add_u32 v4, v0, 3, 4
	global_load_b32 v3, v2, s[2:3]
	global_load_b32 v5, v4, s[2:3]
	global_load_b64 v[6:7], v1, s[2:3] offset:8
	s_waitcnt vmcnt(0)
	v_fmac_f32_e64 v6, v3, s2
	global_store_b32 v2, v6, s[2:3]
	v_fmac_f32_e64 v7, v5, s2
	global_store_b32 v4, v7, s[2:3]
	.set n, 8
	.rept 22
	global_store_b128 v1, v[n:n+3], s[2:3]
	.set n, n+4
	.endr
	global_store_b32 v1, v0, s[2:3] offset:12
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 96
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
; CHECK: v_dual_fmac_f32 v{{[0-9]*[02468]}}, s2, v{{[0-9]*[02468]}} :: v_dual_fmac_f32 v{{[0-9]*[13579]}}, s2, v{{[0-9]*[13579]}}
; CHECK: s_endpgm
