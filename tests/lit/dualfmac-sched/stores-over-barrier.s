; Not across a barrier, a cache operation or a wait that releases stores.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s 2> %t.err | cmp - %s
; RUN: grep "is as it was: nothing to improve for --merge-stores" %t.err
; RUN: bash -c 'test $(grep -c remark: %t.err) = 1'

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b32 v0, v1
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_store_b32 v0, v2 offset:4
	buffer_gl0_inv
	ds_store_b32 v0, v1 offset:8
	s_waitcnt_vscnt null, 0x0
	ds_store_b32 v0, v1 offset:12
	s_dcache_inv
	ds_store_b32 v0, v1 offset:16
	s_waitcnt lgkmcnt(0)
	s_barrier
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
