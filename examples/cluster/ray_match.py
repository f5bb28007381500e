"""Plays one match in shards on a Ray cluster and merges them (`pip install ray`).

    python3 ray_match.py barca 'barca name=old option.Hash=4' --games 100000 --nodes 2000
    python3 ray_match.py --shards 500 --address auto new old --nodes 2000 --games 200000 \\
        --sprt 'elo0=0 elo1=3'

What this script does not know is an option of `parlor match`. Every shard is a task; a task plays in a
folder of its own and sends its records back, so that the machines need no common disk, only the
programs. A shard whose worker is lost is played again by Ray on another. With `--sprt` the shards that
are there are judged every ten seconds, and the others are cancelled once the test is decided. The
script may be killed too: started again in the same folder it plays what is missing.
"""
import argparse
import ctypes
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import tempfile

import ray


def end_with_worker():
    """Linux: the program ends with the worker that runs it, which may be killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def run(command, what, good=(0,)):
    """A program on whatever machine, to its end."""
    linux = sys.platform == "linux"
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           errors="replace", preexec_fn=end_with_worker if linux else None)
    if ended.returncode < 0:
        raise InterruptedError(f"{what} was ended by signal {-ended.returncode}")
    if ended.returncode not in good:
        raise RuntimeError(f"{what} ended with {ended.returncode}: {ended.stderr[-2000:]}")


def play(program, words, shard, shards, key):
    """One shard, on whatever machine: the bytes of its records."""
    with tempfile.TemporaryDirectory() as folder:
        records, key_file = os.path.join(folder, "shard.jsonl"), os.path.join(folder, "key")
        with open(key_file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(key)
        command = [program, "match", *words, "--key-file", key_file, "--shard", f"{shard}/{shards}",
                   "--records", records, "--reproducible", "--quiet", "--report", "0"]
        # 1: all games were played, with faults; 3: with a score below what was asked.
        run(command, f"shard {shard}", (0, 1, 3))
        with open(records, "rb") as file:
            return file.read()


def merge(options, parts, *words):
    """Merges shards; what is printed and what `--json` tells of them."""
    if options.sprt:
        words += ("--sprt", options.sprt)
    with tempfile.TemporaryDirectory() as folder:
        told = os.path.join(folder, "merged.json")
        command = [options.program, "merge", *map(str, parts), "--json", told,
                   "--key-file", str(options.folder / "match.key"), *words]
        merged = subprocess.run(command, capture_output=True, text=True)
        if merged.returncode not in (0, 3):
            raise SystemExit(merged.stderr)
        with open(told, encoding="utf-8") as file:
            return merged, json.load(file)


def match_key(folder):
    """The key that all shards need, kept in the folder."""
    path = folder / "match.key"
    if not path.exists():
        with open(path, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(secrets.token_hex(32))
    return path.read_text().strip()


def keep(path, content):
    """Writes a file whole or not at all."""
    new = path.with_suffix(".unfinished")
    new.write_bytes(content)
    new.replace(path)


def is_decided(options, parts):
    """Whether the sequential test over these shards has ended."""
    _, told = merge(options, parts)
    print(f"{told['games']} games, LLR {told['sprt']['llr']:.2f}: {told['sprt']['verdict']}", flush=True)
    return told["sprt"]["verdict"] != "open"


def tried_again(function, cores):
    """A task of it: a worker that is lost costs another try, without end; what is refused ends all."""
    return ray.remote(function).options(num_cpus=cores, max_retries=-1,
                                        retry_exceptions=[InterruptedError])


def collect(options, words, key):
    """Plays the shards that are missing, until the test is decided; the files that are there."""
    files = {number: options.folder / f"shard-{number}.jsonl" for number in range(1, options.shards + 1)}
    there = [path for path in files.values() if path.exists()]
    if options.sprt and there and is_decided(options, there):
        return there
    task = tried_again(play, options.cores)
    running = {task.remote(options.program, words, number, options.shards, key): path
               for number, path in files.items() if path not in there}
    while running:
        done, _ = ray.wait(list(running), num_returns=len(running), timeout=10)
        for reference in done:
            path = running.pop(reference)
            keep(path, ray.get(reference))
            there.append(path)
        if done:
            print(f"{len(there)} of {options.shards} shards", flush=True)
        if options.sprt and done and is_decided(options, there):
            for reference in running:
                ray.cancel(reference, force=True)
            break
    return there


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=64, help="many and short: one is lost with its worker")
    parser.add_argument("--sprt", help="ends the match, over all shards")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."), help="for the records")
    parser.add_argument("--address", help="the cluster; auto: the one of this machine")
    parser.add_argument("--cores", type=float, default=1, help="processor cores of a shard")
    parser.add_argument("--program", default="parlor", help="the path of parlor on every machine")
    options, words = parser.parse_known_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if any(word.split("=")[0] in ("--seed", "--key-file", "--shard", "--records") for word in words):
        parser.error("the key is match.key of --folder; the shards and their records are this script's")
    ray.init(address=options.address, log_to_driver=False)
    there = collect(options, words, match_key(options.folder))
    merged, _ = merge(options, there, "-o", str(options.folder / "match.jsonl"))
    print(merged.stdout, end="")
    raise SystemExit(merged.returncode)


if __name__ == "__main__":
    main()
