; A pointer that scalar code moves by 64 bits an iteration is the base where it is.
; RUN: %dualfmac-sched rewrite --sgpr-base --assume=no-index-wrap %s | grep -v '^; [A-Z]' | FileCheck %s
; CHECK: .Lloop:
; CHECK-NEXT: v_lshlrev_b32_e32 v2, 2, v0
; CHECK-NEXT: global_load_b32 v6, v2, s[4:5] offset:16
; CHECK-NEXT: s_add_u32 s4, s4, s10
; CHECK-NEXT: s_addc_u32 s5, s5, s11
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[2:3], s[0:1], 0x10
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v8, 0
	s_mov_b32 s8, 0
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s10, 0x12345678
	s_mov_b32 s11, 1
.Lloop:
	v_lshlrev_b32_e32 v2, 2, v0
	v_add_co_u32 v4, vcc_lo, s4, v2
	v_add_co_ci_u32_e64 v5, null, s5, 0, vcc_lo
	global_load_b32 v6, v[4:5], off offset:16
	s_add_u32 s4, s4, s10
	s_addc_u32 s5, s5, s11
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v8, v8, v6
	s_add_i32 s8, s8, 1
	s_cmp_lg_u32 s8, s2
	s_cbranch_scc1 .Lloop
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_b32 v0, v8, s[6:7]
	s_endpgm
.Lend:
	.size	k, .Lend-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_kernarg_size 24
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
