; The compiler waits for everything before the store, scalar loads included; a rewrite that only waited
; for the LDS load would leave open whether one from before the loop is still in flight.
; RUN: %vgpr-remap %s | grep -v '^; [A-Z]' | FileCheck %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s26, 0
.Lloop:
	v_lshl_add_u32 v22, s26, 2, v20
	ds_load_b32 v5, v21 offset:128
	s_add_i32 s26, s26, 1
	s_waitcnt lgkmcnt(0)
	ds_store_b32 v22, v8
	v_fmac_f32_e32 v8, v1, v11
	v_add_nc_u32_e32 v21, s18, v21
	v_fmac_f32_e32 v9, v10, v6
	s_cmp_lg_u32 s26, 8
	s_cbranch_scc1 .Lloop
	global_store_b32 v30, v8, s[6:7]
	global_store_b32 v30, v9, s[6:7] offset:4
	global_store_b32 v30, v5, s[6:7] offset:8
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel

; CHECK: .Lloop:
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK-NEXT: ds_store_b32
; CHECK: v_dual_fmac_f32
; CHECK: s_cbranch_scc1 .Lloop
