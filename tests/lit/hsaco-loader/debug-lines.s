; What clang -g writes itself is no warning.
; RUN: %hsaco-loader assemble %s -o %t.hsaco 2>&1 | FileCheck %s --allow-empty
; CHECK-NOT: warning
; CHECK-NOT: MD5

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.file	0 "/src" "a.hip" md5 0x0123456789abcdef0123456789abcdef
	.file	1 "/src" "b.h"
	.globl	k
	.p2align	8
	.type	k,@function
k:
	.loc	0 1 0
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 1
    .vgpr_count: 1
    .max_flat_workgroup_size: 32
...
	.end_amdgpu_metadata
