#!/usr/bin/env python3
"""Puts the functions of many compiled files into one, to see how the tools grow with it.

    many-functions.py COUNT FILE.s... > many.s

Every symbol gets a suffix, so the same file may be taken again and again until there are at least
COUNT functions. Metadata are left out: the tools do without.
"""
import re
import sys

WORD = re.compile(r"[A-Za-z_.$][\w.$]*")
LEFT_OUT = (".amdgcn_target", ".amdhsa_code_object_version", ".ident", ".addrsig",
            ".section\t\".note")


def body(path):
    """The code of a file, and the names that it defines."""
    lines, names = [], set()
    for line in open(path, encoding="utf-8"):
        text = line.strip()
        if text.startswith(".amdgpu_metadata"):
            break
        if text.startswith(LEFT_OUT):
            continue
        label = re.match(r"([\w.$]+):", text)
        if label:
            names.add(label.group(1))
        elif text.startswith((".set ", ".type\t", ".globl\t")):
            names.add(WORD.search(text.split(None, 1)[1]).group(0))
        lines.append(line)
    return "".join(lines), names


def main():
    count, files = int(sys.argv[1]), [body(path) for path in sys.argv[2:]]
    made = copy = 0
    while made < count:
        text, names = files[copy % len(files)]
        out = WORD.sub(lambda m: f"{m.group(0)}.c{copy}" if m.group(0) in names else m.group(0),
                       text)
        sys.stdout.write(out)
        made += len(re.findall(r"^\s*\.type\s.*@function", text, re.M))
        copy += 1
    print(f"{made} functions, {copy} copies", file=sys.stderr)


main()
