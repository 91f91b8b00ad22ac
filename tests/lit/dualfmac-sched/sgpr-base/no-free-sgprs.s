; All 106 SGPRs are taken, so there is no room for a second pointer: each access gets an offset of its own.
; RUN: %dualfmac-sched rewrite --sgpr-base --assume=no-index-wrap %s | grep -v '^; [A-Z]' | FileCheck %s
; CHECK: .Lloop:
; CHECK-DAG: v_add_lshl_u32 [[A:v[0-9]+]], s8, v1, 2
; CHECK-DAG: v_add_lshl_u32 [[B:v[0-9]+]], s8, v9, 2
; CHECK: global_load_b32 v6, [[A]], s[4:5]
; CHECK: global_load_b32 v7, [[B]], s[4:5]
; CHECK-NOT: s_add_u32
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
	s_load_b32 s9, s[0:1], 0x0
	s_load_b32 s10, s[0:1], 0x0
	s_load_b32 s11, s[0:1], 0x0
	s_load_b32 s12, s[0:1], 0x0
	s_load_b32 s13, s[0:1], 0x0
	s_load_b32 s14, s[0:1], 0x0
	s_load_b32 s15, s[0:1], 0x0
	s_load_b32 s16, s[0:1], 0x0
	s_load_b32 s17, s[0:1], 0x0
	s_load_b32 s18, s[0:1], 0x0
	s_load_b32 s19, s[0:1], 0x0
	s_load_b32 s20, s[0:1], 0x0
	s_load_b32 s21, s[0:1], 0x0
	s_load_b32 s22, s[0:1], 0x0
	s_load_b32 s23, s[0:1], 0x0
	s_load_b32 s24, s[0:1], 0x0
	s_load_b32 s25, s[0:1], 0x0
	s_load_b32 s26, s[0:1], 0x0
	s_load_b32 s27, s[0:1], 0x0
	s_load_b32 s28, s[0:1], 0x0
	s_load_b32 s29, s[0:1], 0x0
	s_load_b32 s30, s[0:1], 0x0
	s_load_b32 s31, s[0:1], 0x0
	s_load_b32 s32, s[0:1], 0x0
	s_load_b32 s33, s[0:1], 0x0
	s_load_b32 s34, s[0:1], 0x0
	s_load_b32 s35, s[0:1], 0x0
	s_load_b32 s36, s[0:1], 0x0
	s_load_b32 s37, s[0:1], 0x0
	s_load_b32 s38, s[0:1], 0x0
	s_load_b32 s39, s[0:1], 0x0
	s_load_b32 s40, s[0:1], 0x0
	s_load_b32 s41, s[0:1], 0x0
	s_load_b32 s42, s[0:1], 0x0
	s_load_b32 s43, s[0:1], 0x0
	s_load_b32 s44, s[0:1], 0x0
	s_load_b32 s45, s[0:1], 0x0
	s_load_b32 s46, s[0:1], 0x0
	s_load_b32 s47, s[0:1], 0x0
	s_load_b32 s48, s[0:1], 0x0
	s_load_b32 s49, s[0:1], 0x0
	s_load_b32 s50, s[0:1], 0x0
	s_load_b32 s51, s[0:1], 0x0
	s_load_b32 s52, s[0:1], 0x0
	s_load_b32 s53, s[0:1], 0x0
	s_load_b32 s54, s[0:1], 0x0
	s_load_b32 s55, s[0:1], 0x0
	s_load_b32 s56, s[0:1], 0x0
	s_load_b32 s57, s[0:1], 0x0
	s_load_b32 s58, s[0:1], 0x0
	s_load_b32 s59, s[0:1], 0x0
	s_load_b32 s60, s[0:1], 0x0
	s_load_b32 s61, s[0:1], 0x0
	s_load_b32 s62, s[0:1], 0x0
	s_load_b32 s63, s[0:1], 0x0
	s_load_b32 s64, s[0:1], 0x0
	s_load_b32 s65, s[0:1], 0x0
	s_load_b32 s66, s[0:1], 0x0
	s_load_b32 s67, s[0:1], 0x0
	s_load_b32 s68, s[0:1], 0x0
	s_load_b32 s69, s[0:1], 0x0
	s_load_b32 s70, s[0:1], 0x0
	s_load_b32 s71, s[0:1], 0x0
	s_load_b32 s72, s[0:1], 0x0
	s_load_b32 s73, s[0:1], 0x0
	s_load_b32 s74, s[0:1], 0x0
	s_load_b32 s75, s[0:1], 0x0
	s_load_b32 s76, s[0:1], 0x0
	s_load_b32 s77, s[0:1], 0x0
	s_load_b32 s78, s[0:1], 0x0
	s_load_b32 s79, s[0:1], 0x0
	s_load_b32 s80, s[0:1], 0x0
	s_load_b32 s81, s[0:1], 0x0
	s_load_b32 s82, s[0:1], 0x0
	s_load_b32 s83, s[0:1], 0x0
	s_load_b32 s84, s[0:1], 0x0
	s_load_b32 s85, s[0:1], 0x0
	s_load_b32 s86, s[0:1], 0x0
	s_load_b32 s87, s[0:1], 0x0
	s_load_b32 s88, s[0:1], 0x0
	s_load_b32 s89, s[0:1], 0x0
	s_load_b32 s90, s[0:1], 0x0
	s_load_b32 s91, s[0:1], 0x0
	s_load_b32 s92, s[0:1], 0x0
	s_load_b32 s93, s[0:1], 0x0
	s_load_b32 s94, s[0:1], 0x0
	s_load_b32 s95, s[0:1], 0x0
	s_load_b32 s96, s[0:1], 0x0
	s_load_b32 s97, s[0:1], 0x0
	s_load_b32 s98, s[0:1], 0x0
	s_load_b32 s99, s[0:1], 0x0
	s_load_b32 s100, s[0:1], 0x0
	s_load_b32 s101, s[0:1], 0x0
	s_load_b32 s102, s[0:1], 0x0
	s_load_b32 s103, s[0:1], 0x0
	s_load_b32 s104, s[0:1], 0x0
	s_load_b32 s105, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
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
	global_load_b32 v7, v[4:5], off
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
		.amdhsa_next_free_sgpr 106
	.end_amdhsa_kernel
