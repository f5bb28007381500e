#!/bin/bash
#SBATCH --job-name=record
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
# Self-play games for training as an array of jobs, each of which makes a part of the numbered files:
#   sbatch examples/slurm-record.sh pacru --players 2 --games 15000 --nodes 600 --out games-2
# Submit a job that was cut off again: files that are there are not made again.
set -eu
game=$1
shift
shards=${SLURM_ARRAY_TASK_COUNT:-1}
# An array may begin at any index; shards are counted from 1.
shard=$((${SLURM_ARRAY_TASK_ID:-1} - ${SLURM_ARRAY_TASK_MIN:-1} + 1))
exec parlor-lab "$game" record "$@" --shard "$shard/$shards"
