; In loops the LDS loads of a run of FMACs are waited for once, if the run is worth it.
; RUN: %dualfmac-sched rewrite --waits --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --waits %t.s | cmp - %t.s
; SCORE: k: 6 waits -> 4, 1 of them changed, proven
; CHECK: .Lrun:
; CHECK: ds_load_b32 v3
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NOT: s_waitcnt
; CHECK: s_cbranch_scc1 .Lrun
; CHECK: .Lshort:
; CHECK: s_waitcnt lgkmcnt(2)
; CHECK: s_waitcnt lgkmcnt(1)
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: s_cbranch_scc1 .Lshort

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_movk_i32 s4, 0x10
.Lrun:
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	ds_load_b32 v3, v0 offset:8
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v40, v3, v3
	v_fmac_f32_e32 v41, v3, v3
	v_fmac_f32_e32 v42, v3, v3
	v_fmac_f32_e32 v43, v3, v3
	v_fmac_f32_e32 v44, v3, v3
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lrun
	s_movk_i32 s4, 0x10
.Lshort:
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	ds_load_b32 v3, v0 offset:8
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v40, v3, v3
	v_fmac_f32_e32 v41, v3, v3
	v_fmac_f32_e32 v42, v3, v3
	v_fmac_f32_e32 v43, v3, v3
	v_fmac_f32_e32 v44, v3, v3
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lshort
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
