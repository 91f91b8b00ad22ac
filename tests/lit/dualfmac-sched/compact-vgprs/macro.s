; What a macro makes has no text of its own: its values stay where they are, and so does the count.
; RUN: %dualfmac-sched rewrite --compact-vgprs %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: FileCheck %s < %t.err
; RUN: %dualfmac-sched rewrite --compact-vgprs --expand-macros --score %s -o %t.s 2>&1 | FileCheck --check-prefix=EXPANDED %s
; CHECK: remark: 'k' keeps its 132 VGPRs and 10 waves: only 2 are in use at once, but none were found for 120, which would give another wave, with banks and tuples as they are
; EXPANDED: k: 132 VGPRs -> 2, waves per SIMD 10 -> 16

	.macro	LOAD
	ds_load_b32 v131, v0
	.endm
	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_lshlrev_b32_e32 v0, 4, v0
	LOAD
	s_waitcnt lgkmcnt(0)
	ds_store_b32 v0, v131 offset:4
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_next_free_vgpr 132
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
