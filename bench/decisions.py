#!/usr/bin/env python3
"""What dualfmac-sched rewrite --for=7900xtx decides: by kernel and pass the predicted time before and
behind, and the steps that it turns down. All times are predicted.

    decisions.py [BUILD]      (targets hsaco-loader, dualfmac-sched, kernels)
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/release"
# Large enough that the launch itself is a small part of the time.
CORPUS = {
    "batched_3x3": {"lanes": 196608, "length": 40},
    "cgemm": {"n": 2048},
    "chebyshev": {"lanes": 786432, "terms": 40},
    "conv1d": {"groups": 24576, "taps": 61},
    "fft_radix4": {"transforms": 49152},
    "horner_register": {"lanes": 786432, "rounds": 32},
    "literal_fma": {"lanes": 196608, "pixels": 64},
    "mixed_vopd": {"lanes": 196608, "rounds": 48},
    "nbody": {"n": 24576},
    "nested_loops": {"lanes": 393216},
    "sgemm_8x8": {"M": 2048, "N": 2048, "K": 1024},
    "sgemm_8x16": {"M": 2048, "N": 2048, "K": 1024},
}


def decide(name, source, launch, parameters, arguments):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [BUILD / "bin/dualfmac-sched", "rewrite", "--for=7900xtx", "--launch", launch,
                   "--assume=no-index-wrap", "--report", report, "-o", "/dev/null", source]
        for parameter, value in parameters.items():
            command += ["--param", f"{parameter}={value}"]
        try:
            run = subprocess.run([str(word) for word in command + arguments], capture_output=True,
                                 text=True, timeout=300)
        except subprocess.TimeoutExpired:
            print(f"| {name} | took more than 300 s | | |", flush=True)
            return
        if run.returncode != 0:
            print(f"| {name} | {run.stderr.strip().splitlines()[0]} | | |", flush=True)
            return
        result = json.loads(report.read_text())
    changes = {}
    for step in result["steps"]:
        if "predicted_ns_before" in step:
            change = changes.setdefault(step["pass"], 1)
            changes[step["pass"]] = change * step["predicted_ns_after"] / step["predicted_ns_before"]
    words = ", ".join(f"{name} {(factor - 1) * 100:+.1f} %" for name, factor in changes.items())
    down = []
    for remark in result["remarks"]:
        message = remark["message"]
        times = re.search(r"predicted ([0-9.]+) -> ([0-9.]+) ms", message)
        if times:
            step = re.match(r"(?:--)?([a-z-]+|the rewrite|unrolling [^ ]+)", message).group(0)
            rise = (float(times.group(2)) / float(times.group(1)) - 1) * 100
            down.append(f"{step} {rise:+.1f} %")
    times = result["predicted"]
    print(f"| {name} | {times['before']['predicted_ms']:.3f} -> {times['after']['predicted_ms']:.3f} "
          f"| {words} | {', '.join(down)} |", flush=True)


def main():
    print("| kernel | predicted ms | what kept steps gain, by pass | turned down |\n|---|---|---|---|",
          flush=True)
    for compiler in ("clang-16", "clang-19", "clang-22"):
        for kernel in (3, 4, 5):
            decide(f"{kernel}, {compiler}", BUILD / f"kernels/kernel{kernel}.{compiler}.O3.s",
                   ROOT / f"templates/kernel{kernel}.json", {"N": 4096}, [])
    for name, parameters in CORPUS.items():
        decide(name, BUILD / f"kernels/corpus/{name}.clang-22.O3.s", ROOT / f"tests/corpus/{name}.json",
               parameters, [])


if __name__ == "__main__":
    main()
