"""Records games for training on a Ray cluster (`pip install ray`), with `ray_match.py` beside it.

    python3 ray_record.py --address auto chevrons --game pacru --games 100000 --nodes 600 --out games-2

The subject comes first of what is handed on; the rest are options of `parlor-lab SUBJECT record`. Every
numbered file is a task, made in a folder of its own and sent back: the machines need no common disk,
only the program. A file whose worker is lost is made again on another. The script may be killed too:
started again it makes what is missing. The folder is that of one run, to the byte.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import ray

import ray_match

LABEL = "recording.txt"


def record(command, file, files):
    """One of the numbered files, on whatever machine: its name, its bytes, and the label of the recording."""
    with tempfile.TemporaryDirectory() as folder:
        ray_match.run([*command, "--out", folder, "--shard", f"{file}/{files}"], f"file {file}")
        label = pathlib.Path(folder, LABEL).read_bytes()
        [made] = pathlib.Path(folder).glob("games-*.txt")
        return made.name, made.read_bytes(), label


def file_name(number):
    """The name of a numbered file, from 1."""
    return f"games-{number:05}.txt"


def collect(options, command):
    """Makes the files that are missing."""
    files = -(-options.games // options.chunk)
    missing = [number for number in range(1, files + 1) if not (options.out / file_name(number)).exists()]
    # The machines of the cluster do not have this folder's scripts.
    ray.cloudpickle.register_pickle_by_value(ray_match)
    task = ray_match.tried_again(record, options.cores)
    running = [task.remote(command, number, files) for number in missing]
    while running:
        done, running = ray.wait(running, num_returns=len(running), timeout=10)
        for reference in done:
            name, content, label = ray.get(reference)
            known = options.out / LABEL
            if not known.exists():
                ray_match.keep(known, label)
            if known.read_bytes() != label:
                raise SystemExit(f"{options.out} holds another recording: {known.read_text()}name another directory")
            ray_match.keep(options.out / name, content)
        if done:
            print(f"{files - len(running)} of {files} files", flush=True)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="for the files")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--chunk", type=int, default=500, help="games of a file: few, one is lost with its worker")
    parser.add_argument("--address", help="the cluster; auto: the one of this machine")
    parser.add_argument("--cores", type=float, default=1, help="processor cores of a task")
    parser.add_argument("--program", default="parlor-lab", help="the path of parlor-lab on every machine")
    options, words = parser.parse_known_args()
    if not words or words[0].startswith("-"):
        parser.error("the subject comes first of what is handed on, as in: ray_record.py --out games barca --nodes 600")
    if any(word.split("=")[0] == "--shard" for word in words):
        parser.error("the shards are this script's")
    if options.chunk < 1:
        parser.error("a file has at least one game: --chunk 1")
    options.out.mkdir(parents=True, exist_ok=True)
    subject, *words = words
    command = [options.program, subject, "record", *words, "--games", str(options.games), "--chunk", str(options.chunk)]
    ray.init(address=options.address, log_to_driver=False)
    collect(options, command)
    # The program has the last word: it makes nothing again, and says if the folder is another's.
    raise SystemExit(subprocess.run([*command, "--out", os.fspath(options.out)], check=False).returncode)


if __name__ == "__main__":
    main()
