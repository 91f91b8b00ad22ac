#!/bin/bash
# sweep-and-kills.sh TOOL SPACE FOLDER FILES: the same search by a cluster whose node dies in the
# middle, one of whose tasks is killed, and whose tuner is killed; prints what came of it. Then a
# batch of the folder FILES. Run by one-node.sh.
set -eu
tool=$1 space=$2 folder=$3 files=$4
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
# A task is killed, which the tool submits again.
search worker > "$folder/worker.txt" &
tuner=$!
for _ in $(seq 300); do
  # Of processes whose command line has this folder, and no shell's.
  task=$(ps -eo pid=,comm=,args= | awk -v f="$folder/worker.db.jobs" \
    '$2 ~ /^dualfmac-sched/ && index($0, f) && index($0, "--chunk") { print $1; exit }')
  [ -n "$task" ] && kill -9 "$task" && echo "a task was killed" && break
  sleep 0.02
done
wait $tuner
grep winner "$folder/worker.txt"
for name in killed lost worker; do
  "$tool" tune report "$folder/$name.db" --csv -o "$folder/$name.csv"
done
cmp "$folder/killed.csv" "$folder/worker.csv"
cmp "$folder/killed.csv" "$folder/lost.csv" && echo "the same content"
"$tool" batch "$files" --out "$folder/batch" --engine slurm --chunks 2 > "$folder/batch.txt"
"$tool" batch "$files" --out "$folder/here" > "$folder/here.txt"
cmp "$folder/batch.txt" "$folder/here.txt" && diff -r "$folder/batch" "$folder/here" \
  --exclude=jobs --ignore-matching-lines='"seconds"' && echo "the same batch"
