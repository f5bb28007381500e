#!/usr/bin/env python3
"""The memory of a session while a client floods it with lines during a search.

usage: tests/robustness/memory.py [--folder target/release] [--lines 10000] [--limit 64] [game ...]

After a first search the peak memory of the engine is noted. Then lines of 1 MiB are sent behind a
search of two seconds, as fast as they are taken, and every one must be answered. The exit code is 1
if the peak grew by more than the limit, in MiB.
"""

import argparse
import threading

from engine import GAMES, Engine, program, table

LONGEST_LINE = 1 << 20


def growth(path, count):
    """The peak in MiB before and during the flood."""
    engine = Engine(path)
    engine.ask("go movetime 2000", "bestmove")
    idle = engine.memory("VmHWM")
    query = "query turn"
    padded = " " * (LONGEST_LINE - len(query)) + query

    def flood():
        engine.send("go movetime 2000")
        for _ in range(count):
            engine.send(padded)

    sender = threading.Thread(target=flood)
    sender.start()
    for _ in range(count):
        engine.until("response")
    sender.join()
    peak = engine.memory("VmHWM")
    engine.quit()
    return idle / 1024, peak / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--folder", default="target/release")
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--limit", type=float, default=64.0)
    arguments = parser.parse_args()
    rows, grown = [], False
    for game in arguments.games:
        idle, peak = growth(program(arguments.folder, game), arguments.lines)
        grown |= peak - idle > arguments.limit
        figures = [f"{value:.1f}" for value in (idle, peak, peak - idle)]
        rows.append([game, f"{arguments.lines} lines of 1 MiB", *figures])
    table(["game", "sent during a search", "idle MiB", "peak", "growth"], rows)
    raise SystemExit(1 if grown else 0)


if __name__ == "__main__":
    main()
