; RUN: %isa-parse --kernel b %s | FileCheck %s
; RUN: not %isa-parse --kernel c %s 2>&1 | FileCheck --check-prefix=NONE %s
; RUN: %isa-parse %s | FileCheck --check-prefix=BOTH %s

; CHECK-NOT: kernel a
; CHECK: kernel b
; NONE: error: no kernel 'c'; there are: a, b
; BOTH: kernel a
; BOTH: kernel b

	.text
	.type	a,@function
a:
	s_endpgm
	.type	b,@function
b:
	s_nop 0
	s_endpgm
	.amdhsa_kernel b
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
	.amdhsa_kernel a
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
