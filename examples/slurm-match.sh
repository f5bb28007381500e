#!/bin/bash
#SBATCH --job-name=parlor-match
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
# One match as an array of jobs, each of which plays the shard of its index, of SHARDS (8):
#   sbatch examples/slurm-match.sh barca 'barca name=old option.Hash=4' --games 800 --nodes 2000
#   SHARDS=100 sbatch --array=1-100 examples/slurm-match.sh ...
# and when all are done:
#   parlor merge shard-*.jsonl -o match.jsonl && parlor rate match.jsonl
# Near the time limit, after the loss of a node, or submitted again, a shard continues where it was:
# finished games are not played twice. `--array=3` plays the third of the 8 shards alone.
set -eu
PARLOR=${PARLOR:-parlor}
shards=${SHARDS:-8}
shard=${SLURM_ARRAY_TASK_ID:?run it by sbatch, as an array}
if [ "$shard" -lt 1 ] || [ "$shard" -gt "$shards" ]; then
    echo "array index $shard: there are shards 1 to $shards; SHARDS=N sbatch --array=1-N for others" >&2
    exit 2
fi
# All shards need the same key: one of this directory, unless --seed or --key-file is given.
case " $*" in
*" --seed"* | *" --key-file"*) ;;
*)
    if [ ! -e match.key ]; then
        new=$(mktemp match.key.XXXXXX)
        head -c 32 /dev/urandom >"$new"
        # Another job may have been faster.
        ln "$new" match.key 2>/dev/null || true
        rm "$new"
    fi
    set -- "$@" --key-file match.key
    ;;
esac
# A signal before the time limit: the games in progress are finished if they end within a minute, and
# the job is queued again.
soon=
trap 'soon=1; kill -INT "$match" 2>/dev/null || true' USR1
"$PARLOR" match "$@" \
    --shard "$shard/$shards" --records "shard-$shard.jsonl" --resume --reproducible \
    --stderr "stderr-$shard" --concurrency "${SLURM_CPUS_PER_TASK:-1}" --quiet &
match=$!
code=0
wait "$match" || code=$?
if [ -n "$soon" ]; then
    (sleep "${FINISH:-60}" && kill -INT "$match") 2>/dev/null &
    last=$!
    code=0
    wait "$match" || code=$?
    kill "$last" 2>/dev/null || true
fi
case $code in
# 1: all games were played, with faults; 3: with a score below what was asked.
0 | 1 | 3) exit 0 ;;
130) [ -z "$soon" ] || exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard" ;;
esac
exit "$code"
