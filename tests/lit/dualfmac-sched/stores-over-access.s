; Not across another LDS access: lanes may meet there, even if each lane's own are apart.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s 2> %t.err | cmp - %s
; RUN: grep "is as it was: nothing to improve for --merge-stores" %t.err
; RUN: bash -c 'test $(grep -c remark: %t.err) = 1'

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:2052
	ds_store_b32 v0, v3 offset:8
	ds_load_b32 v4, v5
	ds_store_b32 v0, v3 offset:16
	flat_load_b32 v4, v[10:11]
	ds_store_b32 v0, v3 offset:20
	s_waitcnt vmcnt(0) lgkmcnt(0)
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
