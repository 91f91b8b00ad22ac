"""Kernels of one straight block: FMACs and their kin over few registers, mixed with what pairing
has to keep its distance from; with --loops also a loop, skipped code, and what stands between
stores, waits and the machine's state. Usage: random-blocks.py COUNT [--loops]"""

import random
import sys

FIRST = 8  # the block's registers; v0 and v1 are the lane and its address
KINDS = "exec swap dpp vopd wide half carry load store mask".split()
LOOP_KINDS = KINDS + "mode setreg readlane atomic permute saveexec flag skip cache fetch hint".split()


def operations(pick, registers, kinds):
    def v():
        return f"v{FIRST + pick.randrange(registers)}"

    def couple():
        first = FIRST + 2 * pick.randrange(registers // 2)
        return f"v[{first}:{first + 1}]"

    def source():
        return pick.choice([v(), v(), v(), v(), "s2", "1.0", "0x40490fdb"])

    chance = pick.random()
    if chance < 0.65:
        name = pick.choice(["fmac"] * 5 + ["mul", "add", "sub", "max"])
        return [f"v_{name}_f32_e32 {v()}, {source()}, {v()}"]
    if chance < 0.73:
        return [f"v_mov_b32_e32 {v()}, {source()}"]
    kind = pick.choice(kinds)
    if kind == "exec":
        return [f"s_mov_b32 exec_lo, {pick.choice(['s4', '-1'])}"]
    if kind == "swap":
        return [f"v_swap_b32 {v()}, {v()}"]
    if kind == "dpp":
        return [f"v_mov_b32_dpp {v()}, {v()} quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0x3"]
    if kind == "vopd":
        x, y = FIRST + 2 * pick.randrange(registers // 2), FIRST + 1
        a = FIRST + 2 * pick.randrange(registers // 2)
        b = a + 1  # another bank and parity
        return [f"v_dual_fmac_f32 v{x}, v{a}, v{a} :: v_dual_fmac_f32 v{y}, v{b}, v{b}"]
    if kind == "wide":
        return [f"v_lshlrev_b64 {couple()}, 3, {couple()}"]
    if kind == "half":
        return [f"v_fma_mixlo_f16 {v()}, {v()}, {v()}, {v()}"]
    if kind == "carry":
        return [f"v_add_co_u32 {v()}, vcc_lo, {v()}, {v()}",
                f"v_add_co_ci_u32_e32 {v()}, vcc_lo, {v()}, {v()}, vcc_lo"]
    if kind == "load":
        return [f"ds_load_b64 {couple()}, v1 offset:8", "s_waitcnt lgkmcnt(0)"]
    if kind == "store":
        return [f"ds_store_b32 v1, {v()} offset:{128 * pick.randrange(1, 4)}"]
    if kind == "mode":
        return [pick.choice(["s_round_mode 5", "s_denorm_mode 3", "s_round_mode 0"])]
    if kind == "setreg":
        return [pick.choice(["s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15",
                             "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s4"])]
    if kind == "readlane":
        return [pick.choice([f"v_readfirstlane_b32 s2, {v()}", f"v_readlane_b32 s2, {v()}, 3",
                             f"v_writelane_b32 {v()}, s4, 5"])]
    if kind == "atomic":
        return pick.choice([[f"ds_add_u32 v1, {v()} offset:512"],
                            [f"ds_add_rtn_u32 {v()}, v1, {v()} offset:512", "s_waitcnt lgkmcnt(0)"]])
    if kind == "permute":
        return [f"ds_bpermute_b32 {v()}, v1, {v()}", "s_waitcnt lgkmcnt(0)"]
    if kind == "saveexec":
        return ["s_and_saveexec_b32 s5, vcc_lo", f"v_fmac_f32_e32 {v()}, {v()}, {v()}",
                f"v_fmac_f32_e32 {v()}, {v()}, {v()}", "s_or_b32 exec_lo, exec_lo, s5"]
    if kind == "flag":
        return [f"s_cmp_gt_u32 s4, {pick.randrange(512)}", f"v_fmac_f32_e32 {v()}, {v()}, {v()}",
                "s_cselect_b32 s2, 0x3f000000, 0x3f800000"]
    if kind == "skip":
        label = f".Lskip{pick.getrandbits(60):x}"
        return [f"s_cmp_eq_u32 s7, {pick.randrange(4)}", f"s_cbranch_scc1 {label}",
                f"v_fmac_f32_e32 {v()}, {v()}, {v()}", f"ds_store_b32 v1, {v()} offset:128",
                f"{label}:"]
    if kind == "cache":
        return ["buffer_gl0_inv"]
    if kind == "fetch":
        return [f"global_load_b32 {v()}, v1, s[0:1] offset:{4 * pick.randrange(16)}",
                "s_waitcnt vmcnt(0)"]
    if kind == "hint":
        return [pick.choice(["s_setprio 1", "s_nop 0", "s_sleep 1"])]
    return [f"v_cndmask_b32_e32 {v()}, {v()}, {v()}, vcc_lo"]


def straight(number):
    pick = random.Random(number)
    registers = pick.choice([4, 6, 8, 12])
    kinds = pick.sample(KINDS, pick.randrange(2, 7))
    lines = prologue(registers)
    for _ in range(pick.choice([12, 25, 60])):
        lines += operations(pick, registers, kinds)
    return lines + epilogue(registers)


def looped(number):
    pick = random.Random(number)
    registers = pick.choice([4, 6, 8, 12])
    kinds = pick.sample(LOOP_KINDS, pick.randrange(1, 6))
    lines = prologue(registers)
    lines += [f"ds_store_b32 v1, v{FIRST + i % registers} offset:{128 * i}" for i in range(8)]
    lines.append("s_waitcnt lgkmcnt(0)")
    for _ in range(pick.choice([0, 6, 20])):
        lines += operations(pick, registers, kinds)
    lines += ["s_mov_b32 s7, 0", f".Lloop{number}:"]
    for _ in range(pick.choice([6, 12, 25, 50])):
        lines += operations(pick, registers, kinds)
    if pick.random() < 0.5:
        lines.append("s_mov_b32 exec_lo, -1")
    lines += ["s_add_i32 s7, s7, 1", f"s_cmp_lt_u32 s7, {pick.choice([1, 2, 3, 8])}",
              f"s_cbranch_scc1 .Lloop{number}"]
    for _ in range(pick.choice([0, 6, 20])):
        lines += operations(pick, registers, kinds)
    return lines + ["s_waitcnt vmcnt(0) lgkmcnt(0)"] + epilogue(registers)


def prologue(registers):
    lines = ["s_load_b64 s[0:1], s[0:1], null", "v_lshlrev_b32_e32 v1, 2, v0",
             "s_mov_b32 s2, 0.5", "s_mov_b32 s4, 0xff", "v_cmp_gt_u32_e32 vcc_lo, 9, v0",
             "s_waitcnt lgkmcnt(0)"]
    return lines + [f"v_cvt_f32_u32_e32 v{FIRST + i}, v{i % 2}" for i in range(registers)]


def epilogue(registers):
    lines = ["s_mov_b32 exec_lo, -1"]
    lines += [f"global_store_b32 v1, v{FIRST + i}, s[0:1] offset:{128 * i}"
              for i in range(registers)]
    return lines + ["s_endpgm"]


def kernel(number, code):
    name = f"k{number}"
    body = "\n".join(line if line.endswith(":") else "\t" + line for line in code)
    return f"""\t.text
\t.globl {name}
\t.p2align 8
\t.type {name},@function
{name}:
{body}
.Lend{number}:
\t.size {name}, .Lend{number}-{name}
\t.section .rodata,"a",@progbits
\t.p2align 6
\t.amdhsa_kernel {name}
\t\t.amdhsa_group_segment_fixed_size 4096
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_user_sgpr_count 2
\t\t.amdhsa_kernarg_size 8
\t\t.amdhsa_next_free_vgpr 32
\t\t.amdhsa_next_free_sgpr 40
\t\t.amdhsa_wavefront_size32 1
\t.end_amdhsa_kernel
"""


print('\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"')
code = looped if "--loops" in sys.argv else straight
print("\n".join(kernel(number, code(number)) for number in range(int(sys.argv[1]))))
