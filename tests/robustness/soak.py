#!/usr/bin/env python3
"""Random commands for a long time against one session per game: its memory must not grow.

usage: tests/robustness/soak.py [--folder target/release] [--count 200000] [--seed 1]
                                [--option EndgameTables=false] [game ...]

Commands are positions, searches of a few nodes, queries, options, perft, new games, and lines that are
wrong. After every command `isready` must be answered. Resident memory is sampled a hundred times; the
exit code is 1 if the mean of the last quarter is more than 8 MiB above that of the second.
"""

import argparse
import random
import string
import time

from engine import GAMES, Engine, program, table

GROWTH = 8.0

QUERIES = ["turn", "gameover", "result", "legalmoves", "outcome", "rules", "table", "board", "step"]

OPTIONS = ["Hash value 1", "Hash value 16", "Threads value 2", "Threads value 1", "MultiPV value 3",
           "MultiPV value 1", "Clear Hash", "Seed value 7", "Player value random",
           "Player value engine", "Diagram value unicode", "Nothing value 1", "Hash value many"]


class Soak:
    """A session and the game that is played in it."""

    def __init__(self, path, options, seed):
        self.engine = Engine(path, options)
        self.random = random.Random(seed)
        self.moves = []

    def position(self):
        return "position startpos" + (" moves " + " ".join(self.moves) if self.moves else "")

    def step(self):
        """One random command, answered."""
        kind = self.random.randrange(10)
        send = self.engine.send
        if kind < 4:
            send(self.position())
            line = self.engine.ask(f"go nodes {self.random.choice([1, 10, 100])}", "bestmove")
            self.moves.append(line.split()[1])
            over = self.moves[-1] == "0000" or len(self.moves) > 120
            if over or "true" in self.engine.ask("query gameover", "response"):
                self.moves = []
                send("uginewgame")
        elif kind == 4:
            self.engine.ask("query " + self.random.choice(QUERIES), "response")
        elif kind == 5:
            send("setoption name " + self.random.choice(OPTIONS))
        elif kind == 6:
            send("go infinite")
            self.engine.ask("stop", "bestmove")
        elif kind == 7:
            send(self.random.choice(["d", "eval", "perft 1", "position", "moves x", "ponderhit"]))
        elif kind == 8:
            length = self.random.randrange(200)
            letters = self.random.choices(string.ascii_lowercase + " 0123456789-/", k=length)
            send("position fen " + "".join(letters))
        else:
            length = self.random.choice([1, 50, 5000])
            send("".join(self.random.choices(string.ascii_letters, k=length)))
        # `isready` is answered at once, this in its turn: nothing is left to do.
        self.engine.ask("isready", "readyok")
        self.engine.ask("query protocol", "response ugi 1")


def mean(values):
    return sum(values) / max(len(values), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--folder", default="target/release")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    arguments = parser.parse_args()
    rows, grown = [], False
    for game in arguments.games:
        soak = Soak(program(arguments.folder, game), arguments.option, arguments.seed)
        samples, start = [], time.monotonic()
        for number in range(arguments.count):
            soak.step()
            if number % max(arguments.count // 100, 1) == 0:
                samples.append(soak.engine.memory() / 1024)
        quarter = len(samples) // 4
        early, late = mean(samples[quarter : 2 * quarter]), mean(samples[-quarter:])
        grown |= late - early > GROWTH
        peak = soak.engine.memory("VmHWM") / 1024
        code = soak.engine.quit()
        grown |= code != 0
        seconds = time.monotonic() - start
        figures = [f"{value:.1f}" for value in (early, late, peak)]
        rows.append([game, f"{arguments.count} commands", f"{seconds:.0f}", *figures])
    table(["game", "sent", "seconds", "2nd quarter MiB", "last quarter", "peak"], rows)
    raise SystemExit(1 if grown else 0)


if __name__ == "__main__":
    main()
