#!/usr/bin/env python3
"""How long `stop`, `quit` and `isready` take during a search, on a busy machine.

usage: tests/robustness/latency.py [--folder target/release] [--count 2000] [--load 2]
                                   [--option Hash=1024] [--limit 50] [game ...]

Each sample starts a search without limits and waits for a random time of up to 50 ms. `stop` is timed to
the `bestmove`, `isready` to the `readyok`, also after `uginewgame`, `quit` to the end of the process,
and `stop` of a deep perft to its last line. Meanwhile `--load` processes keep processors busy. The exit
code is 1 if a command took longer than the limit, in milliseconds.

The row `cat` is the machine itself: how long a process that only copies lines takes to end under the
same load. No engine can be faster than that.
"""

import argparse
import os
import random
import subprocess
import time

from engine import GAMES, Engine, Load, milliseconds_since, program, table

# Where a table is made in the background.
ENDINGS = {"porrika": "fen -,Ee,-,-/-,En,-,-/-,-,Gw,-/GnSs,GnSs,-,-/Se,-,-,-/-,GnSs,-,-/-,-,-,- c"}

PAUSES = [0.0, 0.001, 0.003, 0.01, 0.02, 0.05]


def commands_in_a_session(path, options, count, randomness):
    """Milliseconds of `isready` and `stop` along games that the engine plays with itself."""
    engine = Engine(path, options)
    times = {"isready": [], "stop": []}
    moves = []
    for _ in range(count):
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        # Loading a long game is not what is measured.
        engine.ask("isready", "readyok")
        engine.send("go infinite")
        time.sleep(randomness.choice(PAUSES))
        for command, answer in (("isready", "readyok"), ("stop", "bestmove")):
            start = time.perf_counter()
            line = engine.ask(command, answer)
            times[command].append(milliseconds_since(start))
        move = line.split()[1]
        moves.append(move)
        if move == "0000" or "true" in engine.ask("query gameover", "response"):
            moves = []
            engine.send("uginewgame")
    engine.quit()
    return times


def new_games(path, options, count, randomness):
    """Milliseconds from `uginewgame` to the `readyok` after it; where there are endings, in one of them."""
    engine = Engine(path, options)
    times = []
    position = ENDINGS.get(os.path.basename(path), "startpos")
    for _ in range(count):
        engine.send(f"position {position}")
        engine.ask("isready", "readyok")
        engine.send("go infinite")
        time.sleep(randomness.choice(PAUSES))
        engine.ask("stop", "bestmove")
        start = time.perf_counter()
        engine.send("uginewgame")
        engine.ask("isready", "readyok")
        times.append(milliseconds_since(start))
    engine.quit()
    return {"uginewgame": times}


def stopped_perft(path, options, count, randomness):
    """Milliseconds from `stop` to the last line of a deep perft."""
    engine = Engine(path, options)
    times = []
    for _ in range(count):
        engine.send("perft 12")
        time.sleep(randomness.choice(PAUSES))
        start = time.perf_counter()
        engine.ask("stop", "info string")
        times.append(milliseconds_since(start))
    engine.quit()
    return {"stop of perft": times}


def quit_during_search(path, options, count, randomness):
    """Milliseconds from `quit` to the end of the process."""
    times = []
    for _ in range(count):
        engine = Engine(path, options)
        engine.ask("isready", "readyok")
        engine.send("go infinite")
        time.sleep(randomness.choice(PAUSES))
        start = time.perf_counter()
        engine.send("quit")
        # What it has still to say fits into the pipe. Reading it first would be counted as its time.
        engine.process.wait()
        times.append(milliseconds_since(start))
        engine.process.communicate()
    return {"quit": times}


def ends_of_cat(count, randomness):
    """Milliseconds from the end of the input of `cat` to its end."""
    times = []
    for _ in range(count):
        process = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        process.stdin.write(b"line\n")
        process.stdout.readline()
        time.sleep(randomness.choice(PAUSES))
        start = time.perf_counter()
        process.stdin.close()
        process.wait()
        times.append(milliseconds_since(start))
        process.stdout.close()
    return times


def row(name, command, samples):
    """A line of the table: the middle, the 99.9th percentile, the slowest."""
    samples.sort()
    most = samples[int(len(samples) * 0.999)]
    figures = [f"{value:.1f}" for value in (samples[len(samples) // 2], most, samples[-1])]
    return [name, command, len(samples), *figures]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--folder", default="target/release")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--load", type=int, default=2)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--limit", type=float, default=50.0)
    arguments = parser.parse_args()
    rows, slow = [], False
    with Load(arguments.load):
        rows.append(row("cat", "end", ends_of_cat(arguments.count, random.Random(1))))
        for game in arguments.games:
            path = program(arguments.folder, game)
            randomness = random.Random(1)
            for measure in (commands_in_a_session, new_games, stopped_perft, quit_during_search):
                if measure is stopped_perft and game == "barbarossa":
                    continue
                times = measure(path, arguments.option, arguments.count, randomness)
                for command, samples in times.items():
                    rows.append(row(game, command, samples))
                    slow |= samples[-1] > arguments.limit
    table(["game", "command", "samples", "median ms", "99.9 %", "slowest"], rows)
    raise SystemExit(1 if slow else 0)


if __name__ == "__main__":
    main()
