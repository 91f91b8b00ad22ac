"""in-page.py PAGE < output: fails unless every line of the tables that end a rewrite stands in PAGE."""

import sys

page = {line.strip() for line in open(sys.argv[1])}
lines = [line.rstrip() for line in sys.stdin]
tables = [line for line in lines if line.startswith("  ") or line.endswith("each proven")]
missing = [line for line in tables if line.strip() not in page]
if missing or not tables:
    sys.exit("not in the page: " + "\n".join(missing))
print(f"{len(tables)} lines are in the page")
