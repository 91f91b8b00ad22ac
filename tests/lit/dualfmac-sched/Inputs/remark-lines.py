"""remark-lines.py FILE < stderr: fails unless every source line that a remark shows stands in FILE
at the line that the remark names."""

import re
import sys

lines = open(sys.argv[1]).read().splitlines()
shown = sys.stdin.read().splitlines()
count = 0
for number, text in enumerate(shown):
    place = re.match(r".*?:(\d+):\d+: remark: ", text)
    if not place:
        continue
    line = int(place[1])
    if line > len(lines):
        sys.exit(f"line {line} is behind the end: {text}")
    source = shown[number + 1] if number + 1 < len(shown) else ""
    if ": remark: " in source or ": note: " in source or not source.strip():
        continue
    if not shown[number + 2].strip() == "^":
        continue
    count += 1
    if lines[line - 1].strip() != source.strip():
        sys.exit(f"line {line} is '{lines[line - 1]}', not '{source}'")
print(f"{count} source lines are the user's")
