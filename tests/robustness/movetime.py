#!/usr/bin/env python3
"""Measures how long `go movetime N` takes from the command to `bestmove`, along games that engines play with themselves.

Left out are moves without a choice, throws of dice, and searches that report a proved end. Searches that end
early for another reason (section 6 of the specification) show in the least time.

  tests/robustness/movetime.py
  tests/robustness/movetime.py barca --times 100 1000 --count 50
"""

import argparse
import statistics
import time

from engine import Engine, milliseconds_since, program, table

GAMES = ["barca", "pacru", "shacru", "azacru", "porrika", "chowka-bhara"]


def is_choice(engine):
    """Whether a player is to move and has more than one move."""
    if "chance" in engine.ask("query turn", "response"):
        return False
    return len(engine.ask("query legalmoves", "response").split()) > 2


def search(engine, limit):
    """The move of one search, its milliseconds, and whether it saw a proved end."""
    start = time.perf_counter()
    engine.send(f"go movetime {limit}")
    proved = False
    while not (line := engine.line()).startswith("bestmove"):
        proved |= "score mate" in line
    return line.split()[1], milliseconds_since(start), proved


def used(path, limit, count):
    """Milliseconds of `count` searches."""
    engine, moves, times = Engine(path), [], []
    engine.ask("ugi", "ugiok")
    while len(times) < count:
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        counts = is_choice(engine)
        move, spent, proved = search(engine, limit)
        if counts and not proved:
            times.append(spent)
        moves.append(move)
        if move == "0000":
            moves = []
            engine.ask("uginewgame\nisready", "readyok")
    engine.quit()
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--folder", default="target/release")
    parser.add_argument("--count", type=int, default=30, help="searches of each time")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 10, 100, 300, 1000], metavar="MS")
    arguments = parser.parse_args()
    rows = []
    for game in arguments.games:
        for limit in arguments.times:
            times = used(program(arguments.folder, game), limit, arguments.count)
            figures = [min(times), statistics.median(times), max(times)]
            rows.append([game, str(limit), str(len(times)), *(f"{ms:.1f}" for ms in figures)])
    table(["game", "movetime", "searches", "least", "median", "most"], rows)


if __name__ == "__main__":
    main()
