; A function that most passes may not be asked about gets a line that says why; what is in another
; function changes nothing for it.
; RUN: %dualfmac-sched rewrite %s -o %t.s 2> %t.err
; RUN: cmp %s %t.s
; RUN: FileCheck %s < %t.err
; RUN: %vgpr-remap %s 2>&1 > /dev/null | FileCheck --check-prefix=REMAP %s
; CHECK: word-for-opaque.s:17:1: remark: 'reads_pc' is left alone by --dual-issue, {{.*}}--delay-alu: this reads the program counter, and around it nothing can be proven; in a function of its own it would not be in the way
; CHECK-NOT: remark:
; REMAP: remark: 'reads_pc' is left alone by --dual-issue: this reads the program counter

	.text
	.p2align	8
	.type	reads_pc,@function
reads_pc:
	v_fmac_f32_e32 v1, v2, v3
	v_fmac_f32_e32 v4, v2, v3
	s_getpc_b64 s[0:1]
	v_mov_b32_e32 v0, s0
	s_setpc_b64 s[30:31]
.Lreads_end:
	.size	reads_pc, .Lreads_end-reads_pc
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_dual_fmac_f32 v4, v8, v10 :: v_dual_fmac_f32 v5, v9, v11
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
