; Loads from memory between the LDS loads and the FMACs do not keep the waits apart.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; CHECK: global_load_b32 v5
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NOT: s_waitcnt lgkmcnt
; CHECK: s_cbranch_scc1

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
.Lloop:
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	global_load_b32 v5, v[10:11], off
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	global_load_b32 v6, v[10:11], off offset:4
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v7, v5, v6
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
