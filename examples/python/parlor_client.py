"""Drive any engine that speaks UGI (or UCI) from Python: search, query, referee, play matches.

The standard library is enough:
    from parlor_client import Engine, Referee, play_match
    with Engine("parlor engine barca", {"Hash": 64}) as engine:
        engine.position("startpos", ["e2e4"])
        best = engine.go(movetime=100)
        print(best.token, best.info.get("score cp"), engine.query("legalmoves"))
    print(play_match(["parlor engine barca", "./mine"], games=10, nodes=1000))  # {0: 6.5, 1: 3.5}
"""
import contextlib
import queue
import random
import shlex
import subprocess
import threading
import time
from collections import namedtuple


class EngineError(Exception):
    """An engine died, was silent, or answered with an error."""


# The answer to `go`: the move, the reply it expects, the last `info` line as a dictionary.
BestMove = namedtuple("BestMove", "token ponder info seconds")


class Engine(contextlib.AbstractContextManager):
    """One engine process: `command` is a string or a list; `options` are set at the start."""

    def __init__(self, command, options=None, timeout=10.0, dialect="ugi"):
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.timeout, self.dialect = timeout, dialect
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, bufsize=1, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.identity, self.options = {}, []
        for line in self._ask(dialect, dialect + "ok"):
            if line.startswith("id ") and line.count(" ") > 1:
                self.identity.update([line.split(maxsplit=2)[1:]])
            elif line.startswith("option name "):
                self.options.append(line[12:].split(" type ")[0])
        for name, value in (options or {}).items():
            self.set_option(name, value)

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def send(self, line):
        """Sends a line that needs no answer; a dead engine shows at the next answer."""
        with contextlib.suppress(OSError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def _ask(self, line, end, timeout=None):
        """Sends a line; all lines of the answer up to the one that begins with `end`."""
        self.send(line)
        deadline = time.monotonic() + (timeout or self.timeout)
        found = []
        while not found or found[-1].split(" ")[0] != end:
            try:
                answer = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineError(f"{self.command}: no {end} after '{line}'") from None
            if answer is None:
                raise EngineError(f"{self.command}: ended with {self.process.wait()} after '{line}'")
            found.append(answer)
        return found

    def sync(self):
        """Waits until all earlier commands are done; an error if one of them was refused."""
        for line in self._ask("isready", "readyok"):
            if line.startswith("info string error"):
                raise EngineError(f"{self.command}: {line[12:]}")

    def set_option(self, name, value):
        """Sets an option; an error if the engine refuses the value."""
        value = str(value).lower() if isinstance(value, bool) else value
        self.send(f"setoption name {name} value {value}")
        self.sync()

    def new_game(self):
        """Announces a new game."""
        self.send(self.dialect + "newgame")
        self.sync()

    def position(self, start="startpos", moves=()):
        """Sets the position: `startpos` or `fen ...`, and the tokens played from it."""
        self.send(f"position {start}" + (" moves " + " ".join(moves) if moves else ""))
        self.sync()

    def query(self, text):
        """The answer to a query; an error if the engine does not know it or is silent."""
        lines = self._ask(f"query {text}\nisready", "readyok")
        answer = next((line[9:] for line in lines if line.startswith("response")), "error silent")
        if answer.startswith("error"):
            raise EngineError(f"{self.command}: query {text}: {answer}")
        return answer

    def go(self, timeout=None, **limits):
        """Searches: go(movetime=100), go(nodes=1000), go(p1time=60000, p2time=60000)."""
        words = [f" {name} {value}" for name, value in limits.items() if value is not None]
        started = time.monotonic()
        lines = self._ask("go" + "".join(words), "bestmove", timeout or 3600.0)
        best = lines[-1].split() + ["", "", ""]
        reports = [{}] + [read_info(line) for line in lines if " score " in line]
        return BestMove(best[1], best[3], reports[-1], time.monotonic() - started)

    def quit(self):
        self.send("quit")
        self.reader.join(2.0)
        self.process.kill()
        self.reader.join()
        self.process.__exit__(None, None, None)  # waits for it and closes its pipes

    __exit__ = lambda self, *_: self.quit()


def read_info(line):
    """An `info` line as a dictionary: numbers by their words; `pv`, `wdl` and `vec` as lists."""
    words, found = line.split()[1:], {}
    while words:
        word = words.pop(0)
        if word == "score":
            word += " " + words.pop(0)
        if word in ("pv", "string"):
            found[word], words = words, []
        elif word in ("wdl", "vec"):
            count = next((i for i, text in enumerate(words) if not text.isdigit()), len(words))
            found[word], words = words[:count], words[count:]
        elif words and words[0].lstrip("-").isdigit():
            found[word] = int(words.pop(0))
    return found


class Referee(Engine):
    """An engine that says what the rules are: `tokens` is the game so far."""

    def begin(self, start="startpos"):
        """Starts a game from a position."""
        self.start, self.tokens = start, []
        self.new_game()
        self.position(start)
        self.seats = int(self.query("seats"))

    def turn(self):
        """`p1` for a seat that decides, `chance ...` for a throw, `none` at the end."""
        return self.query("turn")

    def play(self, token):
        """Appends a token; an error if it is illegal."""
        self.position(self.start, self.tokens + [token])
        self.tokens.append(token)

    def view(self, seat):
        """What a seat, from 1, may see: the argument of `position`."""
        return self.query(f"view p{seat}")

    def places(self):
        """The place of every seat, once the game is over."""
        return [int(word) for word in self.query("outcome").split()[1:]]


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
            engine = engines[int(turn[1:]) - 1]
            engine.position(referee.view(int(turn[1:])))
            referee.play(engine.go(**limits).token)
    return referee.places()


def play_match(commands, games=2, rules=None, seed=None, **limits):
    """Plays engines against each other, seats in rotation; points by the number of the engine."""
    seed = seed or random.SystemRandom().getrandbits(64)
    score = dict.fromkeys(range(len(commands)), 0.0)
    with Referee(commands[0], rules) as referee:
        referee.begin()
        players = [[Engine(command, rules) for command in commands] for _ in range(referee.seats)]
        for game in range(games):
            seated = [(game + seat) % len(commands) for seat in range(referee.seats)]
            engines = [row[number] for row, number in zip(players, seated)]
            places = play_game(engines, referee, seed + game // len(commands), **limits)
            for seat, place in enumerate(places):
                score[seated[seat]] += (place == 1) / places.count(1)
        for engine in sum(players, []):
            engine.quit()
    return score
