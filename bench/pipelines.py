#!/usr/bin/env python3
"""What pipelining makes of kernels, by the timing model.

    bench/pipelines.py --kernels build/release/kernels [--tensile FOLDER] [--only REGEX]

The ladder's kernels 2 to 5, the corpus's kernels with barriers and, if a folder is given, kernels of
a BLAS library. Each goes through all other passes first; then through --pipeline in several forms. A
row says what came of a form: barriers of the loop, instructions of the kernel, LDS bytes, waves per
SIMD and predicted time with its interval, before and after, and whether both give the same bits with
delays and the emulator's checks find nothing. Where a form is refused the row has the reason; what only costs waves is forced once more, with
the predicted time of that. Nothing is measured on hardware.
"""

import argparse
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMS = ("lds:2", "lds:3", "vgpr:1", "vgpr:2", "lds:2,vgpr:2")
HINTS = ["--waits", "--clause", "--setprio", "--delay-alu"]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--kernels", type=pathlib.Path, default=ROOT / "build/release/kernels")
    parser.add_argument("--tensile", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--compiler", default="22")
    parser.add_argument("--size", default="1024", help="N of the ladder's kernels")
    parser.add_argument("--forms", default=" ".join(FORMS), help="separated by blanks")
    parser.add_argument("--only", default="", help="a regular expression of names")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/pipelines"))
    return parser.parse_args()


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def subjects(options):
    """(name, text, launch description, parameters to run with, to predict with, more options)."""
    suffix = f".clang-{options.compiler}.O3.s"
    for n in (2, 3, 4, 5):
        yield (f"kernel{n}", options.kernels / f"kernel{n}{suffix}",
               ROOT / f"templates/kernel{n}.json", ["N=256"], [f"N={options.size}"], [])
    for path in sorted((options.kernels / "corpus").glob(f"*{suffix}")):
        name = path.name.removesuffix(suffix)
        launch = ROOT / f"tests/corpus/{name}.json"
        if "s_barrier" in path.read_text() and launch.exists():
            yield name, path, launch, [], [], []
    if options.tensile:
        spec = importlib.util.spec_from_file_location("real", ROOT / "bench/real-kernels.py")
        real = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(real)
        for path in sorted(options.tensile.glob("*.s")):
            arguments = real.blas_arguments(path.read_text())
            *_, (_, launch) = real.blas_launches(path, path.read_text(), arguments)
            file = options.work / f"{path.stem}.json"
            file.write_text(json.dumps(launch))
            yield path.stem, path, file, [], [], ["--expand-macros", "--max-code-bytes=65536"]


def block_of(launch):
    sizes = json.loads(launch.read_text()).get("block", [1])
    sizes = [int(s) for s in (sizes if isinstance(sizes, list) else [sizes])] + [1, 1]
    flags = ["--block", str(sizes[0] * sizes[1] * sizes[2])]
    for axis, size in zip("xyz", sizes):
        flags += ["--given", f"workitem_id_{axis}<{size}"]
    return flags


def predicted(options, text, launch, params):
    done = run(options.bin / "hsaco-loader", "bench", text, "--backend", "model", "--launch", launch,
               "--json", *[x for p in params for x in ("--param", p)])
    if done.returncode != 0:
        return None
    return json.loads(done.stdout)["cases"][0]


def words(case):
    if case is None:
        return "?"
    return "{predicted_ms:.4f} ({predicted_low_ms:.4f} to {predicted_high_ms:.4f})".format(**case)


def same_bits(options, after, before, launch, params):
    """Do both give the same bits, with delays, and do all checks find nothing?"""
    def verify(*more):
        return run(options.bin / "hsaco-loader", "verify", after, "--against", before, "--launch",
                   launch, "--delays", "--delay-runs", "2", *more,
                   *[x for p in params for x in ("--param", p)]).returncode == 0
    if verify("--check=all"):
        return "yes"
    return "yes, checks find something" if verify() else "NO"


def barriers_in(text):
    return sum(1 for line in text.read_text().splitlines() if re.match(r"\s+s_barrier\b", line))


def instructions(text):
    return sum(1 for line in text.read_text().splitlines()
               if re.match(r"\s+(?!\.|;|//)[a-z]\w*_\w+", line))


def lds_of(text):
    found = re.search(r"\.amdhsa_group_segment_fixed_size\s+(\S+)", text.read_text())
    return found.group(1) if found else "?"


def rewrite(options, before, after, flags):
    """The steps that were kept, and why others were not."""
    report = after.with_suffix(".json")
    report.unlink(missing_ok=True)
    done = run(options.bin / "dualfmac-sched", "rewrite", before, "-o", after, "--report", report,
               *flags)
    if done.returncode != 0 or not report.exists():
        return None, done.stderr.strip().splitlines()[:1]
    steps = [s for s in json.loads(report.read_text()).get("steps", [])
             if s.get("pass") in ("pipeline", "stages")]
    reasons = [re.sub(r"^\S+: remark: ", "", line) for line in done.stderr.splitlines()
               if "remark:" in line and
               re.search(r"pipelined|tiles ahead|not made in|making|pipelining", line)]
    return steps, reasons


def main():
    options = parse_options()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| kernel | form | barriers | instructions | LDS | waves | predicted ms | same bits |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = 0
    for name, path, launch, run_with, predict_with, more in subjects(options):
        if not re.search(options.only, name):
            continue
        shape = block_of(launch)
        base = options.work / f"{name}.s"
        if run(options.bin / "dualfmac-sched", "rewrite", "--assume=no-index-wrap", path, "-o", base,
               *shape[:2], *more).returncode != 0:
            base.write_text(path.read_text())
        was = predicted(options, base, launch, predict_with)
        print(f"| {name} | before | {barriers_in(base)} in the text | {instructions(base)} | "
              f"{lds_of(base)} | {was['waves_per_simd'] if was else '?'} | {words(was)} | |")
        for form in options.forms.split():
            after = options.work / f"{name}.{form.replace(':', '').replace(',', '-')}.s"
            flags = [f"--pipeline={form}", *HINTS, *shape, *more]
            steps, reasons = rewrite(options, base, after, flags)
            forced = ""
            if not steps and any("--allow-occupancy-loss" in r for r in reasons):
                forced = " (forced)"
                steps, _ = rewrite(options, base, after, [*flags, "--allow-occupancy-loss"])
            if not steps:
                print(f"| {name} | {form} | {reasons[0] if reasons else 'nothing to do'} "
                      "| | | | | |")
                continue
            now = predicted(options, after, launch, predict_with)
            same = same_bits(options, after, base, launch, run_with)
            wrong += same == "NO"
            barriers = [(s.get("barriers_before"), s.get("barriers_after")) for s in steps
                        if "barriers_before" in s]
            print(f"| {name} | {form}{forced} | "
                  f"{', '.join(f'{a} -> {b}' for a, b in barriers)} | {instructions(after)} | "
                  f"{lds_of(after)} | {now['waves_per_simd'] if now else '?'} | {words(now)} | "
                  f"{same} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
