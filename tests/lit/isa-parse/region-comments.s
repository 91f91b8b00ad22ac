; RUN: %isa-parse %s | FileCheck %s
; RUN: %isa-parse --json --region hot %s | FileCheck --check-prefix=JSON %s
; RUN: not %isa-parse --region cold %s 2>&1 | FileCheck --check-prefix=NONE %s

; CHECK: region hot{{ +}}18-19{{ +}}2{{ +}}2{{ +}}0
; JSON: "loops": [],
; JSON: "name": "hot"
; JSON: "single_fmac": 1
; NONE: error: no region 'cold'; there are: hot

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	v_mov_b32_e32 v1, 0
; RDNA-BEGIN hot
	v_fmac_f32_e32 v1, v2, v3
	v_add_f32_e32 v1, v2, v3
; RDNA-END hot
	v_mov_b32_e32 v1, 0
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
