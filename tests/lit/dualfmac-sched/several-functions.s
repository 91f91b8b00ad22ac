; Two device functions and a kernel: a pass goes over all of them before the next one starts, and
; every step says whose it is.
; RUN: %dualfmac-sched rewrite --clause --waits --score --report %t.json %s -o %t.s 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=JSON %s < %t.json
; CHECK: first: 3 waits -> 2, 0 of them changed, proven
; CHECK-NEXT: second: 3 waits -> 2, 0 of them changed, proven
; CHECK-NEXT: first: 1 s_clause added, proven
; CHECK-NEXT: second: 1 s_clause added, proven
; JSON: "pass": "waits",
; JSON-NEXT: "function": "first",
; JSON-NEXT: "waits_before": 3,
; JSON-NEXT: "waits_after": 2,
; JSON-NEXT: "waits_changed": 0,
; JSON-NEXT: "proof": {
; JSON: "assumptions": []
; JSON: "function": "second",
	.text
	.p2align	2
	.type	first,@function
first:
	s_waitcnt vmcnt(0) lgkmcnt(0)
	ds_load_b32 v1, v0
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v1, v2
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	first, .Lfunc_end0-first
	.p2align	2
	.type	second,@function
second:
	s_waitcnt vmcnt(0) lgkmcnt(0)
	ds_load_b32 v1, v0 offset:8
	ds_load_b32 v2, v0 offset:12
	s_waitcnt lgkmcnt(0)
	v_mul_f32_e32 v0, v1, v2
	s_waitcnt lgkmcnt(0)
	v_mul_f32_e32 v0, v0, v1
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	second, .Lfunc_end1-second
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_endpgm
.Lfunc_end2:
	.size	k, .Lfunc_end2-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
