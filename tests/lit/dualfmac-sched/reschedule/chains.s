; Two chains of three links one behind the other become one that waits for nothing: a result is there
; after five clocks, and each link stands that far behind the one before it or as far as it can.
; RUN: %dualfmac-sched rewrite --reschedule --score --report %t.json %s -o %t.s 2> %t.err
; RUN: grep -v "^;" %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: FileCheck --check-prefix=JSON %s < %t.json
; RUN: %dualfmac-sched rewrite --reschedule %t.s | cmp - %t.s
; SCORE: k: 1 block in another order, {{[0-9]+}} -> {{[0-9]+}} clocks of latency, proven
; JSON: "pass": "reschedule"
; JSON: "blocks": 1
; CHECK: v_fmac_f32_e32 v0, v8, v9{{$}}
; CHECK-NEXT: v_fmac_f32_e32 v1, v8, v10{{$}}
; CHECK-NEXT: v_mul_f32_e32 v0, v0, v11{{$}}
; CHECK-NEXT: v_mul_f32_e32 v1, v1, v11{{$}}
; CHECK-NEXT: v_add_f32_e32 v0, v0, v12{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v1, v12{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_fmac_f32_e32 v0, v8, v9
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v0, v0, v12
	v_fmac_f32_e32 v1, v8, v10
	v_mul_f32_e32 v1, v1, v11
	v_add_f32_e32 v1, v1, v12
	global_store_b64 v2, v[0:1], s[0:1]
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
