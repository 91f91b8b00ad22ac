#!/usr/bin/env python3
"""Compares the emulator with AMD's pseudo-code, instruction by instruction.

    run.py DRIVER [--thorough] [--seed N] [--only REGEX] [--verbose] [--jit] [--no-run]
                  [--write-coverage]
"""

import argparse
import collections
import re
import sys
import time
from pathlib import Path

import coverage
import generate
import kernel
from driver import Driver
from instructions import INSTRUCTIONS


COVERAGE = Path(__file__).resolve().parents[2] / "docs" / "emulator-coverage.md"


def describe(place):
    kind, *rest = place
    if kind == "v":
        return f"v{rest[0]} lane {rest[1]}"
    if kind == "s":
        return {106: "vcc_lo", 107: "vcc_hi", 125: "m0", 126: "exec_lo", 127: "exec_hi"}.get(
            rest[0], f"s{rest[0]}")
    return f"{kind} {rest[0]:#x}" if rest else kind


def explain(test, state, place, expected, found):
    words = " ".join(f"{w:08x}" for w in test.words)
    lines = [f"  {test.instruction.key} [{test.what}] {words}: {describe(place)} is {found:#010x}, "
             f"expected {expected:#010x}; MODE {state.mode.bits:#x} EXEC {state.exec:#x}"]
    if test.instruction.format.startswith("SOP"):
        values = [f"s{r}={state.s[r]:#x}" for r in (10, 11, 20, 21, 30, 31)]
        lines.append(f"      before: {' '.join(values)} scc={state.scc} m0={state.s[125]:#x}")
    if place[0] == "v":
        values = [f"v{r}={state.v[r][place[2]]:#010x}" for r in (0, 1, 8, 9, 16, 17, 24, 25)]
        lines.append("      before: " + " ".join(values) + f" vcc={state.s[106]:#x} m0={state.s[125]:#x}")
    return "\n".join(lines)


class Outcome:
    def __init__(self):
        self.tests = collections.Counter()  # per key
        self.runs = 0
        self.failures = collections.defaultdict(list)  # per key
        self.open = collections.Counter()  # known disagreements that still are some

    def count(self, test):
        self.tests[test.instruction.key] += 1
        if test.also and test.also is not test.instruction:
            self.tests[test.also.key] += 1

    def check(self, test, answers):
        key = test.instruction.key
        self.count(test)
        for state, expected, (status, message, memory) in zip(test.states, test.expected, answers):
            self.runs += 1
            if status:
                self.fails(test, f"  {key} [{test.what}]: {message.strip()}")
                return
            if test.adjust:
                test.adjust(expected, kernel.unpack(memory))
            found = kernel.differences(memory, expected)
            if found:
                self.fails(test, explain(test, state, *found[0]))

    def fails(self, test, text):
        if coverage.is_open(test.instruction.key, test.what):
            self.open[test.instruction.key] += 1
        else:
            self.failures[test.instruction.key].append(text)


def batches(tests, size):
    batch = []
    for t in tests:
        batch.append(t)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("driver")
    parser.add_argument("--thorough", action="store_true", help="four times as many operands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="instructions whose FORMAT:NAME matches")
    parser.add_argument("--verbose", action="store_true", help="print every failure")
    parser.add_argument("--jit", action="store_true", help="run the JIT instead of the interpreter")
    parser.add_argument("--write-coverage", action="store_true", help="update docs/emulator-coverage.md")
    parser.add_argument("--no-run", action="store_true", help="only count the tests")
    options = parser.parse_args()
    started = time.time()
    outcome = Outcome()
    if options.no_run:
        for test in generate.all_tests(options.seed, INSTRUCTIONS, False):
            outcome.count(test)
        up_to_date(coverage.document(INSTRUCTIONS, outcome.tests), options.write_coverage)
        return 0
    driver = Driver(options.driver, *(["--jit"] if options.jit else []))
    chosen = [i for i in INSTRUCTIONS if re.search(options.only, i.key)]
    for batch in batches(generate.all_tests(options.seed, chosen, options.thorough), 64):
        for test in batch:
            test.expected = [generate.expectation(test, s) for s in test.states]
        jobs = [(kernel.kernel(t.words, t.lds, t.scratch), t.lds, t.scratch,
                 [kernel.pack(s) for s in t.states]) for t in batch]
        for test, answers in zip(batch, driver.run(jobs)):
            outcome.check(test, answers)
    driver.close()
    for key, failures in outcome.failures.items():
        print(f"{key}: {len(failures)} runs fail, in {outcome.tests[key]} tests")
        for text in failures if options.verbose else failures[:2]:
            print(text)
    for key, count in outcome.open.items():
        print(f"{key}: known to disagree in {count} runs")
    for names, what, _ in coverage.OPEN:
        tested = [k for k in outcome.tests if re.fullmatch(names, k)]
        if tested and not any(k in outcome.open for k in tested):
            print(f"{names} [{what}]: agrees now; coverage.py lists it as open")
    print(f"{len(outcome.tests)} of {len(chosen)} entries tested, {len(outcome.failures)} fail; "
          f"{sum(outcome.tests.values())} instructions, {outcome.runs} runs, seed {options.seed}, "
          f"{time.time() - started:.1f} s")
    stale = False
    if not options.only and not options.thorough:
        stale = not up_to_date(coverage.document(INSTRUCTIONS, outcome.tests), options.write_coverage)
        for i in INSTRUCTIONS:
            if i.key not in outcome.tests and not coverage.reason_untested(i):
                print(f"{i.key}: neither tested nor listed with a reason")
                stale = True
    return 1 if outcome.failures or stale else 0


def up_to_date(text, write):
    """Prints the table of coverage; whether the stored one is the same."""
    print(text[text.index("| format"):text.index("## Open")])
    if write:
        COVERAGE.write_text(text)
    same = COVERAGE.exists() and COVERAGE.read_text() == text
    if not same:
        print(f"{COVERAGE} is out of date: run.py --write-coverage writes it")
    return same


if __name__ == "__main__":
    sys.exit(main())
