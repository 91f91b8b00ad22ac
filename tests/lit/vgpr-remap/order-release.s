; In CU mode an LDS store, a wait and a plain store may be a release: the flag stays behind the wait.
; RUN: %vgpr-remap %s | grep -v '^; [A-Z]' | FileCheck %s
; RUN: %dualfmac-sched rewrite --waits %s | grep -v '^; [A-Z]' | FileCheck %s

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	s_waitcnt vmcnt(0)
.Lloop:
	v_fmac_f32_e32 v1, v5, v9
	v_fmac_f32_e32 v2, v5, v13
	ds_store_b32 v20, v1
	s_waitcnt lgkmcnt(0)
	global_store_b32 v21, v30, s[4:5]
	v_fmac_f32_e32 v3, v6, v9
	v_fmac_f32_e32 v4, v6, v13
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .Lloop
	global_store_b128 v23, v[1:4], s[6:7]
	s_endpgm

; CHECK: .Lloop:
; CHECK: ds_store_b32
; CHECK: s_waitcnt lgkmcnt(0)
; CHECK: global_store_b32 v21, v30
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
