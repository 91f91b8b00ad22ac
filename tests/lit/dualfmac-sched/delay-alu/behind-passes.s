; The other passes drop s_delay_alu; this one sets them again for the code as it is then.
; RUN: %dualfmac-sched rewrite --merge-stores %s | grep -v "^; [A-Z]" | FileCheck --check-prefix=LOST %s
; LOST: {{^}}k:{{$}}
; LOST-NOT: {{^[[:space:]]}}s_delay_alu
; RUN: %dualfmac-sched rewrite --delay-alu --merge-stores --report %t.json %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=JSON %s < %t.json
; RUN: %dualfmac-sched rewrite --merge-stores --delay-alu %t.s | cmp - %t.s
; CHECK: ds_store_2addr_b32 v0, v1, v2 offset1:1{{$}}
; CHECK-NEXT: v_add_f32_e32 v6, v3, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v7, v6, v6{{$}}
; JSON: "pass": "merge-stores"
; JSON: "pass": "delay-alu",
; JSON-NEXT: "function": "k",
; JSON-NEXT: "delays_set": 1,
; JSON-NEXT: "delays_removed": 0,
; JSON: "equivalent": true

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	ds_store_b32 v0, v1
	ds_store_b32 v0, v2 offset:4
	v_add_f32_e32 v6, v3, v3
	s_delay_alu instid0(VALU_DEP_1)
	v_add_f32_e32 v7, v6, v6
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
