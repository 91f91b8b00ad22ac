; Four sums in odd registers, which two loops add to: no two FMACs of them can share an instruction.
; No even register is free; two sums change places with addresses, in the whole kernel.
; RUN: %vgpr-remap %s -o %t.s
; RUN: grep -v '^;' %t.s | FileCheck %s
; RUN: %vgpr-remap %t.s | cmp - %t.s
; CHECK-LABEL: .Lfirst:
; CHECK-COUNT-4: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; CHECK-LABEL: .Lsecond:
; CHECK-COUNT-4: v_dual_fmac_f32 {{.*}} :: v_dual_fmac_f32
; CHECK-NOT: v_fmac_f32
; CHECK: s_endpgm

	.text
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 5, v0
	v_add_nc_u32_e32 v2, 0x100, v0
	v_add_nc_u32_e32 v4, 0x200, v0
	v_add_nc_u32_e32 v6, 0x300, v0
	v_add_nc_u32_e32 v8, 0x400, v0
	v_add_nc_u32_e32 v10, 0x500, v0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v9, 0
	s_mov_b32 s2, 8
	s_mov_b32 s3, 4
	s_waitcnt lgkmcnt(0)
	global_load_b128 v[20:23], v0, s[0:1] offset:1024
	global_load_b128 v[24:27], v0, s[0:1] offset:1040
	global_load_b128 v[28:31], v0, s[0:1] offset:1056
	global_load_b128 v[32:35], v0, s[0:1] offset:1072
	global_load_b128 v[36:39], v0, s[0:1] offset:1088
	global_load_b128 v[40:43], v0, s[0:1] offset:1104
	global_load_b128 v[44:47], v0, s[0:1] offset:1120
	global_load_b128 v[48:51], v0, s[0:1] offset:1136
	global_load_b128 v[52:55], v0, s[0:1] offset:1152
	global_load_b128 v[56:59], v0, s[0:1] offset:1168
	global_load_b128 v[60:63], v0, s[0:1] offset:1184
	global_load_b128 v[64:67], v0, s[0:1] offset:1200
	global_load_b128 v[68:71], v0, s[0:1] offset:1216
	global_load_b128 v[72:75], v0, s[0:1] offset:1232
	global_load_b128 v[76:79], v0, s[0:1] offset:1248
	global_load_b128 v[80:83], v0, s[0:1] offset:1264
	global_load_b128 v[84:87], v0, s[0:1] offset:1280
	global_load_b128 v[88:91], v0, s[0:1] offset:1296
	global_load_b128 v[92:95], v0, s[0:1] offset:1312
	s_waitcnt vmcnt(0)
.Lfirst:
	global_load_b128 v[12:15], v0, s[0:1]
	global_load_b128 v[16:19], v2, s[0:1]
	s_sub_i32 s2, s2, 1
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v3, v12, v16
	v_fmac_f32_e32 v5, v12, v17
	v_fmac_f32_e32 v7, v13, v16
	v_fmac_f32_e32 v9, v13, v17
	v_fmac_f32_e32 v3, v14, v18
	v_fmac_f32_e32 v5, v14, v19
	v_fmac_f32_e32 v7, v15, v18
	v_fmac_f32_e32 v9, v15, v19
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .Lfirst
.Lsecond:
	global_load_b128 v[12:15], v0, s[0:1] offset:64
	global_load_b128 v[16:19], v2, s[0:1] offset:64
	s_sub_i32 s3, s3, 1
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v3, v12, v16
	v_fmac_f32_e32 v5, v12, v17
	v_fmac_f32_e32 v7, v13, v16
	v_fmac_f32_e32 v9, v13, v17
	v_fmac_f32_e32 v3, v14, v18
	v_fmac_f32_e32 v5, v14, v19
	v_fmac_f32_e32 v7, v15, v18
	v_fmac_f32_e32 v9, v15, v19
	s_cmp_lg_u32 s3, 0
	s_cbranch_scc1 .Lsecond
	global_store_b32 v4, v3, s[0:1]
	global_store_b32 v6, v5, s[0:1]
	global_store_b32 v8, v7, s[0:1]
	global_store_b32 v10, v9, s[0:1]
	global_store_b128 v0, v[20:23], s[0:1] offset:2048
	global_store_b128 v0, v[24:27], s[0:1] offset:2064
	global_store_b128 v0, v[28:31], s[0:1] offset:2080
	global_store_b128 v0, v[32:35], s[0:1] offset:2096
	global_store_b128 v0, v[36:39], s[0:1] offset:2112
	global_store_b128 v0, v[40:43], s[0:1] offset:2128
	global_store_b128 v0, v[44:47], s[0:1] offset:2144
	global_store_b128 v0, v[48:51], s[0:1] offset:2160
	global_store_b128 v0, v[52:55], s[0:1] offset:2176
	global_store_b128 v0, v[56:59], s[0:1] offset:2192
	global_store_b128 v0, v[60:63], s[0:1] offset:2208
	global_store_b128 v0, v[64:67], s[0:1] offset:2224
	global_store_b128 v0, v[68:71], s[0:1] offset:2240
	global_store_b128 v0, v[72:75], s[0:1] offset:2256
	global_store_b128 v0, v[76:79], s[0:1] offset:2272
	global_store_b128 v0, v[80:83], s[0:1] offset:2288
	global_store_b128 v0, v[84:87], s[0:1] offset:2304
	global_store_b128 v0, v[88:91], s[0:1] offset:2320
	global_store_b128 v0, v[92:95], s[0:1] offset:2336
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel k
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 96
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
