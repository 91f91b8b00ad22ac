"""Runs a test program by rdna-run and compares what it says with its source's directives."""

import os
import re
import subprocess
import sys


def directives(source):
    found = {}
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"// ([a-z-]+): (.*)", line)
            if match:
                found.setdefault(match[1], []).append(match[2].rstrip())
    return found


def main(runner, source, program, *options):
    wanted = directives(source)
    module = program + ".module"
    arguments = [module] if os.path.exists(module) else []
    options = [*options, *(word for line in wanted.get("check", []) for word in line.split())]
    done = subprocess.run([runner, *options, program, *arguments], text=True,
                          capture_output=True, errors="replace")
    faults = []
    code = int(wanted.get("exit", ["0"])[0])
    if done.returncode != code:
        faults.append(f"exit code {done.returncode} instead of {code}")
    output = done.stdout.splitlines()
    faults += [f"no line on standard output: {line}"
               for line in wanted.get("expect-output", []) if line not in output]
    faults += [f"not on standard error: {text}"
               for text in wanted.get("expect-error", []) if text not in done.stderr]
    # A watched program ends with a summary line.
    said = [line for line in done.stderr.splitlines() if not (options and "checked: 0" in line)
            and not line.startswith("rdna-run: event times are the emulator's own")]
    if "expect-error" not in wanted and said:
        faults.append("something on standard error")
    for fault in faults:
        print(fault)
    if faults:
        print("--- standard output\n" + done.stdout + "--- standard error\n" + done.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
