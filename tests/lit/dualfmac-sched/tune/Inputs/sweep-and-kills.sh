#!/bin/bash
# sweep-and-kills.sh TOOL SPACE FOLDER: the same search by a cluster whose node dies in the middle,
# and whose tuner is killed; prints what came of it. Run by one-node.sh.
set -eu
tool=$1 space=$2 folder=$3
. "$NODE_FOLDER/node.sh"
rm -rf "$folder" && mkdir "$folder"
search() {
  "$tool" tune run --for 7900xtx --size 96x96x64 --space "$space" --db "$folder/$1.db" --best 3 \
    --engine slurm --chunks 3 --sbatch=--requeue
}
# The tuner is killed when it has submitted its tasks; the same command finds them.
search killed > /dev/null &
tuner=$!
for _ in $(seq 100); do
  ls "$folder"/killed.db.jobs/estimate-*/job > /dev/null 2>&1 && break
  sleep 0.1
done
kill -9 $tuner
wait $tuner 2> /dev/null || true
cat "$folder"/killed.db.jobs/estimate-*/job > "$folder/first-job"
search killed | grep winner
cmp "$folder"/killed.db.jobs/estimate-*/job "$folder/first-job" && echo "no second job"
# The node dies with tasks on it and comes back.
search lost > "$folder/lost.txt" &
tuner=$!
for _ in $(seq 200); do
  [ -n "$(squeue -h -t R)" ] && break
  sleep 0.1
done
kill_node
start_node
wait $tuner
grep winner "$folder/lost.txt"
for name in killed lost; do
  "$tool" tune report "$folder/$name.db" --csv -o "$folder/$name.csv"
done
cmp "$folder/killed.csv" "$folder/lost.csv" && echo "the same content"
