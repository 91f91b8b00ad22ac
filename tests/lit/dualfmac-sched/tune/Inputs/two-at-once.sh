#!/bin/bash
# two-at-once.sh TOOL SPACE FOLDER: two tuners at one database, of which one is killed when it has
# results; then another one goes on where it was.
set -eu
tool=$1 space=$2 folder=$3
search() {
  exec "$tool" tune run --for 7900xtx --size 96x96x64 --space "$space" --db "$folder/two.db" \
    --best 3 --threads 1
}
search > "$folder/killed.txt" &
killed=$!
search > "$folder/first.txt" &
first=$!
for _ in $(seq 300); do
  "$tool" tune report "$folder/two.db" 2> /dev/null | grep -q "estimate [1-9]" && break
  sleep 0.1
done
kill -9 $killed 2> /dev/null || true
wait $killed 2> /dev/null || true
(search > "$folder/second.txt")
wait $first
cmp "$folder/first.txt" "$folder/second.txt" && echo "the same table"
