; Values that change their registers one by one may be what cannot be proven: the lane that is read
; of v97 is one that nothing in this text switches on. Then it is tried without them before all
; values stay at home.
; RUN: %dualfmac-sched rewrite --dual-issue --score %s -o %t.s 2>&1 | FileCheck %s
; CHECK: remark: --dual-issue in 'k' was taken back, it could not be proven: {{.*}} in lanes that are switched off
; CHECK: k: VALU {{.*}}, conflicts 2 -> 1, {{.*}}, 1 values in other registers, 0 more LDS loads, proven

k:
	global_load_b128 v[94:97], v1, s[4:5] offset:104
	s_and_saveexec_b32 s40, vcc_lo
	v_cndmask_b32_e32 v78, v73, v69, vcc_lo
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_dual_add_f32 v85, v87, v95 :: v_dual_mov_b32 v96, v80
	s_and_saveexec_b32 s43, vcc_lo
	s_branch .LBB0_6
	s_or_b32 exec_lo, exec_lo, s44
.LBB0_6:
	v_readfirstlane_b32 s24, v97
	s_cmp_lt_i32 s24, 0
	v_fmac_f32_e32 v83, v78, v82
	s_branch .LBB0_8
.LBB0_8:
	s_endpgm
	.amdhsa_kernel k
	.amdhsa_next_free_vgpr 104
	.amdhsa_next_free_sgpr 100
	.end_amdhsa_kernel
