; RUN: %isa-parse --json %s | FileCheck %s
; RUN: %isa-parse --json - < %s | FileCheck %s
; RUN: %isa-parse --json %s -o %t.json && FileCheck %s < %t.json

; CHECK:      "schema": "isa-parse/1"
; CHECK:      "name": "k"
; CHECK-NEXT: "vgprs": 64
; CHECK-NEXT: "vgprs_used": 11
; CHECK-NEXT: "sgprs": 0
; CHECK-NEXT: "lds_bytes": 0
; CHECK-NEXT: "scratch_bytes": 0
; CHECK-NEXT: "code_bytes": 16
; CHECK-NEXT: "instructions": 3
; CHECK-NEXT: "workgroup_size": null
; CHECK:      "waves_per_simd": 16
; CHECK-NEXT: "occupancy_limit": "wave-slots"
; CHECK:      "loops": [
; CHECK:      "header": ".LBB0_1"
; CHECK-NEXT: "depth": 1
; CHECK-NEXT: "first_line": 42
; CHECK-NEXT: "last_line": 43
; CHECK-NEXT: "instructions": 2
; CHECK-NEXT: "hints": 0
; CHECK-NEXT: "valu": 1
; CHECK-NEXT: "vopd": 1
; CHECK-NEXT: "dual_fmac": 1
; CHECK-NEXT: "single_fmac": 0
; CHECK-NEXT: "ds_loads": 0
; CHECK-NEXT: "global_loads": 0
; CHECK-NEXT: "source_bank_conflicts": 0
; CHECK-NEXT: "parity_hazards": 0
; CHECK-NEXT: "src0_reuse": 0
; CHECK-NEXT: "src1_reuse": 0
; CHECK-NEXT: "destination_rotation": 0

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
.LBB0_1:
	v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10
	s_cbranch_scc0 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
