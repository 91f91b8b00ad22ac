; Rows of A and the vector B are loaded along the steps, and all begin in one bank: every product
; collides, and so do any two that share a factor of B. Tuples begin in other banks now, as wholes.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s --score 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: FileCheck %s < %t.s
; RUN: %isa-parse --json %t.s | FileCheck %s --check-prefix=COUNT
; SCORE: k: VALU 10 -> 5, single FMACs 8 -> 0, conflicts 8 -> 0, hazards 0 -> 0, {{[0-9]+}} values in other registers, 0 more LDS loads, proven
; CHECK-COUNT-2: ds_load_b128
; CHECK-COUNT-2: ds_load_2addr_stride64_b32
; CHECK-COUNT-4: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; COUNT: "source_bank_conflicts": 0

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 5, v0
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	global_load_b64 v[2:3], v0, s[0:1]
	ds_load_b128 v[4:7], v0
	ds_load_b128 v[8:11], v0 offset:32
	ds_load_2addr_stride64_b32 v[12:13], v1 offset1:1
	ds_load_2addr_stride64_b32 v[14:15], v1 offset0:2 offset1:3
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v2, v4, v12
	v_fmac_f32_e32 v3, v8, v12
	v_fmac_f32_e32 v2, v5, v13
	v_fmac_f32_e32 v3, v9, v13
	v_fmac_f32_e32 v2, v6, v14
	v_fmac_f32_e32 v3, v10, v14
	v_fmac_f32_e32 v2, v7, v15
	v_fmac_f32_e32 v3, v11, v15
	global_store_b64 v0, v[2:3], s[0:1]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 65536
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
