; Two rows that lie 16 strides apart share one offset; the distance is added to the pointer before the
; loop. The number of SGPRs follows, that of VGPRs does not change.
; RUN: %dualfmac-sched rewrite --sgpr-base --clause --assume=no-index-wrap %s | grep -v '^; [A-Z]' | FileCheck %s
; CHECK: s_mul_i32 s[[D:[0-9]+]], s3, 64
; CHECK-NEXT: s_mul_hi_u32 s[[DH:[0-9]+]], s3, 64
; CHECK-NEXT: s_add_u32 s[[L:[0-9]+]], s4, s[[D]]
; CHECK-NEXT: s_addc_u32 s[[H:[0-9]+]], s5, s[[DH]]
; CHECK: .Lloop:
; CHECK-NEXT: v_add_lshl_u32 [[OFFSET:v[0-9]+]], s8, v1, 2
; CHECK-NEXT: s_clause
; CHECK-NEXT: global_load_b32 v6, [[OFFSET]], s[4:5]
; CHECK-NEXT: global_load_b32 v7, [[OFFSET]], s{{\[}}[[L]]:[[H]]] offset:4
; CHECK: .amdhsa_next_free_vgpr 12
; CHECK-NEXT: .amdhsa_next_free_sgpr 14
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
	v_mul_lo_u32 v1, v0, s3
	s_lshl_b32 s9, s3, 4
	v_add_nc_u32_e32 v9, s9, v1
.Lloop:
	v_add_nc_u32_e32 v2, s8, v1
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc_lo, s4, v4
	v_add_co_ci_u32_e64 v5, null, s5, v5, vcc_lo
	global_load_b32 v6, v[4:5], off
	v_add_nc_u32_e32 v2, s8, v9
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc_lo, s4, v4
	v_add_co_ci_u32_e64 v5, null, s5, v5, vcc_lo
	global_load_b32 v7, v[4:5], off offset:4
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
		.amdhsa_next_free_sgpr 10
	.end_amdhsa_kernel
