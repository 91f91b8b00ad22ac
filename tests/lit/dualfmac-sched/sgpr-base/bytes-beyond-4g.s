; The index is 2^30 or more: four times it never fits 32 bits, so the assumption cannot hold and is not made.
; The 64-bit computation stays.
; RUN: %dualfmac-sched rewrite --sgpr-base --assume=no-index-wrap %s 2>/dev/null | grep -v '^; [A-Z]' | FileCheck %s

; CHECK-NOT: rdna-assume
; CHECK: v_lshlrev_b64
; CHECK: global_load_b32 v14, v[12:13], off

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_or_b32_e32 v10, 0x40000000, v0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v1, 0
.Lloop:
	v_lshlrev_b64 v[12:13], 2, v[10:11]
	v_add_co_u32 v12, vcc_lo, s4, v12
	v_add_co_ci_u32_e32 v13, vcc_lo, s5, v13, vcc_lo
	global_load_b32 v14, v[12:13], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, v14, v14
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s10
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[8:9]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
