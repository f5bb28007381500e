#!/usr/bin/env python3
"""Clients that are killed at random moments: no engine and no temporary file may be left.

usage: tests/robustness/killed_clients.py [--folder target/release] [--count 500]

Each client is a process of its own that starts an engine, plays, analyses, writes a log, and in every
fifth round runs a match of `parlor` with records, a text and JSON. It is killed by SIGKILL after up to
half a second. Every process has a mark in its environment, by which those left behind are found two
seconds later. The exit code is 1 if there are any, or any file whose name shows that it was not
finished.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from engine import GAMES, Engine, program

MARK = "PARLOR_KILLED_CLIENT"


def client(folder, game, directory, seed):
    """Plays until it is killed."""
    randomness = random.Random(seed)
    if seed % 5 == 0:
        path = program(folder, "parlor")
        files = [f"--records=r{seed}.jsonl", f"--text=t{seed}.txt", f"--json=j{seed}.json"]
        engines = [program(folder, game), program(folder, game) + " name=two"]
        command = [path, "match", *engines, "--nodes", "200", "--rounds", "50", "-c", "2", *files]
        with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE) as match:
            for _ in match.stdout:
                pass
        return
    log = os.path.join(directory, f"log{seed}")
    engine = Engine(program(folder, game), ["Threads=2"], ["--log-file", log])
    while True:
        engine.send("position startpos")
        engine.send(randomness.choice(["go infinite", "go movetime 60000", "perft 9", "bench"]))
        time.sleep(randomness.random() / 10)
        engine.send(randomness.choice(["stop", "isready", "ponderhit", "query turn"]))


def left_behind():
    """Command lines of the processes with the mark, except this one."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/environ", "rb") as environment:
                marked = MARK.encode() in environment.read()
            with open(f"/proc/{number}/cmdline", "rb") as command:
                line = command.read().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if marked and int(number) != os.getpid():
            found.append(f"{number} {line}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", default="target/release")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--client", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    if arguments.client:
        game, directory, seed = arguments.client
        return client(folder, game, directory, int(seed))
    randomness = random.Random(28)
    environment = {**os.environ, MARK: "1"}
    with tempfile.TemporaryDirectory() as directory:
        for number in range(arguments.count):
            game = GAMES[number // 5 % len(GAMES)]
            words = ["--folder", folder, "--client", game, directory, str(number)]
            command = [sys.executable, os.path.abspath(__file__), *words]
            process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
            time.sleep(0.05 + randomness.random() / 2)
            process.send_signal(signal.SIGKILL)
            process.wait()
        time.sleep(2)
        processes = left_behind()
        files = sorted(os.listdir(directory))
    unfinished = [name for name in files if "unfinished" in name]
    print(f"{arguments.count} clients killed, {len(files)} files, {len(unfinished)} of them unfinished,")
    print(f"{len(processes)} processes left")
    for line in processes + unfinished:
        print(line)
    raise SystemExit(1 if processes or unfinished else 0)


if __name__ == "__main__":
    main()
