; Instructions that share a VOPD stay together; nothing new is paired.
; RUN: %dualfmac-sched rewrite --reschedule %s | grep -v "^;" | FileCheck %s
; CHECK: v_dual_fmac_f32 v0, v8, v9 :: v_dual_fmac_f32 v1, v10, v11{{$}}
; CHECK-NEXT: v_dual_fmac_f32 v2, v8, v9 :: v_dual_fmac_f32 v3, v10, v11{{$}}
; CHECK-NEXT: v_dual_fmac_f32 v0, v12, v13 :: v_dual_fmac_f32 v1, v14, v15{{$}}
; CHECK-NEXT: v_dual_fmac_f32 v2, v12, v13 :: v_dual_fmac_f32 v3, v14, v15{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v0, v8, v9 :: v_dual_fmac_f32 v1, v10, v11
	v_dual_fmac_f32 v0, v12, v13 :: v_dual_fmac_f32 v1, v14, v15
	v_dual_fmac_f32 v2, v8, v9 :: v_dual_fmac_f32 v3, v10, v11
	v_dual_fmac_f32 v2, v12, v13 :: v_dual_fmac_f32 v3, v14, v15
	global_store_b128 v4, v[0:3], s[0:1]
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
