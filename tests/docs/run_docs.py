#!/usr/bin/env python3
"""Runs the commands of the README and the how-tos, and compares what they print.

    run_docs.py --bin DIR [--share DIR] [--clang clang-22] [--update] [PAGE.md...]

A command is an indented line that begins with "$ " or with the name of a tool or compiler. What
follows it up to the next command or blank line is its output: "..." in a line stands for any text,
a line of its own for any lines; times and addresses may differ, and remarks and
warnings may be left out. A
command without output must only succeed. --update writes what is printed now into the page, whole:
look at what it has changed.
Commands of a page run in one folder, in their order; docs.json says what is in it at first, which
commands fail as the page says, which need what no machine here has, and which files a page needs.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ("isa-parse", "vgpr-remap", "dualfmac-sched", "hsaco-loader", "rdna-clang++", "rdna-run",
         "clang++", "clang-", "cc ", "PATH=")
SECONDS = 240  # A command that hangs; none takes a tenth of it.


class Command:
    def __init__(self, page, line, text):
        self.page, self.line, self.text, self.output = page, line, text, []
        self.places = []  # Lines of the page that hold the output.


def commands_of(page):
    """The commands of a page with the output that it shows."""
    commands, open_command, previous_blank = [], None, True
    for number, line in enumerate(page.read_text().splitlines(), 1):
        code = line.startswith("    ")
        text = line[4:] if code else ""
        if not code:
            if line.strip():  # Prose ends what a command prints; blank lines may be part of it.
                open_command = None
        elif open_command and open_command.text.endswith("\\"):
            open_command.text = open_command.text[:-1] + " " + text.strip()
        elif text.startswith("$ ") or text.startswith(TOOLS) and not re.match(r"[\w-]+: ", text):
            if previous_blank or open_command or text.startswith("$ "):
                open_command = Command(page, number, text.removeprefix("$ "))
                commands.append(open_command)
        elif open_command:
            open_command.output.append(text.rstrip())
            open_command.places.append(number - 1)
        previous_blank = not line.strip()
    return commands


def pattern_of(lines):
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        text = re.escape(line.rstrip()).replace(r"\.\.\.", ".*")
        if "predicted" not in text:  # What was measured; the model's times are always the same.
            text = re.sub(r"\d+(\\\.\d+)?\\ (ms|s|us)\b", r"[0-9.]+\\ (?:ms|s|us)", text)
        for start, digits in (("0x0000", 12), ("0x7", 11)):  # Addresses of this run.
            text = re.sub(rf"{start}[0-9a-f]{{{digits}}}", f"{start}[0-9a-f]{{{digits}}}", text)
        parts.append(text + r" *\n")
    return "".join(parts)


REMARK = re.compile(r"^[^ \n]+: (?:warning|remark|note): .*\n(?:.*\n[ \t]*\^.*\n)?", re.MULTILINE)


def without_remarks(printed):
    return REMARK.sub("", printed)


def shown(printed):
    return [line.expandtabs().rstrip() for line in printed.splitlines() if line.strip()]


def update(page, changes):
    """Puts what was printed in the place of what the page shows."""
    lines = page.read_text().splitlines()
    for command, printed in reversed(changes):
        first, last = command.places[0], command.places[-1]
        lines[first:last + 1] = ["    " + line for line in shown(without_remarks(printed))]
    page.write_text("\n".join(lines) + "\n")


def differs(command, printed):
    """Empty if the page shows what was printed."""
    expected = [line.expandtabs() for line in command.output if line.strip()]
    if not expected:
        return ""
    if not any(re.search("remark: |warning: ", line) for line in expected):
        printed = without_remarks(printed)
    lines = shown(printed)
    if re.fullmatch(pattern_of(expected), "".join(line + "\n" for line in lines)):
        return ""
    return "the page shows\n" + "\n".join("  |" + line for line in expected) + \
        "\nit prints\n" + "\n".join("  |" + line for line in lines[:60])


def run(command, folder, environment):
    """What was printed and the exit code; a command that hangs is ended, and what it started."""
    with subprocess.Popen(command, shell=True, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        try:
            printed, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed = process.communicate()[0] + f"ended after {SECONDS} s\n"
        return subprocess.CompletedProcess(command, process.returncode, printed)


def prepare(folder, commands, environment):
    """What a page starts from; says which command fails."""
    for command in commands:
        result = run(command, folder, environment)
        if result.returncode:
            return f"{command} fails:\n{result.stdout}"
    return ""


def run_page(page, options, rule, base, environment):
    """How many commands failed, how many ran, and what is to be said."""
    failures = ran = skipped = 0
    said, changes = [], []
    missing = [name for name in rule.get("needs", []) if not pathlib.Path(name).exists()]
    if missing:
        return 0, 0, [f"{page.name}: skipped, there is no {missing[0]}"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "page")
        shutil.copytree(base, folder)
        if failed := prepare(folder, rule.get("setup", []), environment):
            return 1, 0, [f"FAILED {page.name}: {failed}"]
        for command in commands_of(page):
            where = f"{page.name}:{command.line}: {command.text}"
            reason = next((why for part, why in rule.get("skip", {}).items()
                           if part in command.text), None)
            if reason:
                said.append(f"skipped ({reason}): {where}")
                skipped += 1
                continue
            text = re.sub(r"clang(\+\+)?-22", options.clang.replace("clang", r"clang\1"),
                          command.text).replace("/usr/local/lib/rdnakit", environment["LIB"])
            result = run(text, folder, environment)
            ran += 1
            wanted = next((code for part, code in rule.get("exit", {}).items()
                           if part in command.text), 0)
            message = "" if result.returncode == wanted else \
                f"exit code {result.returncode}, not {wanted}:\n{result.stdout[:2000]}"
            message = message or differs(command, result.stdout)
            if options.update and message and command.places and result.returncode == wanted:
                changes.append((command, result.stdout))
            if message:
                failures += 1
                said.append(f"FAILED {where}\n{message}")
    if changes:
        update(page, changes)
    said.append(f"{page.name}: {ran} commands ran, {skipped} skipped, {failures} failed")
    return failures, ran, said


def library_folder(prefix):
    """Debian's packages have a folder for each architecture."""
    found = [path for path in (prefix / "lib/rdnakit", *(prefix / "lib").glob("*-linux-gnu/rdnakit"))
             if (path / "device").is_dir()]
    return str(found[0] if found else prefix / "lib/rdnakit")


def main():
    parser = argparse.ArgumentParser()
    root = HERE.parent.parent
    parser.add_argument("--bin", type=pathlib.Path, default="/usr/bin")
    parser.add_argument("--share", type=pathlib.Path, default=root, help="where templates/ is")
    parser.add_argument("--prefix", type=pathlib.Path, default=root, help="where include/ is")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--update", action="store_true", help="correct the pages")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    rules = json.loads((HERE / "docs.json").read_text())
    pages = options.pages or [root / "README.md", *sorted((root / "docs").glob("howto-*.md"))]
    environment = dict(os.environ, PATH=f"{options.bin.resolve()}:{os.environ['PATH']}",
                       NO_COLOR="1", COLUMNS="200", P=str(options.prefix.resolve()),
                       ROOT=str(root), CLANG=options.clang, DOCS=str(HERE),
                       LIB=library_folder(options.bin.resolve().parent),
                       SHARE=str(options.prefix.resolve() / "examples"))
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name, "base")
        shutil.copytree(options.share / "templates", base)
        shutil.copytree(options.share / "templates", base / "templates")
        if failed := prepare(base, rules["setup"], environment):
            sys.exit(failed)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            results = list(pool.map(
                lambda page: run_page(page, options, rules["pages"].get(page.name, {}), base,
                                      environment), pages))
    for _, _, said in results:
        print("\n".join(said))
    if not sum(ran for _, ran, _ in results):
        sys.exit("no commands found")
    sys.exit(1 if any(failures for failures, _, _ in results) else 0)


if __name__ == "__main__":
    main()
