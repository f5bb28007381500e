#!/bin/bash
#SBATCH --job-name=record
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
# Self-play games for training as an array of jobs, each of which makes a part of the numbered files,
# that of its index of SHARDS (8):
#   sbatch examples/slurm-record.sh chevrons --game pacru --players 2 --games 15000 --nodes 600 --out games-2
# Near the time limit, after the loss of a node, or submitted again, files that are there are not made
# again.
set -eu
subject=$1
shift
shards=${SHARDS:-8}
shard=${SLURM_ARRAY_TASK_ID:?run it by sbatch, as an array}
if [ "$shard" -lt 1 ] || [ "$shard" -gt "$shards" ]; then
    echo "array index $shard: there are shards 1 to $shards; SHARDS=N sbatch --array=1-N for others" >&2
    exit 2
fi
trap 'kill "$record"; exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"' USR1
"${PARLOR_LAB:-parlor-lab}" "$subject" record "$@" --shard "$shard/$shards" &
record=$!
wait "$record"
