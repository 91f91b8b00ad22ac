; In no loop a pointer serves but once. Where it is there already the divergent offset alone is left to compute;
; accesses whose pointer would take more to make than it saves stay. With --region all of them do.
; RUN: %dualfmac-sched rewrite --sgpr-base --score %s 2> %t.err | grep -v '^; [A-Z]' | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --sgpr-base --region .Lloop %s | cmp - %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b128 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v0, 0xff, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_add_co_u32 v2, vcc_lo, s4, v0
	v_add_co_ci_u32_e64 v3, null, s5, v1, vcc_lo
	v_add_co_u32 v4, vcc_lo, s6, v0
	v_add_co_ci_u32_e64 v5, null, s7, v1, vcc_lo
	global_load_b32 v6, v[2:3], off
	s_mov_b32 s10, 4
.Lloop:
	s_add_i32 s10, s10, -1
	s_cmp_lg_u32 s10, 0
	s_cbranch_scc1 .Lloop
	s_waitcnt vmcnt(0)
	global_store_b32 v[4:5], v6, off
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

; CHECK: k:
; CHECK-NOT: v_add_co
; CHECK: global_load_b32 v6, v{{[0-9]+}}, s[4:5]
; CHECK: global_store_b32 v{{[0-9]+}}, v6, s[6:7]
; SCORE: k: 2 global accesses with 2 SGPR bases and 1 offsets, outside loops instructions {{.*}}, proven
