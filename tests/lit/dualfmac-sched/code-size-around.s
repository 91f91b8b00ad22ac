; A loop around the one that is written out goes round as well, so it has to stay in the cache, too.
; RUN: %dualfmac-sched rewrite --unroll --max-code-bytes 80 %s 2> %t.err > %t.s
; RUN: FileCheck %s < %t.err
; RUN: cmp %s %t.s
; RUN: %dualfmac-sched rewrite --unroll --max-code-bytes 110 %s 2>&1 >%t.s | FileCheck --check-prefix=FITS --allow-empty %s
; RUN: not cmp -s %s %t.s
; CHECK: remark: .Linner is not unrolled: with its 4 iterations a loop around it would be {{[0-9]+}} bytes of code, more than 80 (--max-code-bytes)
; FITS-NOT: .Linner is not unrolled

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_mov_b32 s5, s6
.Louter:
	s_mov_b32 s4, 0
.Linner:
	v_add_f32_e32 v1, v1, v2
	v_mul_f32_e32 v3, v3, v2
	s_add_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 4
	s_cbranch_scc1 .Linner
	v_add_f32_e32 v4, v4, v1
	v_add_f32_e32 v5, v5, v3
	s_sub_i32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 .Louter
	global_store_b64 v6, v[4:5], s[0:1]
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
