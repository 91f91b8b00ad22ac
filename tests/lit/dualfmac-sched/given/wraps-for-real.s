; Hostile: within the range that is given the index does wrap, or may. Nothing changes then.
; N * workitem wraps from 4 * 63 * (N + 1) = 2^32 on; the loop runs until the counter meets N, and with N = 0 it
; meets all other numbers first.
; RUN: %dualfmac-sched rewrite --sgpr-base --given 'kernarg+16<=64' --given 'kernarg+20<=17043521' %s -o %t.s 2>&1 | FileCheck --check-prefix=ZERO %s
; RUN: cmp %s %t.s
; RUN: %dualfmac-sched rewrite --sgpr-base --given 'kernarg+16==64' --given 'kernarg+20<=17043521' %s -o %t.s 2>&1 | FileCheck --check-prefix=ZERO %s
; RUN: cmp %s %t.s
; RUN: %dualfmac-sched rewrite --sgpr-base --score --given 'kernarg+16==64' --given 'kernarg+20<=17043520' %s -o %t.s 2>&1 | FileCheck %s
; RUN: not cmp %s %t.s
; ZERO-NOT: proven for
; ZERO: --sgpr-base in 'k' was taken back
; ZERO-NOT: proven for
; CHECK: 1 global accesses with {{.*}} proven for kernarg+16 == 64, kernarg+20 <= 17043520
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[2:3], s[0:1], 0x10
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v8, 0
	s_mov_b32 s8, 0
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v0, s3
.Lloop:
	v_add_nc_u32_e32 v2, s8, v1
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc_lo, s4, v4
	v_add_co_ci_u32_e64 v5, null, s5, v5, vcc_lo
	global_load_b32 v6, v[4:5], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v8, v8, v6
	s_add_i32 s8, s8, 1
	s_cmp_lg_u32 s8, s2
	s_cbranch_scc1 .Lloop
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_b32 v0, v8, s[6:7]
	s_endpgm
.Lend:
	.size	k, .Lend-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .max_flat_workgroup_size: 64
amdhsa.version: [ 1, 2 ]
...
	.end_amdgpu_metadata
