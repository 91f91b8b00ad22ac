#!/bin/bash
# A cluster of one node for a command: one-node.sh COMMAND... Starts munged, slurmctld and slurmd of
# its own, with keys, ports and state in a new folder, and ends them by their numbers. The command
# finds SLURM_CONF, NODE_FOLDER, and start_node and stop_node in "$NODE_FOLDER/node.sh".
set -u
export NODE_FOLDER=$(mktemp -d /tmp/rdna-node-XXXXXX) # Paths of sockets are short.
d=$NODE_FOLDER
mkdir "$d/state" "$d/spool" "$d/run"
(umask 077 && head -c 1024 /dev/urandom > "$d/munge.key")
me=$(id -un) host=$(hostname -s)
base=$((20000 + ($$ * 7) % 20000))
cat > "$d/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmdPort=$((base + 1))
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$d/run/munge.sock
CredType=cred/munge
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/run/slurmctld.pid
SlurmdPidFile=$d/run/slurmd.pid
SlurmctldLogFile=$d/slurmctld.log
SlurmdLogFile=$d/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SlurmdTimeout=15
SchedulerParameters=sched_interval=1,batch_sched_delay=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$d/slurm.conf
cat > "$d/node.sh" <<'END'
# slurmd is `killed` as a node that loses its power.
start_node() { slurmd -f "$SLURM_CONF" && sleep 1; }
kill_node() { kill -9 "$(cat "$NODE_FOLDER/run/slurmd.pid")"; }
END
munged --force --key-file="$d/munge.key" --socket="$d/run/munge.sock" --pid-file="$d/run/munge.pid" \
  --log-file="$d/munge.log" --seed-file="$d/run/munge.seed" > /dev/null 2>&1 || exit 90
slurmctld -f "$SLURM_CONF" > /dev/null 2>&1 || exit 91
. "$d/node.sh"
start_node > /dev/null 2>&1 || exit 92
for _ in $(seq 60); do
  [ "$(sinfo -h -o %T 2> /dev/null)" = idle ] && break
  sleep 0.5
done
"$@"
code=$?
scancel --user="$me" > /dev/null 2>&1
sleep 1
for daemon in slurmd slurmctld munge; do
  [ -f "$d/run/$daemon.pid" ] && kill "$(cat "$d/run/$daemon.pid")" 2> /dev/null
done
if [ $code -ne 0 ]; then
  tail -n 20 "$d/slurmctld.log" "$d/slurmd.log" >&2
fi
sleep 1
rm -rf "$d"
exit $code
