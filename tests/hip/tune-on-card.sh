#!/usr/bin/env bash
# `tune run --time` without a GPU is refused before any work; on the emulated one the fastest of
# those timed is the winner, and a second run finds all times in the database.
#   SPACE=FILE.json tune-on-card.sh DUALFMAC-SCHED RDNA-RUN
set -euo pipefail
tool=$1 run=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
tune() {
  "$@" tune run --for 7900xtx --size 64x64x32 --space "$SPACE" --best 4 --time 2 --db "$out/tune.db"
}
code=0
tune "$tool" > "$out/none.txt" 2>&1 || code=$?
if [ "$code" = 0 ]; then
  echo "skipped: there is a GPU"
  exit 0
fi
[ "$code" = 3 ] && grep -q "backend hip is not available" "$out/none.txt"
[ ! -e "$out/tune.db" ]

tune "$run" "$tool" > "$out/first.txt"
sed -n '/^measured, in ms: median of 20 on .*(emulated)/,$p' "$out/first.txt" > "$out/table.txt"
cat "$out/table.txt"
mapfile -t times < <(awk 'NR > 2 && /^  [0-9]+x/ { print $(NF - 5) }' "$out/table.txt")
[ "${#times[@]}" = 2 ]
awk -v a="${times[0]}" -v b="${times[1]}" 'BEGIN { exit !(a > 0 && a <= b) }'
# The winner is the first of these lines.
block=$(awk 'NR == 3 { print $1; exit }' "$out/table.txt")
grep -q "^winner: .*--block-tile $block " "$out/table.txt"
grep -q "bit-exact with the sequential order" "$out/table.txt"

tune "$run" "$tool" > "$out/second.txt"
cmp "$out/first.txt" "$out/second.txt"
"$tool" tune report "$out/tune.db" --csv | awk -F, 'NR > 1 && $(NF - 4) > 0 { n++ } END { exit n != 2 }'
"$tool" tune report "$out/tune.db" | grep "  measured .* median of 20 on"
