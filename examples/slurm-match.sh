#!/bin/bash
#SBATCH --job-name=parlor-match
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
# One match as an array of jobs, each of which plays a shard:
#   sbatch examples/slurm-match.sh barca 'barca name=old option.Hash=4' --games 800 --nodes 2000
# and when all are done:
#   parlor merge shard-*.jsonl -o match.jsonl && parlor rate match.jsonl
# Submit a job that was cut off again: finished games are not played twice.
set -eu
PARLOR=${PARLOR:-parlor}
shards=${SLURM_ARRAY_TASK_COUNT:-1}
# An array may begin at any index; shards are counted from 1.
shard=$((${SLURM_ARRAY_TASK_ID:-1} - ${SLURM_ARRAY_TASK_MIN:-1} + 1))
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
exec "$PARLOR" match "$@" \
    --shard "$shard/$shards" --records "shard-$shard.jsonl" --resume --reproducible \
    --stderr "stderr-$shard" --concurrency "${SLURM_CPUS_PER_TASK:-1}" --quiet
