#!/usr/bin/env python3
"""What the rewriter makes of a folder of kernels: a table, and a bit-exact run of each.

    bench/real-kernels.py FOLDER [--bin build/release/bin] [--tool vgpr-remap] [--run] ...

FOLDER has kernels as .s, which are taken as they are, and as .hip, which are compiled by each of
`--compilers` at each of `--levels`; a first line `// flags: ...` in a .hip adds options. (For
programs with a main() there is `rdna-clang++ --rdna-verify`.)

With --run each kernel is run and compared with its original bit for bit, under --check=all with
--check. A launch description lies beside a kernel (NAME.json; NAME.KERNEL.json where a file has
several); kernels of a BLAS library in Tensile's form need none, their launches are made here, for
every combination of alpha, beta and sizes on and off the tile. --coverage says how many of the
instructions with F32 FMAs these launches execute at all. With --predict CARD the timing model says
what a launch takes before and after: of a BLAS kernel one of M = N = K = --size with alpha 1, beta 0.

A table goes to standard output, a row for each kernel (not counted among single FMAs: the one that
an odd number in a block leaves over, and steps of one accumulator beside which no other FMA is
left), everything else to --work. Exit code 1 if a kernel got worse by any count, was refused as a
whole, or gave other bits.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = ("valu", "single_fmac", "conflicts", "hazards")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--tool", default="vgpr-remap",
                        help="command and options, e.g. 'dualfmac-sched rewrite --dual-issue'")
    parser.add_argument("--compilers", default="22", help="16,19,22")
    parser.add_argument("--levels", default="O3", help="O2,O3")
    parser.add_argument("--only", default="", help="a regular expression of names")
    parser.add_argument("--run", action="store_true", help="bit-exact runs")
    parser.add_argument("--check", action="store_true", help="with --run: under --check=all")
    parser.add_argument("--coverage", action="store_true",
                        help="with --run: which F32 FMAs of the rewritten code some run executes")
    parser.add_argument("--predict", default="", help="a card, e.g. 7900xtx")
    parser.add_argument("--size", type=int, default=4096, help="of a BLAS kernel's --predict")
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/real-kernels"))
    parser.add_argument("--json", type=pathlib.Path, help="write all rows to this file")
    return parser.parse_args()


def run(command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          **more)


def measured(command):
    """What came out, the exit code, processor seconds, and the most memory in MB."""
    with subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return out, process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compiled(source, options):
    """(name, .s) of a source by every compiler and level; the name of what does not compile."""
    if source.suffix == ".s":
        yield source.stem, source
        return
    text = source.read_text()
    flags = [f for line in re.findall(r"\A// flags:(.*)$", text, re.M) for f in shlex.split(line)]
    for compiler, level in itertools.product(options.compilers.split(","),
                                             options.levels.split(",")):
        name = f"{source.stem}.clang{compiler}.{level}"
        target = options.work / f"{name}.s"
        done = run([f"clang++-{compiler}", "-x", "hip", "--cuda-device-only",
                    "--offload-arch=gfx1100", "-nogpulib", "-nogpuinc", f"-{level}", "-std=c++17",
                    f"-I{ROOT}/include/rdnakit/compat", f"-I{source.parent}", *flags, "-S",
                    source, "-o", target])
        if done.returncode != 0:
            print(f"{name}: does not compile\n{done.stderr[:2000]}", file=sys.stderr)
            yield name, None
        else:
            yield name, target


def rewrite(options, name, source):
    """Rows of the file's kernels."""
    target, report = options.work / f"{name}.new.s", options.work / f"{name}.report.json"
    report.unlink(missing_ok=True)
    words = shlex.split(options.tool)
    out, code, seconds, megabytes = measured(
        [options.bin / words[0], *words[1:], source, "-o", target, "--report", report])
    (options.work / f"{name}.log").write_text(out)
    if code != 0 or not report.exists():
        return [{"file": name, "kernel": name, "refused": out.strip().splitlines()[:1], "code": code}]
    rows = []
    for kernel in json.loads(report.read_text())["kernels"]:
        before, after = kernel["before"], kernel["after"]
        worse = [c for c in COUNTS if after[c] > before[c]]
        if after["waves_per_simd"] < before["waves_per_simd"]:
            worse.append("waves")
        rows.append({"file": name, "kernel": kernel["name"], "source": str(source),
                     "target": str(target), "before": before, "after": after, "worse": worse,
                     "seconds": seconds, "megabytes": megabytes, "code": code,
                     "taken_back": out.count("was taken back"),
                     "changed": source.read_text() != target.read_text()})
    return rows


# ---- runs -----------------------------------------------------------------------------------


def blas_arguments(text):
    """Names and sizes of a Tensile kernel's arguments; nothing for other kernels."""
    found = re.findall(r"- \.name:\s+(\w+)\s+\.size:\s+(\d+)", text)
    return dict(found) if any(n == "Tensor2dSizeA" for n, _ in found) else None


def blas_launches(path, text, arguments, cube=None):
    """(what, launch description) for every combination that the file's tile makes interesting, or
    for the product of two matrices of `cube` rows and columns."""
    m0, m1, depth = map(int, re.search(r"_MT(\d+)x(\d+)x(\d+)_", path.name).groups())
    block = [int(x) for x in re.search(r"_WG(\d+)_(\d+)_(\d+)_", path.name).groups()]
    stagger = int(re.search(r"_SU(\d+)_", path.name).group(1))
    wgm = int(re.search(r"_WGM(\d+)", path.name).group(1))
    split = re.search(r"_GSU(\d+)_", text)
    gsu = int(split.group(1)) if split else 1
    a_transposed, b_transposed = "_Alik_" in path.name, "_Bjlk_" in path.name
    sizes = [(m0, m1), (2 * m0, 2 * m1), (m0 + 3, m1 + 5), (1, 1), (m0 - 1, 2 * m1 + 1)]
    ks = [0, 1, depth - 1, depth, 3 * depth + 1, 10 * depth]
    scalars = [(1, 0)] if gsu > 1 else list(itertools.product((0, 1, 1.25), (0, 0.5)))
    if gsu > 1:  # It adds to D, which begins at 0, and knows no beta.
        scalars = [(alpha, 0) for alpha in (0, 1, 1.25)]
    if cube:
        sizes, ks, scalars = [(cube, cube)], [cube], [(1, 0)]
    for (m, n), k, (alpha, beta) in itertools.product(sizes, ks, scalars):
        groups0, groups1 = -(-m // m0), -(-n // m1)
        steps, shift, s = k // depth // gsu, 3, stagger
        while s > 1 and steps < s << shift:
            s //= 2
        remainder = groups1 % wgm or wgm
        matrix = lambda rows, columns: max(4, 4 * rows * columns)
        output = {"output": True}
        values = {
            "Tensor2dSizeA": {"u64": m * k}, "Tensor2dSizeB": {"u64": n * k},
            "AddressD": {"name": "D", "buffer": matrix(m, n), "type": "f32",
                         "init": "zero" if gsu > 1 else "random", **output},
            "AddressC": {"name": "C", "buffer": matrix(m, n), "type": "f32", "init": "random"},
            "AddressA": {"name": "A", "buffer": matrix(m, k), "type": "f32", "init": "random"},
            "AddressB": {"name": "B", "buffer": matrix(n, k), "type": "f32", "init": "random"},
            "Alpha": {"f32": alpha}, "Beta": {"f32": beta},
            "StridesD": {"u32x2": [m, m * n]}, "StridesC": {"u32x2": [m, m * n]},
            "StridesA": {"u32x2": [k if a_transposed else m, m * k]},
            "StridesB": {"u32x2": [n if b_transposed else k, n * k]},
            "SizesFree": {"u32x3": [m, n, 1]}, "SizesSum": {"u32": k},
            "OrigStaggerUIter": {"u32": max(0, s - 1)},
            "NumWorkGroups0": {"u32": groups0}, "NumWorkGroups1": {"u32": groups1},
            "NumFullBlocks": {"u32": groups1 // wgm}, "WgmRemainder1": {"u32": remainder},
            "MagicNumberWgmRemainder1": {"u32": 2**31 // remainder + 1},
        }
        yield f"M={m} N={n} K={k} alpha={alpha} beta={beta}", {
            "grid": [groups0, groups1 * gsu, 1], "block": [block[0] * block[1] * block[2], 1, 1],
            "args": [values[name] for name in arguments]}


def launches(row, options):
    """(what, path of a launch description, options) of a kernel."""
    source = pathlib.Path(row["source"])
    text = source.read_text()
    arguments = blas_arguments(text)
    if arguments:
        for number, (what, launch) in enumerate(blas_launches(source, text, arguments)):
            path = options.work / f"{row['file']}.{number}.launch.json"
            path.write_text(json.dumps(launch))
            yield what, path, ["--threads", "1"]
        return
    stem = row["file"].split(".")[0]
    for path in (options.folder / f"{stem}.{row['kernel']}.json", options.folder / f"{stem}.json"):
        if path.exists():
            kernel = json.loads(path.read_text()).get("kernel", row["kernel"])
            if kernel == row["kernel"]:
                yield path.name, path, []
            return


def assembled(path, options):
    """A code object of a .s: reading one takes a fifth of the time, and there are many runs."""
    target = options.work / (path.stem + ".hsaco")
    done = run([options.bin / "hsaco-loader", "assemble", path, "-o", target])
    return target if done.returncode == 0 else path


def verify(row, options):
    """How many of the kernel's runs agree with the original's, of how many; and who does not."""
    bad, count = [], 0
    old, new = (assembled(pathlib.Path(row[text]), options) for text in ("source", "target"))
    cases = list(launches(row, options))
    for what, launch, more in cases:
        count += 1
        done = run([options.bin / "hsaco-loader", "verify", "--against", old, new, "--launch",
                    launch, *more, *(["--check=all"] if options.check else [])])
        if done.returncode != 0:
            bad.append((what, (done.stdout + done.stderr).strip()[-600:]))
    good = count - len(bad)
    if options.coverage and cases:
        row["executed"], row["fmas"], missing = coverage(new, cases, options)
        bad += [("never executed", line) for line in missing]
    return good, count, bad


def predicted(row, options):
    """Milliseconds before and after by the timing model, or why there are none."""
    source = pathlib.Path(row["source"])
    text = source.read_text()
    arguments = blas_arguments(text)
    if arguments:
        launch = options.work / f"{row['file']}.predict.launch.json"
        launch.write_text(json.dumps(next(blas_launches(source, text, arguments, options.size))[1]))
    else:
        launch = next((path for _, path, _ in launches(row, options)), None)
    if launch is None:
        return "no launch"
    times = []
    for code in (row["source"], row["target"]):
        done = run([options.bin / "hsaco-loader", "bench", "--backend", "model", "--device",
                    options.predict, code, "--launch", launch, "--json"])
        if done.returncode != 0:
            return done.stderr.strip().splitlines()[0].split("error: ")[-1]
        case = json.loads(done.stdout)["cases"][0]
        times.append((case["predicted_ms"], case["predicted_low_ms"], case["predicted_high_ms"]))
    row["predicted"] = times
    (old, *_), (new, *_) = times
    return " -> ".join(f"{ms:.3f} ({low:.3f} to {high:.3f})" for ms, low, high in times) \
        + f", {100 * (new / old - 1):+.0f} %"


# ---- coverage -------------------------------------------------------------------------------

FMA = re.compile(r"\bv_(?:dual_)?fma(?:c|ak|mk)?_f32")
EXECUTED = re.compile(r"w\d+ #\d+ +(0x[0-9a-f]+) ")


def coverage(code, cases, options):
    """How many instructions with F32 FMAs some launch executes, of how many; those none does."""
    listing = run([options.objdump, "-d", "--no-show-raw-insn", code]).stdout
    fmas = {int(line.rsplit("//", 1)[1].split(":")[0], 16): line.split("//")[0].strip()
            for line in listing.splitlines() if FMA.search(line)}
    left = set(fmas)
    # Those with alpha and beta and many steps come last. Without alpha there are no products, and
    # some kernels have code of its own for alpha = 1, beta = 0 and whole tiles.
    for what, launch, _ in reversed(cases):
        grid = json.loads(launch.read_text())["grid"]
        if "alpha=0" in what:
            continue
        for workgroup in {"0,0,0", ",".join(str(n - 1) for n in grid)}:
            if not left:
                break
            with subprocess.Popen([str(c) for c in (options.bin / "hsaco-loader", "run", code,
                                                    "--launch", launch, "--trace=all",
                                                    "--workgroup", workgroup)],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True) as process:
                left -= {int(m.group(1), 16) for m in
                         map(EXECUTED.match, process.stdout) if m}
    return len(fmas) - len(left), len(fmas), [f"{at:#x}: {fmas[at]}" for at in sorted(left)]


# ---- table ----------------------------------------------------------------------------------


def share(gone, all_of_them):
    return "" if all_of_them == 0 else f"{100 * gone / all_of_them:.0f} %"


def countable(counts, *without):
    """Single FMAs but those that cannot be paired."""
    none = sum(counts[f"single_fmac_{kind}"] for kind in ("odd", "chained", *without))
    return counts["single_fmac"] - min(counts["single_fmac"], none)


def main():
    options = parse_options()
    options.work.mkdir(parents=True, exist_ok=True)
    wanted = re.compile(options.only)
    rows, failed = [], False
    sources = sorted(p for p in options.folder.iterdir() if p.suffix in (".s", ".hip"))
    print("| kernel | VALU | single | not counted | conflicts | hazards | LDS | VGPRs | waves "
          "| s | MB | runs |" + (" predicted ms |" if options.predict else ""))
    print("|" + "---|" * (13 if options.predict else 12))
    for source in sources:
        if not wanted.search(source.name):
            continue
        for name, text in compiled(source, options):
            if text is None:
                failed = True
                continue
            done = rewrite(options, name, text)
            for row in done:
                rows.append(row)
                label = name if len(done) == 1 else f"{name} {row['kernel']}"
                if "before" not in row:
                    failed = True
                    print(f"| {label} | refused: {row['refused']} |")
                    continue
                runs = ""
                if options.run:
                    good, count, bad = verify(row, options)
                    row["runs"], row["bad"] = count, bad
                    runs = f"{good} of {count}"
                    if "fmas" in row:
                        runs += f", {row['executed']} of {row['fmas']} FMA instructions executed"
                    failed |= bool(bad)
                    for what, words in bad:
                        print(f"{label} {what}: {words}", file=sys.stderr)
                before, after = row["before"], row["after"]
                pair = lambda c: f"{before[c]} -> {after[c]}"
                failed |= bool(row["worse"])
                print(f"| {label} | {pair('valu')} | {pair('single_fmac')} "
                      f"| {after['single_fmac'] - countable(after)} | {pair('conflicts')} "
                      f"| {pair('hazards')} | {pair('lds_accesses')} | {pair('vgprs')} "
                      f"| {pair('waves_per_simd')} | {row['seconds']:.1f} "
                      f"| {row['megabytes']:.0f} | {runs}"
                      + (f" WORSE: {', '.join(row['worse'])}" if row["worse"] else "") + " |"
                      + (f" {predicted(row, options)} |" if options.predict else ""),
                      flush=True)
    summary(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    return 1 if failed else 0


def summary(rows):
    done = [r for r in rows if "before" in r]
    print(f"\n{len(rows)} kernels, {len(rows) - len(done)} refused, "
          f"{sum(r['changed'] for r in done)} in changed files, "
          f"{sum(bool(r['worse']) for r in done)} worse by a count, "
          f"{sum(r['taken_back'] > 0 for r in done)} with a step taken back, "
          f"{sum(r.get('runs', 0) for r in done)} runs, "
          f"{sum(len(r.get('bad', [])) for r in done)} of them bad")
    for what, of in (("single FMAs but odd ones and sums' steps", countable),
                     ("and but other chains", lambda c: countable(c, "dependent")),
                     ("FMAs that share their instruction with nothing", lambda c: c["fma_alone"]),
                     ("conflicts", lambda c: c["conflicts"])):
        before = sum(of(r["before"]) for r in done)
        after = sum(of(r["after"]) for r in done)
        some = [r for r in done if of(r["before"]) > 0]
        good = sum(of(r["after"]) <= 0.1 * of(r["before"]) for r in some)
        print(f"{what}: {before} -> {after}, {share(before - after, before)} gone; at least 90 % "
              f"in {good} of {len(some)} kernels that have any ({share(good, len(some))})")


if __name__ == "__main__":
    sys.exit(main())
