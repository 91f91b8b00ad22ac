#!/usr/bin/env python3
"""What a launch through the HIP runtime costs against one through the C interface, as ratios.

    bench/hip-launch.py build/release

Least of seven rounds of 300 launches each, which take turns. RDNA_RUN_THREADS=1 takes the starting of threads out.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    build = os.path.abspath(sys.argv[1])
    tool = [f"{build}/bin/rdna-clang++", "--rdna-no-rewrite", "-O2", "-std=c++17",
            f"-I{ROOT}/include", f"{ROOT}/bench/hip/launch.hip"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*tool, "--offload-device-only", "--no-gpu-bundle-output",
                        "-o", f"{folder}/device"], check=True)
        subprocess.run([*tool, "-o", f"{folder}/launch", f"-L{build}/lib", "-lrdna3emu",
                        f"-Wl,-rpath,{build}/lib"], check=True)
        subprocess.run([f"{build}/bin/rdna-run", f"{folder}/launch", f"{folder}/device"],
                       check=True)


if __name__ == "__main__":
    main()
