//===- macro_style.s - SGEMM as BLAS libraries write it -----------------------===//
//
// C = alpha * A * B + beta * C, N x N, row-major, N a multiple of 32, on gfx1100. Written by hand in
// the style of the assembly that generators make: registers by name, FMACs in macros, one by one;
// what the next step needs is loaded while this one computes, from global memory into registers and
// from LDS into the other half of two fragments; a last step without loads. A workgroup of 64 lanes
// computes a tile of 32 x 32, a lane 4 x 4.
//
//===--------------------------------------------------------------------------===//
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	sgemm_macro_style
	.p2align	8
	.type	sgemm_macro_style,@function

/* Registers */
.set vgprC, 0
.set vgprA_X0, 16
.set vgprB_X0, 20
.set vgprA_X1, 24
.set vgprB_X1, 28
.set vgprG2LA, 32
.set vgprG2LB, 36
.set vgprReadA, 40
.set vgprReadB, 41
.set vgprWriteA, 42
.set vgprWriteB, 43
.set vgprGlobalA, 44
.set vgprGlobalB, 45
.set vgprTmp, 46
.set vgprSerial, 49
.set sgprA, 4
.set sgprB, 6
.set sgprC, 8
.set sgprN, 10
.set sgprSteps, 11
.set sgprAlpha, 12
.set sgprBeta, 13
.set sgprTmp, 14

sgemm_macro_style:
.macro MAC_4x4_X0
v_fmac_f32 v[vgprC+0*4+0], v[vgprA_X0+0], v[vgprB_X0+0]
s_setprio 1
v_fmac_f32 v[vgprC+0*4+1], v[vgprA_X0+0], v[vgprB_X0+1]
v_fmac_f32 v[vgprC+0*4+2], v[vgprA_X0+0], v[vgprB_X0+2]
v_fmac_f32 v[vgprC+0*4+3], v[vgprA_X0+0], v[vgprB_X0+3]
v_fmac_f32 v[vgprC+1*4+0], v[vgprA_X0+1], v[vgprB_X0+0]
v_fmac_f32 v[vgprC+1*4+1], v[vgprA_X0+1], v[vgprB_X0+1]
v_fmac_f32 v[vgprC+1*4+2], v[vgprA_X0+1], v[vgprB_X0+2]
v_fmac_f32 v[vgprC+1*4+3], v[vgprA_X0+1], v[vgprB_X0+3]
v_fmac_f32 v[vgprC+2*4+0], v[vgprA_X0+2], v[vgprB_X0+0]
v_fmac_f32 v[vgprC+2*4+1], v[vgprA_X0+2], v[vgprB_X0+1]
v_fmac_f32 v[vgprC+2*4+2], v[vgprA_X0+2], v[vgprB_X0+2]
v_fmac_f32 v[vgprC+2*4+3], v[vgprA_X0+2], v[vgprB_X0+3]
v_fmac_f32 v[vgprC+3*4+0], v[vgprA_X0+3], v[vgprB_X0+0]
v_fmac_f32 v[vgprC+3*4+1], v[vgprA_X0+3], v[vgprB_X0+1]
v_fmac_f32 v[vgprC+3*4+2], v[vgprA_X0+3], v[vgprB_X0+2]
v_fmac_f32 v[vgprC+3*4+3], v[vgprA_X0+3], v[vgprB_X0+3]
s_setprio 0
.endm

.macro MAC_4x4_X1
v_fmac_f32 v[vgprC+0*4+0], v[vgprA_X1+0], v[vgprB_X1+0]
s_setprio 1
v_fmac_f32 v[vgprC+0*4+1], v[vgprA_X1+0], v[vgprB_X1+1]
v_fmac_f32 v[vgprC+0*4+2], v[vgprA_X1+0], v[vgprB_X1+2]
v_fmac_f32 v[vgprC+0*4+3], v[vgprA_X1+0], v[vgprB_X1+3]
v_fmac_f32 v[vgprC+1*4+0], v[vgprA_X1+1], v[vgprB_X1+0]
v_fmac_f32 v[vgprC+1*4+1], v[vgprA_X1+1], v[vgprB_X1+1]
v_fmac_f32 v[vgprC+1*4+2], v[vgprA_X1+1], v[vgprB_X1+2]
v_fmac_f32 v[vgprC+1*4+3], v[vgprA_X1+1], v[vgprB_X1+3]
v_fmac_f32 v[vgprC+2*4+0], v[vgprA_X1+2], v[vgprB_X1+0]
v_fmac_f32 v[vgprC+2*4+1], v[vgprA_X1+2], v[vgprB_X1+1]
v_fmac_f32 v[vgprC+2*4+2], v[vgprA_X1+2], v[vgprB_X1+2]
v_fmac_f32 v[vgprC+2*4+3], v[vgprA_X1+2], v[vgprB_X1+3]
v_fmac_f32 v[vgprC+3*4+0], v[vgprA_X1+3], v[vgprB_X1+0]
v_fmac_f32 v[vgprC+3*4+1], v[vgprA_X1+3], v[vgprB_X1+1]
v_fmac_f32 v[vgprC+3*4+2], v[vgprA_X1+3], v[vgprB_X1+2]
v_fmac_f32 v[vgprC+3*4+3], v[vgprA_X1+3], v[vgprB_X1+3]
s_setprio 0
.endm

.macro LOAD_FRAGMENT to, step
ds_load_b128 v[vgprA_X\to:vgprA_X\to+3], v[vgprReadA] offset:\step*128
ds_load_b128 v[vgprB_X\to:vgprB_X\to+3], v[vgprReadB] offset:\step*128
.endm

.macro STORE_STEP
ds_store_b32 v[vgprWriteA], v[vgprG2LA+0] offset:0
ds_store_b32 v[vgprWriteA], v[vgprG2LA+1] offset:128
ds_store_b32 v[vgprWriteA], v[vgprG2LA+2] offset:256
ds_store_b32 v[vgprWriteA], v[vgprG2LA+3] offset:384
ds_store_b128 v[vgprWriteB], v[vgprG2LB:vgprG2LB+3]
.endm

v_mov_b32 v[vgprSerial], v0                         // work-item

/* Arguments: A, B, C, N, alpha, beta */
s_load_b128 s[sgprA:sgprA+3], s[0:1], 0x0
s_load_b64 s[sgprC:sgprC+1], s[0:1], 0x10
s_load_b32 s[sgprN], s[0:1], 0x18
s_load_b64 s[sgprAlpha:sgprAlpha+1], s[0:1], 0x1c
s_waitcnt lgkmcnt(0)

/* Where a lane loads: A by rows, half a row of the step; B by columns */
s_lshl_b32 s[sgprTmp], s3, 5                       // first row of the tile
v_lshrrev_b32 v[vgprTmp], 1, v[vgprSerial]                    // row
v_and_b32 v[vgprTmp+1], 1, v[vgprSerial]
v_lshlrev_b32 v[vgprTmp+1], 2, v[vgprTmp+1]        // step within the row
v_add_nc_u32 v[vgprTmp+2], s[sgprTmp], v[vgprTmp]
v_mul_lo_u32 v[vgprTmp+2], v[vgprTmp+2], s[sgprN]
v_add_lshl_u32 v[vgprGlobalA], v[vgprTmp+2], v[vgprTmp+1], 2
v_lshlrev_b32 v[vgprWriteA], 7, v[vgprTmp+1]
v_lshl_add_u32 v[vgprWriteA], v[vgprTmp], 2, v[vgprWriteA]
s_lshl_b32 s[sgprTmp], s2, 5                       // first column
v_lshrrev_b32 v[vgprTmp], 3, v[vgprSerial]
v_mul_lo_u32 v[vgprTmp], v[vgprTmp], s[sgprN]
v_and_b32 v[vgprTmp+1], 7, v[vgprSerial]
v_lshl_add_u32 v[vgprTmp+1], v[vgprTmp+1], 2, s[sgprTmp]
v_add_lshl_u32 v[vgprGlobalB], v[vgprTmp], v[vgprTmp+1], 2
v_lshlrev_b32 v[vgprWriteB], 4, v[vgprSerial]
v_add_nc_u32 v[vgprWriteB], 0x400, v[vgprWriteB]
v_lshrrev_b32 v[vgprReadA], 3, v[vgprSerial]
v_lshlrev_b32 v[vgprReadA], 4, v[vgprReadA]
v_and_b32 v[vgprReadB], 7, v[vgprSerial]
v_lshlrev_b32 v[vgprReadB], 4, v[vgprReadB]
v_add_nc_u32 v[vgprReadB], 0x400, v[vgprReadB]

/* initC */
v_mov_b32 v[vgprC+0], 0x0
v_mov_b32 v[vgprC+1], 0x0
v_mov_b32 v[vgprC+2], 0x0
v_mov_b32 v[vgprC+3], 0x0
v_mov_b32 v[vgprC+4], 0x0
v_mov_b32 v[vgprC+5], 0x0
v_mov_b32 v[vgprC+6], 0x0
v_mov_b32 v[vgprC+7], 0x0
v_mov_b32 v[vgprC+8], 0x0
v_mov_b32 v[vgprC+9], 0x0
v_mov_b32 v[vgprC+10], 0x0
v_mov_b32 v[vgprC+11], 0x0
v_mov_b32 v[vgprC+12], 0x0
v_mov_b32 v[vgprC+13], 0x0
v_mov_b32 v[vgprC+14], 0x0
v_mov_b32 v[vgprC+15], 0x0

/* Nothing to do without steps: the end is far */
s_lshr_b32 s[sgprSteps], s[sgprN], 3
s_cmp_eq_u32 s[sgprSteps], 0
s_cbranch_scc0 label_HasSteps
s_getpc_b64 s[14:15]
s_add_i32 s16, label_Store, 0x4
s_add_u32 s14, s14, s16
s_addc_u32 s15, s15, 0
s_setpc_b64 s[14:15]
label_HasSteps:

/* prefetch: global -> local */
s_lshl_b32 s[sgprTmp], s[sgprN], 5                 // bytes of a step of B
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprGlobalA], s[sgprA:sgprA+1]
global_load_b128 v[vgprG2LB:vgprG2LB+3], v[vgprGlobalB], s[sgprB:sgprB+1]
s_add_u32 s[sgprA], s[sgprA], 32
s_addc_u32 s[sgprA+1], s[sgprA+1], 0
s_add_u32 s[sgprB], s[sgprB], s[sgprTmp]
s_addc_u32 s[sgprB+1], s[sgprB+1], 0
s_waitcnt vmcnt(0)
STORE_STEP
v_xor_b32 v[vgprWriteA], 0x800, v[vgprWriteA]      // the other buffer
v_xor_b32 v[vgprWriteB], 0x800, v[vgprWriteB]
s_waitcnt lgkmcnt(0)
s_barrier
LOAD_FRAGMENT 0, 0
s_sub_u32 s[sgprSteps], s[sgprSteps], 1
s_cmp_eq_u32 s[sgprSteps], 0
s_cbranch_scc1 label_NoLoad

label_Loop:

/* iter 0 */
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprGlobalA], s[sgprA:sgprA+1]
global_load_b128 v[vgprG2LB:vgprG2LB+3], v[vgprGlobalB], s[sgprB:sgprB+1]
LOAD_FRAGMENT 1, 1
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 1 */
LOAD_FRAGMENT 0, 2
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 2 */
LOAD_FRAGMENT 1, 3
s_add_u32 s[sgprA], s[sgprA], 32
s_addc_u32 s[sgprA+1], s[sgprA+1], 0
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 3 */
LOAD_FRAGMENT 0, 4
s_add_u32 s[sgprB], s[sgprB], s[sgprTmp]
s_addc_u32 s[sgprB+1], s[sgprB+1], 0
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 4 */
LOAD_FRAGMENT 1, 5
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 5 */
LOAD_FRAGMENT 0, 6
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 6 */
LOAD_FRAGMENT 1, 7
s_waitcnt lgkmcnt(2)
s_waitcnt vmcnt(0)                                 // for the step in registers
STORE_STEP
MAC_4x4_X0

/* iter 7 */
v_xor_b32 v[vgprWriteA], 0x800, v[vgprWriteA]
v_xor_b32 v[vgprWriteB], 0x800, v[vgprWriteB]
v_xor_b32 v[vgprReadA], 0x800, v[vgprReadA]
v_xor_b32 v[vgprReadB], 0x800, v[vgprReadB]
s_waitcnt lgkmcnt(0)
s_barrier
LOAD_FRAGMENT 0, 0
MAC_4x4_X1
s_sub_u32 s[sgprSteps], s[sgprSteps], 1
s_cmp_eq_u32 s[sgprSteps], 0
s_cbranch_scc0 label_Loop

label_NoLoad:

/* iter 0 */
LOAD_FRAGMENT 1, 1
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 1 */
LOAD_FRAGMENT 0, 2
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 2 */
LOAD_FRAGMENT 1, 3
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 3 */
LOAD_FRAGMENT 0, 4
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 4 */
LOAD_FRAGMENT 1, 5
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 5 */
LOAD_FRAGMENT 0, 6
s_waitcnt lgkmcnt(2)
MAC_4x4_X1

/* iter 6 */
LOAD_FRAGMENT 1, 7
s_waitcnt lgkmcnt(2)
MAC_4x4_X0

/* iter 7 */
s_waitcnt lgkmcnt(0)
MAC_4x4_X1

label_Store:
v_lshrrev_b32 v[vgprTmp], 3, v[vgprSerial]
s_lshl_b32 s[sgprTmp], s3, 5
v_lshl_add_u32 v[vgprTmp], v[vgprTmp], 2, s[sgprTmp]
v_mul_lo_u32 v[vgprTmp], v[vgprTmp], s[sgprN]
s_lshl_b32 s[sgprTmp], s2, 5
v_and_b32 v[vgprTmp+1], 7, v[vgprSerial]
v_lshl_add_u32 v[vgprTmp+1], v[vgprTmp+1], 2, s[sgprTmp]
v_add_lshl_u32 v[vgprTmp], v[vgprTmp], v[vgprTmp+1], 2
s_lshl_b32 s[sgprTmp], s[sgprN], 2                 // bytes of a row

/* row 0 */
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprTmp], s[sgprC:sgprC+1]
v_mul_f32 v[vgprC+0], s[sgprAlpha], v[vgprC+0]
v_mul_f32 v[vgprC+1], s[sgprAlpha], v[vgprC+1]
v_mul_f32 v[vgprC+2], s[sgprAlpha], v[vgprC+2]
v_mul_f32 v[vgprC+3], s[sgprAlpha], v[vgprC+3]
s_waitcnt vmcnt(0)
v_fmac_f32 v[vgprC+0], s[sgprBeta], v[vgprG2LA+0]
v_fmac_f32 v[vgprC+1], s[sgprBeta], v[vgprG2LA+1]
v_fmac_f32 v[vgprC+2], s[sgprBeta], v[vgprG2LA+2]
v_fmac_f32 v[vgprC+3], s[sgprBeta], v[vgprG2LA+3]
global_store_b128 v[vgprTmp], v[vgprC+0:vgprC+3], s[sgprC:sgprC+1]
v_add_nc_u32 v[vgprTmp], s[sgprTmp], v[vgprTmp]

/* row 1 */
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprTmp], s[sgprC:sgprC+1]
v_mul_f32 v[vgprC+4], s[sgprAlpha], v[vgprC+4]
v_mul_f32 v[vgprC+5], s[sgprAlpha], v[vgprC+5]
v_mul_f32 v[vgprC+6], s[sgprAlpha], v[vgprC+6]
v_mul_f32 v[vgprC+7], s[sgprAlpha], v[vgprC+7]
s_waitcnt vmcnt(0)
v_fmac_f32 v[vgprC+4], s[sgprBeta], v[vgprG2LA+0]
v_fmac_f32 v[vgprC+5], s[sgprBeta], v[vgprG2LA+1]
v_fmac_f32 v[vgprC+6], s[sgprBeta], v[vgprG2LA+2]
v_fmac_f32 v[vgprC+7], s[sgprBeta], v[vgprG2LA+3]
global_store_b128 v[vgprTmp], v[vgprC+4:vgprC+7], s[sgprC:sgprC+1]
v_add_nc_u32 v[vgprTmp], s[sgprTmp], v[vgprTmp]

/* row 2 */
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprTmp], s[sgprC:sgprC+1]
v_mul_f32 v[vgprC+8], s[sgprAlpha], v[vgprC+8]
v_mul_f32 v[vgprC+9], s[sgprAlpha], v[vgprC+9]
v_mul_f32 v[vgprC+10], s[sgprAlpha], v[vgprC+10]
v_mul_f32 v[vgprC+11], s[sgprAlpha], v[vgprC+11]
s_waitcnt vmcnt(0)
v_fmac_f32 v[vgprC+8], s[sgprBeta], v[vgprG2LA+0]
v_fmac_f32 v[vgprC+9], s[sgprBeta], v[vgprG2LA+1]
v_fmac_f32 v[vgprC+10], s[sgprBeta], v[vgprG2LA+2]
v_fmac_f32 v[vgprC+11], s[sgprBeta], v[vgprG2LA+3]
global_store_b128 v[vgprTmp], v[vgprC+8:vgprC+11], s[sgprC:sgprC+1]
v_add_nc_u32 v[vgprTmp], s[sgprTmp], v[vgprTmp]

/* row 3 */
global_load_b128 v[vgprG2LA:vgprG2LA+3], v[vgprTmp], s[sgprC:sgprC+1]
v_mul_f32 v[vgprC+12], s[sgprAlpha], v[vgprC+12]
v_mul_f32 v[vgprC+13], s[sgprAlpha], v[vgprC+13]
v_mul_f32 v[vgprC+14], s[sgprAlpha], v[vgprC+14]
v_mul_f32 v[vgprC+15], s[sgprAlpha], v[vgprC+15]
s_waitcnt vmcnt(0)
v_fmac_f32 v[vgprC+12], s[sgprBeta], v[vgprG2LA+0]
v_fmac_f32 v[vgprC+13], s[sgprBeta], v[vgprG2LA+1]
v_fmac_f32 v[vgprC+14], s[sgprBeta], v[vgprG2LA+2]
v_fmac_f32 v[vgprC+15], s[sgprBeta], v[vgprG2LA+3]
global_store_b128 v[vgprTmp], v[vgprC+12:vgprC+15], s[sgprC:sgprC+1]
s_endpgm
.Lend:
	.size	sgemm_macro_style, .Lend-sgemm_macro_style

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel sgemm_macro_style
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_kernarg_size 36
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_next_free_vgpr 50
		.amdhsa_next_free_sgpr 17
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: sgemm_macro_style
    .symbol: sgemm_macro_style.kd
    .kernarg_segment_size: 36
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 17
    .vgpr_count: 50
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
      - {.size: 4, .offset: 28, .value_kind: by_value}
      - {.size: 4, .offset: 32, .value_kind: by_value}
...
	.end_amdgpu_metadata
