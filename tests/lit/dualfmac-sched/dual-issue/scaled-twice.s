; Scalars are src0, so products of one VGPR by scalars have it as src1, where the halves of a pair
; must read different banks: every other one reads a copy.
; RUN: %dualfmac-sched rewrite --dual-issue --score %s -o %t.s 2> %t.err
; RUN: FileCheck %s < %t.s
; RUN: FileCheck %s --check-prefix=SCORE < %t.err
; RUN: %dualfmac-sched rewrite --dual-issue %t.s 2>&1 | FileCheck %s --check-prefix=AGAIN
; CHECK: ds_load_b32 v1
; CHECK: v_mov_b32_e32 [[COPY:v[0-9]*[02468]]], v1
; CHECK-COUNT-3: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; CHECK-NOT: v_fmac_f32
; CHECK: ds_store_b64
; SCORE: k: VALU 9 -> 7, single FMACs 6 -> 0, {{.*}} 1 factors of scalars in a second register, proven
; AGAIN: nothing changed
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b256 s[4:11], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 4, v0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	ds_load_b64 v[4:5], v0 offset:8
	ds_load_b64 v[6:7], v0 offset:16
	s_movk_i32 s2, 64
	s_waitcnt lgkmcnt(0)
.Lloop:
	ds_load_b32 v1, v0
	s_add_i32 s2, s2, -1
	s_cmp_lg_u32 s2, 0
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v2, s4, v1
	v_fmac_f32_e32 v3, s5, v1
	v_fmac_f32_e32 v4, s6, v1
	v_fmac_f32_e32 v5, s7, v1
	v_fmac_f32_e32 v6, s8, v1
	v_fmac_f32_e32 v7, s9, v1
	s_cbranch_scc1 .Lloop
	ds_store_b64 v0, v[2:3]
	ds_store_b64 v0, v[4:5] offset:8
	ds_store_b64 v0, v[6:7] offset:16
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
