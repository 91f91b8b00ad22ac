; Code behind the block counts both: the load is waited for by a count of two.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s 2> %t.err | cmp - %s
; RUN: grep "is as it was: nothing to improve for --merge-stores" %t.err
; RUN: bash -c 'test $(grep -c remark: %t.err) = 1'

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v3, v4
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	s_cbranch_scc1 .Lelse
	s_nop 0
.Lelse:
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v6, v3, v3
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
