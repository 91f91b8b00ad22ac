; By latencies v32 could be written before its load has come back, and then the text would have to wait
; for that first. Only the text that came of it shows that; a step that has gained nothing is no step.
; RUN: %dualfmac-sched rewrite --reschedule %s 2> %t.err | cmp - %s
; RUN: FileCheck %s < %t.err
; CHECK-NOT: proven
; CHECK-NOT: round
; CHECK: nothing changed

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	global_load_b128 v[30:33], v3, s[0:1]
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v32, v2
	global_store_b32 v3, v32, s[0:1] offset:256
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
