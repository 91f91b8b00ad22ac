; What has changed since another text of the same kernel: table, Markdown, JSON.
; RUN: split-file %s %t
; RUN: %isa-parse --compare %t/old.s %t/new.s | FileCheck %s
; RUN: %isa-parse --compare %t/old.s %t/new.s --markdown | FileCheck %s --check-prefix=MARKDOWN
; RUN: %isa-parse --against %t/old.s %t/new.s --json | FileCheck %s --check-prefix=JSON
; RUN: %isa-parse --compare %t/old.s %t/two.s | FileCheck %s --check-prefix=TWO
; RUN: not %isa-parse --compare %t/old.s %t/other.s 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: not %isa-parse --compare %t/none.s %t/new.s 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not %isa-parse --compare %t/broken.s %t/new.s 2>&1 | FileCheck %s --check-prefix=BROKEN
; RUN: not %isa-parse --compare %t/old.s %t/new.s --banks 2>&1 | FileCheck %s --check-prefix=VIEW
; RUN: not %isa-parse --markdown %t/new.s 2>&1 | FileCheck %s --check-prefix=ALONE
; RUN: not %isa-parse --details %t/new.s 2>&1 | FileCheck %s --check-prefix=DETAILS

; CHECK: kernel k
; CHECK-NEXT: before after change
; CHECK-NEXT: kernel
; CHECK: waves per SIMD 16 16
; CHECK: instructions 4 3 -25.0 %
; CHECK-NEXT: VALU instructions 2 1 -50.0 %
; CHECK-NEXT: dual FMACs 0 1 +1
; CHECK-NEXT: single FMACs 2 0 -100.0 % better
; CHECK: hot loop
; CHECK: single FMACs 2 0 -100.0 % better
; CHECK: VALU instructions per FMAC 1.000 0.500 -50.0 % better

;      MARKDOWN: ### k
;      MARKDOWN: | | before | after | change | |
; MARKDOWN-NEXT: | --- | ---: | ---: | ---: | --- |
; MARKDOWN-NEXT: | **kernel** | | | | |
;      MARKDOWN: | single FMACs | 2 | 0 | -100.0 % | better |

;      JSON: "schema": "isa-parse/1"
;      JSON: "against": {
; JSON-NEXT: "file": "{{.*}}old.s"
;      JSON: "summary": [
;      JSON: "what": "single FMACs"
; JSON-NEXT: "unit": ""
; JSON-NEXT: "value": 0,
; JSON-NEXT: "before": 2,
; JSON-NEXT: "verdict": "better"

;   TWO: kernel k
;   TWO: kernel k2: only in {{.*}}two.s

; OTHER: old.s: error: no kernel in common with {{.*}}other.s: this file has k, that one k2
;  NONE: none.s: error: No such file or directory
; BROKEN: broken.s:2:2: error: invalid instruction
;  VIEW: isa-parse: error: --compare and --html are about the report
; ALONE: isa-parse: error: --markdown prints a comparison: --compare FILE is missing
; DETAILS: isa-parse: error: --details goes with --json

;--- old.s
	.globl	k
	.type	k,@function
k:
.LBB0_1:
	v_fmac_f32_e32 v0, v4, v9
	v_fmac_f32_e32 v1, v7, v10
	s_cbranch_scc0 .LBB0_1
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
;--- new.s
	.globl	k
	.type	k,@function
k:
.LBB0_1:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10
	s_cbranch_scc0 .LBB0_1
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
;--- other.s
	.globl	k2
	.type	k2,@function
k2:
	s_endpgm
	.amdhsa_kernel k2
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
;--- two.s
	.globl	k
	.type	k,@function
k:
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
	.globl	k2
	.type	k2,@function
k2:
	s_endpgm
	.amdhsa_kernel k2
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
;--- broken.s
	.text
	v_nonsense v0
