; A second instruction near enough is named by the first one's s_delay_alu, up to SKIP_4; waits count
; as instructions.
; RUN: %dualfmac-sched rewrite --delay-alu --score %s -o %t.s 2> %t.err
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: FileCheck --check-prefix=SCORE %s < %t.err
; RUN: %dualfmac-sched rewrite --delay-alu %t.s | cmp - %t.s
; SCORE: k: 4 s_delay_alu set, 0 removed, proven
; CHECK: k:{{$}}
; CHECK-NEXT: v_add_f32_e32 v1, v2, v3{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v4, v1, v1{{$}}
; CHECK-NEXT: v_add_f32_e32 v5, v4, v4{{$}}
; CHECK-NEXT: v_mov_b32_e32 v6, v0{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_4) | instid1(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v7, v5, v5{{$}}
; CHECK-NEXT: v_mov_b32_e32 v8, v0{{$}}
; CHECK-NEXT: s_waitcnt vmcnt(0){{$}}
; CHECK-NEXT: v_mov_b32_e32 v9, v0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v10, v0{{$}}
; CHECK-NEXT: v_add_f32_e32 v11, v10, v10{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v12, v11, v11{{$}}
; CHECK-NEXT: v_mov_b32_e32 v13, v0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v14, v0{{$}}
; CHECK-NEXT: v_mov_b32_e32 v15, v0{{$}}
; CHECK-NEXT: s_waitcnt lgkmcnt(0){{$}}
; CHECK-NEXT: v_mov_b32_e32 v16, v0{{$}}
; CHECK-NEXT: s_delay_alu instid0(VALU_DEP_1){{$}}
; CHECK-NEXT: v_add_f32_e32 v17, v16, v16{{$}}
; CHECK-NEXT: s_endpgm{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_add_f32_e32 v1, v2, v3
	v_add_f32_e32 v4, v1, v1
	v_add_f32_e32 v5, v4, v4
	v_mov_b32_e32 v6, v0
	v_add_f32_e32 v7, v5, v5
	v_mov_b32_e32 v8, v0
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v10, v0
	v_add_f32_e32 v11, v10, v10
	v_add_f32_e32 v12, v11, v11
	v_mov_b32_e32 v13, v0
	v_mov_b32_e32 v14, v0
	v_mov_b32_e32 v15, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v16, v0
	v_add_f32_e32 v17, v16, v16
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
