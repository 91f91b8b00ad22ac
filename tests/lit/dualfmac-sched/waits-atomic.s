; Around atomics and loads with cache bits a wait stays as far as it orders anything for other waves: what an
; access finds complete here it finds complete there.
; RUN: %dualfmac-sched rewrite --waits %s | grep -v '^; [A-Z]' | FileCheck %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v1, v[10:11], off glc
	global_load_b32 v2, v[10:11], off offset:4
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v4, v1
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v5, v2
	s_cbranch_scc1 .Lend
	global_load_b32 v1, v[10:11], off
	s_waitcnt vmcnt(0)
	s_waitcnt vmcnt(0)
	ds_add_u32 v0, v1
.Lend:                                  ; two waits that would be one without the atomic
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v20, v1, v1
	v_fmac_f32_e32 v21, v1, v1
	v_fmac_f32_e32 v22, v1, v1
	v_fmac_f32_e32 v23, v1, v1
	v_fmac_f32_e32 v24, v1, v1
	v_fmac_f32_e32 v25, v1, v1
	v_fmac_f32_e32 v26, v1, v1
	v_fmac_f32_e32 v27, v1, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v30, v2, v2
	v_fmac_f32_e32 v31, v2, v2
	v_fmac_f32_e32 v32, v2, v2
	v_fmac_f32_e32 v33, v2, v2
	v_fmac_f32_e32 v34, v2, v2
	v_fmac_f32_e32 v35, v2, v2
	v_fmac_f32_e32 v36, v2, v2
	v_fmac_f32_e32 v37, v2, v2
	ds_add_u32 v0, v1
	s_cbranch_scc1 .Lend
	s_waitcnt vmcnt(0)
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

; CHECK: offset:4
; CHECK-NEXT: s_waitcnt vmcnt(1)
; CHECK-NEXT: v_mov_b32_e32 v4, v1
; CHECK-NEXT: s_waitcnt vmcnt(0)
; CHECK: s_waitcnt vmcnt(0)
; CHECK-NEXT: ds_add_u32
; CHECK: ds_load_b32 v2
; CHECK-NEXT: s_waitcnt lgkmcnt(0)
; CHECK-NOT: s_waitcnt
; CHECK: s_endpgm
