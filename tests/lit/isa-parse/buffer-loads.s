; Buffer loads are loads from global memory.
; RUN: %isa-parse --json %s | FileCheck %s

; CHECK: "ds_loads": 1,
; CHECK: "global_loads": 3,

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
.LBB0_1:
	buffer_load_b32 v1, v0, s[4:7], 0 offen
	buffer_load_b128 v[4:7], off, s[4:7], 0 offset:16
	global_load_b32 v2, v0, s[2:3]
	ds_load_b32 v3, v0
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v8, v1, v2
	s_add_i32 s8, s8, -1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
