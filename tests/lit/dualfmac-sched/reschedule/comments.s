; What stands beside a wait or a delay that is written anew elsewhere stays, in a line of its own.
; RUN: %dualfmac-sched rewrite --reschedule %s | grep -v "^;" | FileCheck %s
; CHECK-DAG: ; the loads
; CHECK-DAG: ; why it waits
; CHECK-DAG: ; why it is late
; CHECK-DAG: v_add_f32_e32 v0, v0, v12 ; the sum{{$}}

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_clause 0x1 ; the loads
	ds_load_b32 v8, v20
	ds_load_b32 v9, v20 offset:4
	s_waitcnt lgkmcnt(0) ; why it waits
	v_fmac_f32_e32 v0, v8, v9
	s_delay_alu instid0(VALU_DEP_1) ; why it is late
	v_mul_f32_e32 v0, v0, v11
	v_add_f32_e32 v0, v0, v12 ; the sum
	v_fmac_f32_e32 v1, v10, v10
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
