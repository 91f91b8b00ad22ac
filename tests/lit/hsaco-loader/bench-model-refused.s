; Where no figure would be right there is none, but a reason.
; REQUIRES: hsaco-loader, isa-parse, dualfmac-sched
; RUN: split-file %s %t
; RUN: not %hsaco-loader bench --backend model %t/clock.s --launch %t/launch.json 2>&1 | FileCheck %s --check-prefix=CLOCK
; RUN: not %hsaco-loader bench --backend model %t/lock.s --launch %t/launch.json 2>&1 | FileCheck %s --check-prefix=LOCK
; RUN: not %hsaco-loader bench --backend model %t/endless.s --launch %t/launch.json --budget 10000 2>&1 | FileCheck %s --check-prefix=ENDLESS
; RUN: not %hsaco-loader bench --backend model %t/clock.s --launch %t/launch.json --device 9090 2>&1 | FileCheck %s --check-prefix=DEVICE
; RUN: not %hsaco-loader bench --backend model %t/clock.s --launch %t/launch.json --device %t/odd.json 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: not %hsaco-loader bench --backend model %t/plain.s --launch %t/large.json 2>&1 | FileCheck %s --check-prefix=LARGE
; RUN: not %hsaco-loader bench --backend model %t/id.s --launch %t/launch.json 2>&1 | FileCheck %s --check-prefix=ID
; RUN: not %hsaco-loader bench --backend emulator --calibrate %t/m.json 2>&1 | FileCheck %s --check-prefix=CARD
; RUN: not %hsaco-loader bench --backend model %t/wide.s --launch %t/wide.json 2>&1 | FileCheck %s --check-prefix=WIDE
; RUN: not %hsaco-loader bench --backend model %t/message.s --launch %t/launch.json 2>&1 | FileCheck %s --check-prefix=MESSAGE
; Other tools that predict refuse the same.
; RUN: not %isa-parse --timing %t/clock.s --launch %t/launch.json 2>&1 | FileCheck %s --check-prefix=CLOCK
; RUN: not %dualfmac-sched rewrite --for=7900xtx %t/lock.s --launch %t/launch.json -o %t/none.s 2>&1 | FileCheck %s --check-prefix=LOCK
; RUN: not ls %t/none.s
; WIDE: a workgroup of 32 waves with 256 VGPRs and 0 bytes of LDS does not fit on the Radeon RX 7900 XTX
; MESSAGE: no time can be predicted: it asks the hardware by s_sendmsg_rtn
; ID: no time can be predicted: it reads its hardware id
; CARD: --calibrate measures, so it needs a card: --backend hip
; CLOCK: no time can be predicted: it reads a clock
; LOCK: no time can be predicted: it loops over atomics that answer
; ENDLESS: endless.s:{{.*}}error: a wave exceeds its instruction budget here
; DEVICE: unknown device '9090'; known: 7900xtx,
; FILE: odd.json: error: 'cu' is not understood
; LARGE: the buffers take {{.*}} GiB, the Radeon RX 7900 XTX has 24

;--- clock.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- id.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_getreg_b32 s4, hwreg(HW_REG_HW_ID1, 0, 32)
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- wide.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 256
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- message.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)
	s_waitcnt lgkmcnt(0)
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- plain.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- endless.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_branch k
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- lock.s
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_load_b64 s[2:3], s[0:1], null
	v_mov_b32 v0, 0
	v_mov_b32 v1, 1
	s_mov_b32 s4, 0
	s_waitcnt lgkmcnt(0)
.Lagain:
	global_atomic_add_u32 v2, v0, v1, s[2:3] glc
	s_waitcnt vmcnt(0)
	s_add_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 4
	s_cbranch_scc1 .Lagain
	s_endpgm
.Lend:
	.size k, .Lend-k
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel k
	.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

;--- launch.json
{"kernel": "k", "grid": [4, 1, 1], "block": [32, 1, 1], "args": [{"buffer": 1024, "type": "u32", "output": true}]}

;--- large.json
{"kernel": "k", "grid": [4, 1, 1], "block": [32, 1, 1], "args": [{"buffer": 30000000000, "type": "u32", "output": true}]}

;--- wide.json
{"kernel": "k", "grid": [4, 1, 1], "block": [1024, 1, 1], "args": []}

;--- odd.json
{"base": "7900xtx", "cu": 3}
