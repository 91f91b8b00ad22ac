; A flag that is compared, in LDS: its wait orders the load behind it, unless the user says that waves do not
; synchronise like that. Then the output says so, and the code object.
; RUN: %dualfmac-sched rewrite --waits %s | grep -v '^; [A-Z]' | FileCheck --check-prefix=PLAIN %s
; RUN: %dualfmac-sched rewrite --waits --assume=no-sync-without-barrier --score %s -o %t.s 2>&1 | FileCheck --check-prefix=SCORE %s
; RUN: grep -v '^; [A-Z]' %t.s | FileCheck %s
; RUN: %hsaco-loader assemble %t.s -o %t.hsaco
; RUN: grep -a -o 'no-sync-without-barrier k' %t.hsaco | FileCheck --check-prefix=OBJECT %s

; PLAIN: ds_load_b32
; PLAIN-NEXT: s_waitcnt lgkmcnt(0)
; PLAIN-NEXT: global_load_b32
; SCORE: 2 waits -> 1, 0 of them changed, proven assuming no-sync-without-barrier
; CHECK: {{^}}k:
; CHECK-NEXT: ; rdna-assume: no-sync-without-barrier
; CHECK-NEXT: ds_load_b32
; CHECK-NEXT: global_load_b32
; CHECK-NEXT: s_waitcnt vmcnt(0) lgkmcnt(0)
; OBJECT: no-sync-without-barrier k

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_load_b32 v1, v20
	s_waitcnt lgkmcnt(0)
	global_load_b32 v2, v21, s[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cmp_ne_u32_e32 vcc_lo, 0, v1
	v_cndmask_b32_e32 v2, 0, v2, vcc_lo
	global_store_b32 v21, v2, s[6:7]
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_workgroup_processor_mode 0
	.end_amdhsa_kernel
