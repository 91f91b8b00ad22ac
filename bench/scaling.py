#!/usr/bin/env python3
"""How time and memory of a rewrite grow with the file.

    scaling.py [--bin build/release/bin] [--kernels build/release/kernels] [--most SIZE]
               [--command 'vgpr-remap'] [WHAT...]

WHAT is functions1, functions3 (copies of compiled kernels), loops, straight (instructions of one
block) or blocks (a switch); all if none is named. A row says processor time, time by unit, memory,
and the growth: by how much more time has grown than size since the row before. Near-linear is 1.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"functions1": (10, 100, 1000), "functions3": (10, 100, 1000), "loops": (10, 100, 1000),
         "straight": (1000, 10000, 100000), "blocks": (10, 100, 1000)}


def kernel(body, vgprs=96):
    return ("\t.text\n\t.globl\tk\n\t.p2align\t8\n\t.type\tk,@function\nk:\n"
            + "".join(f"\tv_mov_b32_e32 v{r}, 0\n" for r in range(1, vgprs))
            + "\ts_load_b64 s[2:3], s[0:1], null\n\ts_waitcnt lgkmcnt(0)\n" + body
            + "".join(f"\tglobal_store_b32 v0, v{r}, s[2:3] offset:{4 * r}\n"
                      for r in range(1, 49))
            + "\ts_endpgm\n.Lfunc_end0:\n\t.size k, .Lfunc_end0-k\n\t.amdhsa_kernel k\n"
              "\t.amdhsa_group_segment_fixed_size 4096\n"
              f"\t.amdhsa_next_free_vgpr {vgprs}\n\t.amdhsa_next_free_sgpr 8\n"
              "\t.end_amdhsa_kernel\n")


def step(seed, wanted):
    """Loads and the FMAs of a 4x4 tile, single and in a compiler's registers."""
    lines = [f"\tds_load_b32 v{64 + r}, v0 offset:{4 * r}" for r in range(8)]
    lines.append("\ts_waitcnt lgkmcnt(0)")
    for a in range(4):
        for b in range(4):
            lines.append(f"\tv_fmac_f32_e32 v{1 + 4 * a + b + 16 * (seed % 3)}, "
                         f"v{64 + a}, v{68 + b}")
    return "\n".join(lines[:wanted]) + "\n"


def loops(count):
    return kernel("".join(
        f"\ts_mov_b32 s4, 0\n.Lloop{n}:\n" + step(n, 25) * 2
        + f"\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, s5\n\ts_cbranch_scc1 .Lloop{n}\n"
        for n in range(count)))


def straight(count):
    return kernel("".join(step(n, min(25, count - 25 * n)) for n in range((count + 24) // 25)))


def blocks(count):
    """Cases of a switch, as a compiler writes it without a table."""
    return kernel("".join(
        f"\ts_cmp_lg_u32 s4, {n}\n\ts_cbranch_scc1 .Lnext{n}\n"
        f"\tv_fmac_f32_e32 v{1 + n % 40}, v{64 + n % 8}, v{72 + n % 8}\n"
        f"\tv_add_f32_e32 v{1 + n % 37}, v{64 + n % 5}, v{80 + n % 3}\n.Lnext{n}:\n"
        for n in range(count)))


def functions(kernels, name):
    source = os.path.join(kernels, f"{name}.clang-22.O3.s")
    return lambda count: subprocess.run(
        [sys.executable, os.path.join(HERE, "many-functions.py"), str(count), source],
        check=True, capture_output=True, text=True).stdout


def measure(command, path):
    """Processor seconds, megabytes and exit code."""
    with subprocess.Popen([*command, path, "-o", os.devnull], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--kernels", default="build/release/kernels")
    parser.add_argument("--most", type=int, default=10 ** 6, help="largest size")
    parser.add_argument("--command", default="vgpr-remap", help="tool and arguments")
    parser.add_argument("what", nargs="*", metavar="WHAT")
    options = parser.parse_args()
    makers = {"functions1": functions(options.kernels, "kernel1"),
              "functions3": functions(options.kernels, "kernel3"),
              "loops": loops, "straight": straight, "blocks": blocks}
    tool, *arguments = options.command.split()
    command = [os.path.join(options.bin, tool), *arguments]
    print("| what | size | s | ms by unit | MB | growth |\n|---|---|---|---|---|---|")
    failed = False
    for what in options.what or makers:
        if what not in makers:
            parser.error(f"no '{what}'; there are {', '.join(makers)}")
        last = None
        for size in SIZES[what]:
            if size > options.most:
                break
            with tempfile.NamedTemporaryFile("w", suffix=".s") as file:
                file.write(makers[what](size))
                file.flush()
                seconds, megabytes, code = measure(command, file.name)
            growth = f"{seconds / last[0] / (size / last[1]):.2f}" if last else ""
            print(f"| {what} | {size} | {seconds:.2f} | {1000 * seconds / size:.2f} | "
                  f"{megabytes:.0f} | {growth} |", flush=True)
            last = seconds, size
            if code != 0:
                failed = True
                print(f"{what} {size}: exit code {code}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
