#!/usr/bin/env python3
"""Writes a kernel whose loop is an outer product of ROWS x COLUMNS, unrolled STEPS times, with
registers given out at random as a compiler's allocator leaves them.

    tile-kernel.py ROWS COLUMNS STEPS [--seed N] [--dual] [--mixed N] > tile.s

--dual  pairs neighbouring FMACs that happen to be legal, as the compiler does
--mixed adds N independent operations of other kinds to every step
"""
import argparse
import random

HEAD = """\t.text
\t.globl\ttile
\t.p2align\t8
\t.type\ttile,@function
tile:
\ts_load_b64 s[0:1], s[0:1], null
\tv_lshlrev_b32_e32 v{a}, 2, v0
\tv_lshlrev_b32_e32 v{b}, 4, v0
"""

TAIL = """\ts_waitcnt lgkmcnt(0)
{stores}\ts_endpgm
.Ltile_end:
\t.size\ttile, .Ltile_end-tile
\t.rodata
\t.p2align\t6
\t.amdhsa_kernel tile
\t\t.amdhsa_group_segment_fixed_size 32768
\t\t.amdhsa_kernarg_size 8
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_wavefront_size32 1
\t\t.amdhsa_next_free_vgpr {vgprs}
\t\t.amdhsa_next_free_sgpr 8
\t.end_amdhsa_kernel
"""


class Registers:
    """Free registers; tuples may begin at any even number."""

    def __init__(self, count, rng):
        self.free = set(range(count))
        self.rng = rng

    def take(self, size):
        starts = [r for r in self.free if (size == 1 or r % 2 == 0)
                  and all(r + i in self.free for i in range(size))]
        start = self.rng.choice(sorted(starts))
        self.free -= set(range(start, start + size))
        return start


def tuples(count):
    sizes = []
    while count:
        sizes.append(4 if count >= 4 else 2 if count >= 2 else 1)
        count -= sizes[-1]
    return sizes


def legal(x, y):
    """May the two FMACs (destination, source, source) be one instruction?"""
    return x[0] % 2 != y[0] % 2 and x[1] % 4 != y[1] % 4 and x[2] % 4 != y[2] % 4


def step(args, rng, registers, accumulators, number, a, b):
    """One step of the product: its loads and its operations."""
    lines, taken, factors = [], [], []
    for base, count, region in ((a, args.rows, 0), (b, args.columns, 16384)):
        values, offset = [], region + number * 64
        for size in tuples(count):
            start = registers.take(size)
            taken.append((start, size))
            name = f"v{start}" if size == 1 else f"v[{start}:{start + size - 1}]"
            lines.append(f"\tds_load_b{32 * size} {name}, v{base} offset:{offset}")
            values += range(start, start + size)
            offset += 4 * size
        factors.append(values)
    lines.append("\ts_waitcnt lgkmcnt(0)")
    work = [(accumulators[r * args.columns + c], factors[0][r], factors[1][c])
            for r in range(args.rows) for c in range(args.columns)]
    if args.shuffle:
        rng.shuffle(work)
    while work:
        x = work.pop(0)
        y = next((w for w in work[:4] if args.dual and legal(x, w)), None)
        if y:
            work.remove(y)
            lines.append("\tv_dual_fmac_f32 v%d, v%d, v%d :: v_dual_fmac_f32 v%d, v%d, v%d" % (x + y))
        else:
            lines.append("\tv_fmac_f32_e32 v%d, v%d, v%d" % x)
    for n in range(args.mixed):
        lines.append(f"\tv_{rng.choice(['add', 'sub', 'mul', 'max'])}_f32_e32 v{args.extra[n]}, "
                     f"v{rng.choice(factors[0])}, v{rng.choice(factors[1])}")
    for start, size in taken:
        registers.free |= set(range(start, start + size))
    return lines


def main():
    parser = argparse.ArgumentParser()
    for name in ("rows", "columns", "steps"):
        parser.add_argument(name, type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dual", action="store_true")
    parser.add_argument("--shuffle", action="store_true")
    parser.add_argument("--mixed", type=int, default=0)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    count = args.rows * args.columns + 3 * (args.rows + args.columns) + args.mixed + 4
    registers = Registers(min(256, count), rng)
    registers.free.discard(0)
    a, b = registers.take(1), registers.take(1)
    work = args.rows * args.columns
    # Most of them above the fragments, as where loops are entered with them.
    accumulators = rng.sample(sorted(registers.free)[-work:], work)
    registers.free -= set(accumulators)
    args.extra = [registers.take(1) for _ in range(args.mixed)]
    out = [HEAD.format(a=a, b=b)]
    for acc in accumulators + args.extra:
        out.append(f"\tv_mov_b32_e32 v{acc}, 0\n")
    out.append("\ts_mov_b32 s4, 0\n.Ltile_loop:\n")
    for number in range(args.steps):
        out += [line + "\n" for line in step(args, rng, registers, accumulators, number, a, b)]
    out.append(f"\tv_add_nc_u32_e32 v{a}, 64, v{a}\n\tv_add_nc_u32_e32 v{b}, 64, v{b}\n"
               "\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, 64\n\ts_cbranch_scc1 .Ltile_loop\n")
    stores = "".join(f"\tglobal_store_b32 v0, v{acc}, s[0:1] offset:{4 * (i % 1000)}\n"
                     for i, acc in enumerate(accumulators + args.extra))
    out.append(TAIL.format(stores=stores, vgprs=min(256, count)))
    print("".join(out), end="")


if __name__ == "__main__":
    main()
