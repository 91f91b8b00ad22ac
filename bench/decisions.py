#!/usr/bin/env python3
"""What each switch of dualfmac-sched rewrite changes, and what --for=7900xtx makes of that: the
steps that it turns down, and which way it keeps. All times are predicted.

    decisions.py [BUILD [KERNEL...]]      (targets hsaco-loader, dualfmac-sched, kernels)
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").absolute()
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


def run(command, folder):
    """Its standard output, if it succeeds."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          cwd=folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    return done.stdout


class Subject:
    def __init__(self, source, launch, parameters, folder):
        self.source, self.launch, self.folder = source, launch, folder
        self.parameters = [f"--param={name}={value}" for name, value in parameters.items()]

    def rewrite(self, *arguments):
        """Its report, and the text."""
        text, report = self.folder / "out.s", self.folder / "report.json"
        run([BUILD / "bin/dualfmac-sched", "rewrite", "--assume=no-index-wrap", *arguments,
             "--report", report, "-o", text, self.source], self.folder)
        return json.loads(report.read_text()), text

    def predicted(self, text):
        out = run([BUILD / "bin/hsaco-loader", "bench", "--backend", "model", text, "--launch",
                   self.launch, *self.parameters, "--json"], self.folder)
        return json.loads(out)["cases"][0]["predicted_ms"]

    def by_counts(self):
        """Each pass that finds something, added to those before it: what it changes."""
        report, _ = self.rewrite()
        found = list(dict.fromkeys(step["pass"] for step in report["steps"]))
        time, changes = self.predicted(self.source), []
        for n in range(len(found)):
            _, text = self.rewrite(*(f"--{name}" for name in found[:n + 1]))
            after = self.predicted(text)
            changes.append(f"{found[n]} {(after / time - 1) * 100:+.1f} %")
            time = after
        _, text = self.rewrite()
        return ", ".join(changes), self.predicted(text)

    def by_time(self):
        report, _ = self.rewrite("--for=7900xtx", "--launch", self.launch, *self.parameters)
        down = []
        for remark in report["remarks"]:
            times = re.search(r"predicted ([0-9.]+) -> ([0-9.]+) ms", remark["message"])
            if times:
                step = re.match(r"the rewrite|unrolling [^ ]+|(?:--)?[a-z-]+", remark["message"])
                rise = (float(times.group(2)) / float(times.group(1)) - 1) * 100
                down.append(f"{step.group(0)} {rise:+.1f} %")
        return report["predicted"], ", ".join(down)


def decide(name, source, launch, parameters):
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(source, launch, parameters, Path(folder))
        try:
            changes, counted = subject.by_counts()
            times, down = subject.by_time()
        except RuntimeError as error:
            print(f"| {name} | {error} | | | | |", flush=True)
            return
    way = next(way["name"] for way in times["ways"] if way["chosen"])
    print(f"| {name} | {changes} | {times['before']['predicted_ms']:.3f} -> {counted:.3f} | "
          f"{times['after']['predicted_ms']:.3f} | {way} | {down} |", flush=True)


def main():
    wanted = sys.argv[2:]
    print("| kernel | by counts, each pass added to those before it | ms: input -> by counts "
          "| --for | way kept | turned down |\n|---|---|---|---|---|---|", flush=True)
    subjects = []
    for compiler in ("clang-16", "clang-19", "clang-22"):
        for kernel in (3, 4, 5):
            subjects.append((f"{kernel}, {compiler}",
                             BUILD / f"kernels/kernel{kernel}.{compiler}.O3.s",
                             ROOT / f"templates/kernel{kernel}.json", {"N": 4096}))
    for name, parameters in CORPUS.items():
        subjects.append((name, BUILD / f"kernels/corpus/{name}.clang-22.O3.s",
                         ROOT / f"tests/corpus/{name}.json", parameters))
    for subject in subjects:
        if not wanted or subject[0] in wanted:
            decide(*subject)


if __name__ == "__main__":
    main()
