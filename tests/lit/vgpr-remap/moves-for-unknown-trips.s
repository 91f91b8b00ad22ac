; A loop whose trip count nobody knows may run once: moves around it must not be more than one
; iteration saves. A loop that is known to run 64 times pays for them.
; RUN: sed 's/^;.*//; s/LIMIT/s9/' %s > %t.unknown.s
; RUN: sed 's/^;.*//; s/LIMIT/64/' %s > %t.known.s
; RUN: bash -c '%dualfmac-sched rewrite --vgpr-remap %t.unknown.s -o %t.out.s > %t.err 2>&1'
; RUN: cmp %t.unknown.s %t.out.s
; RUN: FileCheck --check-prefix=LEFT %s < %t.err
; RUN: %dualfmac-sched rewrite --vgpr-remap --score %t.known.s -o %t.out.s 2>&1 | FileCheck --check-prefix=MADE %s
; LEFT: left as it is: {{[0-9]+}} moves around the loop would cost more than it gains
; MADE: VALU 2 -> 1, dual FMAC 0 -> 1, single 2 -> 0, conflicts 0 -> 0, hazards 0 -> 0, moves {{[1-9]}} + {{[1-9]}}, proven
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_cvt_f32_u32_e32 v4, v0
	v_add_f32_e32 v6, v4, v4
	v_add_f32_e32 v9, v4, v6
	v_add_f32_e32 v12, v9, v6
	s_mov_b32 s0, 0
.Lloop:
	v_fmac_f32_e32 v4, v9, v9
	v_fmac_f32_e32 v6, v12, v12
	s_add_i32 s0, s0, 1
	s_cmp_lg_u32 s0, LIMIT
	s_cbranch_scc1 .Lloop
	ds_store_2addr_b32 v0, v4, v6 offset1:1
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
