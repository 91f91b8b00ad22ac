; The later one cannot move up if its data is not there yet: computed, or still loaded.
; RUN: %dualfmac-sched rewrite --merge-stores --score %s 2> %t.err | cmp - %s
; RUN: grep "is as it was: nothing to improve for --merge-stores" %t.err
; RUN: bash -c 'test $(grep -c remark: %t.err) = 1'

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b32 v2, v[10:11], off
	ds_store_b32 v0, v1
	v_add_f32_e32 v1, v4, v5
	s_waitcnt vmcnt(0)
	ds_store_b32 v0, v2 offset:4
	v_add_f32_e32 v2, v4, v5
	ds_store_b32 v0, v2 offset:8
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
