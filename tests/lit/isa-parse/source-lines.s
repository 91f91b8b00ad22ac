; What was compiled with -g is named by its source as well.
; RUN: %isa-parse %s | FileCheck %s --check-prefix=REPORT
; RUN: %isa-parse --banks %s | FileCheck %s --check-prefix=BANKS
; RUN: %isa-parse --why-single --region .LBB0_1 %s | FileCheck %s --check-prefix=SINGLE
; RUN: %isa-parse --json %s | FileCheck %s --check-prefix=JSON
; RUN: %isa-parse --compare %s %s | FileCheck %s --check-prefix=COMPARE
; RUN: not %isa-parse --lint %s | FileCheck %s --check-prefix=LINT
; RUN: %vgpr-remap --all-remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

;      REPORT: kernel _Z5scalePfi
; REPORT-NEXT:   in source  scale(float*, int)
;      REPORT:   calls      2, not followed: twist(float, int), an address in registers
;      REPORT:   loop     source  {{ *}}lines
; REPORT-NEXT:   .LBB0_1  scale.hip:4

; BANKS: .LBB0_1 of _Z5scalePfi (scale.hip:4): 8 instructions
; BANKS-NEXT: line source SRCX0
; BANKS: {{[0-9]+}} scale.hip:5 {{.*}}v_dual_fmac_f32

; SINGLE: .LBB0_1 (scale.hip:4): 1 FMA of F32
; SINGLE-NEXT: line source rule
; SINGLE-NEXT: {{[0-9]+}} twist.h:9

;      JSON: "callees": [
; JSON-NEXT: "_Z5twistfi",
; JSON-NEXT: ""
; JSON-NEXT: ]
;      JSON: "source": {
; JSON-NEXT: "file": "/src/scale.hip",
; JSON-NEXT: "line": 4

;      COMPARE: hot loop {{ *}}.LBB0_1 {{ *}}.LBB0_1
; COMPARE-NEXT: source {{ *}}scale.hip:4 {{ *}}scale.hip:4

; LINT: read stale data (compiled from scale.hip:5) [vopd-parity]

; REMARK: remark: {{.*}} [twist.h:9]

	.text
	.file	0 "/src" "scale.hip"
	.file	1 "/include" "twist.h"
	.globl	_Z5scalePfi
	.p2align	8
	.type	_Z5scalePfi,@function
_Z5scalePfi:
	.loc	0 3 0
	s_mov_b32 s32, 0
.LBB0_1:
	.loc	0 5 7
	v_dual_fmac_f32 v4, v8, v9 :: v_dual_fmac_f32 v5, v14, v11
	.loc	1 9 0
	v_fmac_f32_e32 v6, v2, v3
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, _Z5twistfi@rel32@lo+4
	s_addc_u32 s1, s1, _Z5twistfi@rel32@hi+12
	s_swappc_b64 s[30:31], s[0:1]
	s_swappc_b64 s[30:31], s[6:7]
	.loc	0 4 3
	s_cbranch_scc0 .LBB0_1
	.loc	0 6 1
	s_endpgm
.Lfunc_end0:
	.size	_Z5scalePfi, .Lfunc_end0-_Z5scalePfi
	.amdhsa_kernel _Z5scalePfi
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
