; Four sums of one parity need other registers. Around the loop that is six moves, which its 64 iterations pay
; for; in the whole function it is none, so where --dual-issue comes behind the remapping leaves it to that.
; RUN: %vgpr-remap --score %s -o %t.s 2>&1 | FileCheck --check-prefix=BOTH %s
; RUN: %dualfmac-sched rewrite --vgpr-remap --score %s -o %t.s 2>&1 | FileCheck --check-prefix=ALONE %s
; RUN: %dualfmac-sched rewrite --no-dual-issue --score %s -o %t.s 2>&1 | FileCheck --check-prefix=ALONE %s
; BOTH-NOT: moves {{[0-9]}}
; BOTH: k: VALU 9 -> 7, single FMACs 4 -> 0, conflicts 0 -> 0, hazards 0 -> 0, 2 values in other registers
; BOTH-NOT: moves {{[0-9]}}
; ALONE: k .Lloop: VALU 4 -> 2, dual FMAC 0 -> 2, single 4 -> 0, conflicts 0 -> 0, hazards 0 -> 0, moves 3 + 3, proven
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_lshlrev_b32_e32 v1, 4, v0
	v_cvt_f32_u32_e32 v4, v0
	v_add_f32_e32 v6, v4, v4
	v_add_f32_e32 v12, v4, v6
	v_add_f32_e32 v14, v12, v6
	s_mov_b32 s0, 0
.Lloop:
	ds_load_2addr_b32 v[8:9], v1 offset1:1
	ds_load_2addr_b32 v[10:11], v1 offset0:2 offset1:3
	s_add_i32 s0, s0, 1
	s_cmp_lg_u32 s0, 64
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v4, v8, v10
	v_fmac_f32_e32 v6, v8, v11
	v_fmac_f32_e32 v12, v9, v10
	v_fmac_f32_e32 v14, v9, v11
	s_cbranch_scc1 .Lloop
	ds_store_2addr_b32 v1, v4, v6 offset1:1
	ds_store_2addr_b32 v1, v12, v14 offset0:2 offset1:3
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
