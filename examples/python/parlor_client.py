"""Drive any engine that speaks UGI (or UCI) from Python: search, query, referee, play matches:
    with Engine("parlor engine barca", {"Hash": 64}) as engine:
        engine.position("startpos", ["e2e4"])
        print(engine.go(movetime=100).token, engine.query("legalmoves"))
    print(play_match(["parlor engine barca", "./mine"], games=10, nodes=1000))  # {0: 6.5, 1: 3.5}
"""
import contextlib
import itertools
import os
import queue
import random
import shlex
import signal
import threading
import time
from collections import namedtuple
from subprocess import DEVNULL, PIPE, Popen


class EngineError(Exception):
    """An engine died, was silent, or answered with an error."""


BestMove = namedtuple("BestMove", "token ponder info seconds")  # `info`: the last with a score


class Engine(contextlib.AbstractContextManager):
    """One engine process: `command` is a string or a list; `options` are set at the start."""

    def __init__(self, command, options=None, timeout=10.0, dialect="ugi"):
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.timeout, self.dialect, self.lines = timeout, dialect, queue.Queue()
        self.process = Popen(self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
                             encoding="utf-8", errors="replace", start_new_session=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        try:
            told = [line.partition(" ") for line in self._ask(dialect, dialect + "ok")]
            self.identity = dict(text.partition(" ")[::2] for key, _, text in told if key == "id")
            self.options = [text[5:].split(" type ")[0] for key, _, text in told if key == "option"]
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except EngineError:
            self.quit()
            raise

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.process.wait()
        self.lines.put(None)

    def send(self, line):
        """Sends a line that needs no answer; a dead engine shows at the next answer."""
        with contextlib.suppress(OSError):
            print(line, file=self.process.stdin, flush=True)

    def _ask(self, line, end, timeout=None):
        """Sends a line; all lines of the answer up to the one that begins with `end`."""
        self.send(line)
        found, deadline = [], time.monotonic() + (timeout or self.timeout)
        while not found or found[-1].split(" ")[0] != end:
            try:
                answer = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineError(f"{self.command}: no {end} after '{line}'") from None
            if answer is None:
                self.lines.put(None)  # so that the next question fails at once, too
                raise EngineError(f"{self.command} ended with {self.process.poll()} after '{line}'")
            found.append(answer)
        return found

    def sync(self, line=""):
        """Sends a line and waits until all is done; an error if something was refused."""
        for line in self._ask(f"{line}\nisready".strip(), "readyok"):
            if line.startswith("info string error"):
                raise EngineError(f"{self.command}: {line[12:]}")

    def set_option(self, name, value):
        """Sets an option, without a value for a button; an error if the engine refuses it."""
        value = str(value).lower() if isinstance(value, bool) else value
        self.sync(f"setoption name {name}" + ("" if value is None else f" value {value}"))

    def new_game(self):
        """Announces a new game."""
        self.sync(self.dialect + "newgame")

    def position(self, start="startpos", moves=()):
        """Sets the position: `startpos` or `fen ...`, and the tokens played from it."""
        self.sync("position " + " moves ".join(filter(None, [start, " ".join(moves)])))

    def query(self, text, default=None):
        """The answer to a query; `default` (or an error) if the engine does not know it."""
        lines = self._ask(f"query {text}\nisready", "readyok")
        answer = next((line[9:] for line in lines if line.startswith("response")), "error silent")
        unknown = answer.startswith(("error silent", "error unknown-query"))
        if answer.startswith("error") and not (unknown and default is not None):
            raise EngineError(f"{self.command}: query {text}: {answer}")
        return default if unknown else answer

    def go(self, timeout=None, **limits):
        """Searches: go(movetime=100), go(p1time=60000, p2time=60000), go(infinite=True)."""
        limits = {name: "" if value is True else value for name, value in limits.items()}
        words = ["go"] + [f"{name} {value}" for name, value in limits.items() if value is not None]
        started = time.monotonic()
        lines = self._ask(" ".join(words), "bestmove", timeout or 3600.0)
        best = lines[-1].split() + ["", "", ""]
        reports = [{}] + [read_info(line) for line in lines if " score " in line]
        return BestMove(best[1], best[3], reports[-1], time.monotonic() - started)

    def quit(self, *_):
        """Ends the engine and its process group."""
        self.send("quit")
        self.reader.join(2.0)
        with contextlib.suppress(OSError), self.process:  # which closes its pipes
            os.killpg(self.process.pid, signal.SIGKILL)
            self.reader.join()

    __exit__ = quit


def read_info(line):
    """An `info` line as a dictionary: numbers by their words; `pv`, `wdl` and `vec` as lists."""
    words, found = line.split()[1:], {}
    while words:
        word = words.pop(0)
        word += " " + words.pop(0) if word == "score" else ""
        numbers = list(itertools.takewhile(lambda text: text.lstrip("-").isdigit(), words))
        values = words if word in ("pv", "string") else numbers
        if word in ("pv", "string", "wdl", "vec"):
            found[word], words = values, words[len(values):]
        elif numbers:
            found[word] = int(words.pop(0))
    return found


class Referee(Engine):
    """An engine that says what the rules are, also by plain UGI; `tokens` is the game so far."""

    def begin(self, start="startpos"):
        """Starts a game from a position."""
        self.start, self.tokens = start, []
        self.new_game()
        self.position(start)
        self.seats = int(self.query("seats", "2"))

    def turn(self):
        """`p1` for a seat that decides, `chance ...` for a throw, `none` at the end."""
        if turn := self.query("turn", ""):
            return turn
        over = (self.query("gameover", "") or self.query("result")) not in ("false", "none")
        return "none" if over else "p1" if self.query("p1turn") == "true" else "p2"

    def play(self, token):
        """Appends a token; an error if it is illegal."""
        self.position(self.start, self.tokens + [token])
        self.tokens.append(token)

    def view(self, seat):
        """What a seat, from 1, may see: the argument of `position`."""
        return self.query(f"view p{seat}", f"{self.start} moves {' '.join(self.tokens)}")

    def places(self):
        """The place of every seat, once the game is over."""
        places = [int(word) for word in self.query("outcome", "").split()[1:]]
        return places or {"p1win": [1, 2], "p2win": [2, 1]}.get(self.query("result"), [1, 1])


def play_game(engines, referee, seed=None, start="startpos", **limits):
    """Plays one game, an engine for each seat; the places. Engines can guess a small seed."""
    dice = random.Random(seed)
    referee.begin(start)
    for engine in engines:
        engine.new_game()
    while (turn := referee.turn()) != "none":
        if turn.startswith("chance"):
            referee.play(referee.query(f"throw {dice.getrandbits(64)}"))
        else:
            seat = int(turn[1:])
            engines[seat - 1].position(referee.view(seat))
            referee.play(engines[seat - 1].go(**limits).token)
    return referee.places()


def play_match(commands, games=2, rules=None, seed=None, **limits):
    """Plays engines against each other, seats in rotation; points by the number of the engine."""
    seed = random.SystemRandom().getrandbits(64) if seed is None else seed
    score = dict.fromkeys(range(len(commands)), 0.0)
    with contextlib.ExitStack() as running:
        referee = running.enter_context(Referee(commands[0], rules))
        referee.begin()
        start = lambda command: running.enter_context(Engine(command, rules))
        players = [[start(command) for command in commands] for _ in range(referee.seats)]
        for game in range(games):
            seated = [(game + seat) % len(commands) for seat in range(referee.seats)]
            engines = [row[number] for row, number in zip(players, seated)]
            places = play_game(engines, referee, seed + game // len(commands), **limits)
            for number, place in zip(seated, places):
                score[number] += (place == 1) / places.count(1)
    return score
