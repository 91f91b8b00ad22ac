; v_add_f16 leaves the upper half of v4 as the move in front of it made it: both stay in order, in one register.
; RUN: %dualfmac-sched rewrite --dual-issue %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %hsaco-loader inspect --launch-template %s > %t.json
; RUN: %hsaco-loader verify --against %s %t.s --launch %t.json
; CHECK: mov_b32{{[_a-z0-9]*}} [[REG:v[0-9]+]], 0x40a00000
; CHECK: v_add_f16_e32 [[REG]], v3, v3
; CHECK: [[REG]]

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_cvt_f32_u32_e32 v2, v0
	v_mov_b32_e32 v3, v2
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v4, 0x40a00000
	v_add_f16_e32 v4, v3, v3
	v_fmac_f32_e32 v5, v2, v4
	v_fmac_f32_e32 v6, v2, v4
	v_fmac_f32_e32 v7, v3, v4
	v_add_f32_e32 v5, v5, v6
	v_add_f32_e32 v5, v5, v7
	s_waitcnt lgkmcnt(0)
	global_store_b32 v1, v5, s[4:5]
	s_endpgm
.Lend:
	.size	k, .Lend-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 2
		.amdhsa_kernarg_size 8
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 32
    .name: k
    .private_segment_fixed_size: 0
    .sgpr_count: 16
    .symbol: k.kd
    .vgpr_count: 16
    .wavefront_size: 32
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.version: [1, 2]
...
	.end_amdgpu_metadata
