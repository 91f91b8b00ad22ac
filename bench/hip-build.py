#!/usr/bin/env python3
"""What rdna-clang++ costs: processor time of compiling HIP files, as ratios against clang alone.

    bench/hip-build.py build/release/bin

Least of five runs of each, which take turns. `clang` is rdna-clang++ --rdna-no-rewrite, which becomes clang at once.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = [("tests/hip/vector_add.hip", []), ("tests/hip/math.hip", []),
         ("tests/hip-build/project/sgemm.hip", ["-mcumode", f"-I{ROOT}/templates"])]
WAYS = [("clang", ["--rdna-no-rewrite"]), ("no kernel", ["--rdna-kernels=^$"]),
        ("vgpr-remap", ["--rdna-passes=vgpr-remap"]), ("all passes", [])]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    tool = os.path.join(os.path.abspath(sys.argv[1]), "rdna-clang++")
    print("| file | clang, s | " + " | ".join(name for name, _ in WAYS[1:]) + " |")
    print("| --- |" + " --- |" * len(WAYS))
    with tempfile.TemporaryDirectory() as folder:
        for file, flags in FILES:
            rounds = [[seconds([tool, *way, "-O3", "-std=c++17", *flags, "-c", f"{ROOT}/{file}",
                                "-o", f"{folder}/a.o"]) for _, way in WAYS] for _ in range(5)]
            times = [min(column) for column in zip(*rounds)]
            row = " | ".join(f"{time / times[0]:.2f}" for time in times[1:])
            print(f"| {os.path.basename(file)} | {times[0]:.2f} | {row} |")


if __name__ == "__main__":
    main()
