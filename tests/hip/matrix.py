"""Writes docs/hip-functions.md from the list of exports and the programs; --check compares only."""

import pathlib
import re
import sys
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HEAD = """# Which HIP functions there are

Made by `tests/hip/matrix.py` from `lib/HipRuntime/Exports.txt` and the programs in `tests/hip`; a
test compares. Nodes are the symbol versions of AMD's library. A function that is not there returns
`hipErrorNotSupported` and says its name once on standard error.

"""


def tests_by_function():
    found = {}
    for program in sorted((SOURCE / "tests/hip").glob("*.hip")):
        if program.stem.startswith("fault_"):
            continue
        text = program.read_text(encoding="utf-8") + (SOURCE / "tests/hip/check.h").read_text(
            encoding="utf-8")
        if "<<<" in text:
            text += " __hipPushCallConfiguration __hipPopCallConfiguration hipLaunchKernel"
            text += " __hipRegisterFatBinary __hipUnregisterFatBinary __hipRegisterFunction"
        for marker, function in (("__managed__", "__hipRegisterManagedVar"),
                                 ("__constant__", "__hipRegisterVar")):
            text += " " + function if marker in text else ""
        if "per-thread" in text:
            text = re.sub(r"\b(hip\w+)\b", r"\1_spt", text)
        for function in set(re.findall(r"\b(?:__)?hip[A-Z]\w+", text)):
            found.setdefault(function, []).append(program.stem)
    return found


def nodes():
    result = []
    for line in (SOURCE / "lib/HipRuntime/Exports.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("hip_"):
            result.append((line, [], []))
        elif line and not line.startswith("#"):
            result[-1][1 if line[0] == " " else 2].append(line[2:])
    return result


def matrix():
    tests = tests_by_function()
    there = sum(len(node[1]) for node in nodes())
    missing = sum(len(node[2]) for node in nodes())
    text = HEAD + f"There: {there}. Missing: {missing}.\n"
    for name, implemented, absent in nodes():
        text += f"\n## {name}\n\n"
        if implemented:
            text += "| function | programs that call it |\n| --- | --- |\n"
        for function in implemented:
            programs = tests.get(function, [])
            shown = ", ".join(programs[:3]) + (f" and {len(programs) - 3} more"
                                               if len(programs) > 3 else "")
            text += f"| `{function}` | {shown} |\n"
        if absent:
            words = ("\n" if implemented else "") + "Missing: " + ", ".join(absent) + "."
            text += textwrap.fill(words.strip(), 100, break_long_words=False,
                                  break_on_hyphens=False).join(
                                      ["\n" if implemented else "", "\n"])
    return text


def main(arguments):
    page = SOURCE / "docs/hip-functions.md"
    if "--check" not in arguments:
        page.write_text(matrix(), encoding="utf-8")
        return 0
    if page.read_text(encoding="utf-8") == matrix():
        return 0
    print("docs/hip-functions.md is out of date: run python3 tests/hip/matrix.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
