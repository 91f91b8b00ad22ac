#!/usr/bin/env python3
"""Makes of our kernel 7 or 8 one like the published kernel, for bench/ladder.

    published.py 7|8 IN.s OUT.s [N]

Published kernels 7 and 8 advance two LDS addresses by a VALU addition each in every inner step,
where the rewriter folds them into offsets. Kernel 8 advances two byte offsets of its global loads
by an addition each as well, whose strides are literals: it works for one N only. What is edited is
checked, so that a text which looks otherwise is refused and nothing is left half done.
"""
import re
import sys

A_STEP, B_STEP = 0x210, 0x200  # Bytes of a row of As and Bs.
STEPS = 8
# Registers that no kernel of the ladder has in use; the published kernels declare 214 and 216.
LDS_A, LDS_B, OFFSET_A, OFFSET_B = "v210", "v211", "v212", "v213"
LOAD = re.compile(r"\tds_load_b64 (v\[\d+:\d+\]), (v\d+)(?: offset:(\d+))?$")


def with_lds_additions(lines):
    """In each run of 8 inner steps: addresses in registers of their own, set in front of the first
    step, advanced behind the loads of each one."""
    out, loads, runs = [], 0, 0
    for line in lines:
        match = LOAD.match(line)
        if not match:
            out.append(line)
            continue
        step, inside = divmod(loads % (12 * STEPS), 12)
        is_a = inside < 4
        offset = int(match.group(3) or 0) - step * (A_STEP if is_a else B_STEP)
        assert 0 <= offset < 512, line
        if loads % (12 * STEPS) == 0:
            bases = {}
            first = len(out) - (1 if out[-1].startswith("\ts_clause") else 0)
            runs += 1
        assert bases.setdefault(is_a, match.group(2)) == match.group(2), line
        if loads % (12 * STEPS) == 4:  # Both are known.
            out[first:first] = [f"\tv_mov_b32_e32 {LDS_A}, {bases[True]}",
                                f"\tv_mov_b32_e32 {LDS_B}, {bases[False]}"]
        out.append(f"\tds_load_b64 {match.group(1)}, {LDS_A if is_a else LDS_B}"
                   + (f" offset:{offset}" if offset else ""))
        loads += 1
        if inside == 11:
            out += [f"\tv_add_nc_u32_e32 {LDS_A}, 0x{A_STEP:x}, {LDS_A}",
                    f"\tv_add_nc_u32_e32 {LDS_B}, 0x{B_STEP:x}, {LDS_B}"]
    assert loads and loads % (12 * STEPS) == 0 and runs in (1, 2), loads
    return out


def with_global_additions(lines, n):
    """The offsets of the main loop's global loads are set in front of the loop and advanced behind
    the last of them."""
    begin = next(i for i, line in enumerate(lines) if "RDNA-BEGIN" in line)
    end = next(i for i, line in enumerate(lines) if "RDNA-END" in line)
    loop = lines[begin:end]
    first = next(i for i, line in enumerate(loop) if line.startswith("\ts_mul_i32"))
    head = [line for line in loop[first:first + 5] if "s_delay_alu" not in line]
    assert [line.split()[0] for line in head] == [
        "s_mul_i32", "v_add_lshl_u32", "v_add_nc_u32_e32", "v_add_lshl_u32"], head
    offset_b = head[1].split()[1].rstrip(",")
    offset_a = head[3].split()[1].rstrip(",")
    del loop[first:first + 5]
    last = 0
    for i, line in enumerate(loop):
        match = re.match(r"\tglobal_load_b32 (v\d+), (v\d+), (s\[\d+:\d+\])$", line)
        if match:
            register = {offset_a: OFFSET_A, offset_b: OFFSET_B}[match.group(2)]
            loop[i] = f"\tglobal_load_b32 {match.group(1)}, {register}, {match.group(3)}"
            last = i
    loop[last + 1:last + 1] = [f"\tv_add_nc_u32_e32 {OFFSET_A}, 32, {OFFSET_A}",
                               f"\tv_add_nc_u32_e32 {OFFSET_B}, 0x{32 * n:x}, {OFFSET_B}"]
    entry = begin - 1
    while not lines[entry].startswith("\ts_branch"):  # Past the block that jumps back to the loop.
        entry -= 1
    temporary = head[2].split()[1].rstrip(",")
    init = [head[0], head[1].replace(offset_b + ",", OFFSET_B + ",", 1), head[2],
            head[3].replace(offset_a + ",", OFFSET_A + ",", 1)]
    assert temporary in head[3], head
    return lines[:entry] + init + lines[entry:begin] + loop + lines[end:]


def main():
    kernel, source, target = sys.argv[1:4]
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 4096
    lines = open(source).read().split("\n")
    if kernel == "8":
        lines = with_global_additions(lines, n)
    lines = with_lds_additions(lines)
    vgprs = {"7": 214, "8": 216}[kernel]
    text = re.sub(r"(\.amdhsa_next_free_vgpr) .*", rf"\1 {vgprs}", "\n".join(lines))
    open(target, "w").write(re.sub(r"(\.vgpr_count:) .*", rf"\1 {vgprs}", text))


if __name__ == "__main__":
    main()
