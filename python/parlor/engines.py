"""Engines, in this process or as one of their own, by the line protocol."""
from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ._parlor import games, start_session
from .position import Position, value_text

#: Lines that wait to be read; an engine that says more waits itself.
MOST_LINES = 1000
#: Bytes of a line; what is longer is cut.
LONGEST_LINE = 1 << 20


class EngineError(Exception):
    """An engine died, was silent, or answered with an error."""


@dataclass
class Info:
    """One `info` line: `cp` is in centipawns, `mate` a distance, both for the seat that moves."""
    multipv: int = 1
    depth: Optional[int] = None
    cp: Optional[int] = None
    mate: Optional[int] = None
    bound: Optional[str] = None
    wdl: Optional[List[int]] = None
    vec: Optional[List[int]] = None
    nodes: Optional[int] = None
    pv: List[str] = field(default_factory=list)
    values: Dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, line: str) -> "Info":
        """Reads a line; numbers without a member of their own are in `values`.

        >>> Info.read("info depth 3 score mate -2 wdl 1 2 997 time 12 pv a b").mate
        -2
        """
        words, info = line.split()[1:], cls()
        while words:
            word = words.pop(0)
            if word == "string":
                break
            if word == "pv":
                info.pv = words
                break
            if word in ("lowerbound", "upperbound"):
                info.bound = word
                continue
            numbers = [int(text) for text in itertools.takewhile(is_number, words)]
            if word in ("wdl", "vec"):
                setattr(info, word, numbers)
                words = words[len(numbers):]
            elif numbers:
                words.pop(0)
                if word in ("depth", "multipv", "nodes", "cp", "mate"):
                    setattr(info, word, numbers[0])
                else:
                    info.values[word] = numbers[0]
        return info


def is_number(text: str) -> bool:
    """Whether a word is an integer."""
    return text.lstrip("-").isdigit() and text.isascii()


@dataclass
class Result:
    """The answer of a search: `lines` are the last of each index, the best first."""
    token: str
    ponder: Optional[str]
    lines: List[Info]
    seconds: float

    @property
    def info(self) -> Info:
        """The last line of index 1; an empty one if there was none."""
        return next((line for line in self.lines if line.multipv == 1), Info())


class Search:
    """A search that goes on: iterate over its `Info`, `stop()` it, ask for its `result()`.

    >>> with Engine("barca") as engine:
    ...     search = engine.start(infinite=True)
    ...     deep = next(info for info in search if info.depth >= 2)
    ...     len(search.stop().token)
    4
    """

    def __init__(self, engine: "Engine", number: int):
        self._engine, self._number = engine, number
        self._started = time.monotonic()
        self._lines: Dict[int, Info] = {}
        self._result: Optional[Result] = None

    def __iter__(self) -> Iterator[Info]:
        while (info := self._next(None)) is not None:
            yield info

    def stop(self, timeout: Optional[float] = None) -> Result:
        """Ends the search; its answer."""
        if self._result is None:
            self._engine.send("stop")
        return self.result(timeout if timeout is not None else self._engine.timeout)

    def result(self, timeout: Optional[float] = None) -> Result:
        """Waits for the answer. A search that is late is stopped, and its answer thrown away."""
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            while self._result is None:
                self._next(deadline)
        except EngineError:
            self._engine.give_up(self._number)
            raise
        return self._result

    def _next(self, deadline: Optional[float]) -> Optional[Info]:
        while self._result is None:
            if self._number != self._engine.searches:
                raise EngineError("another search was started since")
            line = self._engine.read_line("bestmove", deadline)
            if not self._engine.late and line.startswith("info ") and " score " in line:
                info = Info.read(line)
                self._lines[info.multipv] = info
                return info
            if line.split(" ")[0] == "bestmove" and self._engine.answered():
                words = line.split() + ["", "", ""]
                lines = [self._lines[index] for index in sorted(self._lines)]
                seconds = time.monotonic() - self._started
                self._result = Result(words[1], words[3] or None, lines, seconds)
        return None


class Engine(contextlib.AbstractContextManager):
    """An engine: the name of a game for one in this process, or the command of a program.

    >>> with Engine("barca", {"Hash": 1}) as engine:
    ...     engine.position(Position("barca"))
    ...     len(engine.go(depth=2).token)
    4
    """

    def __init__(self, command: Union[str, Sequence[str]],
                 options: Optional[Mapping[str, object]] = None, *, timeout: float = 10.0,
                 dialect: str = "ugi"):
        self.timeout, self.dialect = timeout, dialect
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.process: Optional[subprocess.Popen] = None
        if self.command[1:] == [] and self.command[0] in games():
            to_engine, from_engine = start_session(self.command[0])
            self._in, self._out = os.fdopen(to_engine, "wb", 0), os.fdopen(from_engine, "rb")
        else:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True)
            self._in, self._out = self.process.stdin, self.process.stdout
        self.searches = 0
        #: Answers of searches that were given up, still to come.
        self.late = 0
        self._searching = self._closing = False
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue(MOST_LINES)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            told = [line.partition(" ") for line in self._ask(dialect, dialect + "ok")]
            self.identity = dict(text.partition(" ")[::2] for key, _, text in told if key == "id")
            self.options = [text[5:].split(" type ")[0] for key, _, text in told if key == "option"]
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except EngineError:
            self.quit()
            raise

    def _read(self) -> None:
        with contextlib.suppress(ValueError, OSError):
            whole = True
            while part := self._out.readline(LONGEST_LINE):
                if whole:
                    self._put(part.decode("utf-8", "replace").strip())
                whole = part.endswith(b"\n")
        self._put(None)

    def _put(self, line: Optional[str]) -> None:
        while not self._closing:
            with contextlib.suppress(queue.Full):
                return self._lines.put(line, timeout=0.2)

    def send(self, line: str) -> None:
        """Sends a line that needs no answer; a dead engine shows at the next answer."""
        with contextlib.suppress(OSError, ValueError):
            self._in.write(line.encode() + b"\n")
            self._in.flush()

    def read_line(self, awaited: str, deadline: Optional[float]) -> str:
        """The next line of the engine; an error when it does not come before the deadline."""
        try:
            wait = None if deadline is None else deadline - time.monotonic()
            if wait is not None and wait <= 0:
                raise queue.Empty
            line = self._lines.get(timeout=wait)
        except queue.Empty:
            raise EngineError(f"{self.command}: no {awaited} in time") from None
        if line is None:
            self._lines.put(None)  # so that the next question fails at once, too
            raise EngineError(f"{self.command} ended{self._exit_code()} before {awaited}")
        return line

    def _exit_code(self) -> str:
        if self.process is None:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        return f" with {self.process.returncode}"

    def answered(self) -> bool:
        """Counts a `bestmove`; whether it is that of the present search."""
        if self.late:
            self.late -= 1
            return False
        self._searching = False
        return True

    def _ask(self, line: str, end: str) -> List[str]:
        """Sends a line; the lines of the answer up to the one that begins with `end`."""
        self.send(line)
        found: List[str] = []
        deadline = time.monotonic() + self.timeout
        while True:
            answer = self.read_line(end, deadline)
            word = answer.split(" ")[0]
            if word == "bestmove":
                self.answered()
            if word != "info" or answer.startswith("info string"):
                found.append(answer)
            if word == end:
                return found
            if len(found) > MOST_LINES:
                raise EngineError(f"{self.command}: {MOST_LINES} lines without {end}")

    def give_up(self, number: int) -> None:
        """Stops a search whose answer nobody wants any more, unless another was started since."""
        if self._searching and number == self.searches:
            self.send("stop")
            self.late, self._searching = self.late + 1, False

    def _settle(self) -> None:
        """Waits for the answers of searches that were given up; what comes later is counted."""
        self.give_up(self.searches)
        deadline = time.monotonic() + self.timeout
        with contextlib.suppress(EngineError):
            while self.late:
                if self.read_line("bestmove", deadline).split(" ")[0] == "bestmove":
                    self.answered()

    def sync(self, line: str = "") -> None:
        """Sends a line and waits until all is done; an error if something was refused."""
        self._settle()
        for answer in self._ask(f"{line}\nisready".strip(), "readyok"):
            if answer.startswith("info string error"):
                raise EngineError(f"{self.command}: {answer[18:]}")

    def set_option(self, name: str, value: object = None) -> None:
        """Sets an option, without a value for a button.

        >>> with Engine("barca") as engine:
        ...     engine.set_option("Hash", "much")
        Traceback (most recent call last):
        parlor.engines.EngineError: ['barca']: bad-value option Hash takes an integer from 0 to 65536, not 'much'
        """
        self.sync(f"setoption name {name}" + ("" if value is None else f" value {value_text(value)}"))

    def new_game(self) -> None:
        """Announces a new game."""
        self.sync(self.dialect + "newgame")

    def position(self, start: Union[Position, str] = "startpos", moves: Sequence[str] = ()) -> None:
        """Sets the position: a `Position`, `startpos` or `fen ...`, and further tokens. Rules of a
        `Position` that the engine has as options are set before."""
        if isinstance(start, Position):
            known = {name.lower() for name in self.options}
            told = [f"setoption name {name} value {value}" for name, value in start.rules.items()
                    if name.lower() in known]
            line = start.line
            moves = [*(line.partition(" moves ")[2].split()), *moves]
            start = line.partition(" moves ")[0]
        else:
            told = []
        words = f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")
        self.sync("\n".join([*told, words]))

    def query(self, text: str, default: Optional[str] = None) -> str:
        """The answer to a query; `default` (or an error) if the engine does not know it.

        >>> with Engine("barca") as engine:
        ...     engine.query("turn")
        'p1'
        """
        self._settle()
        lines = self._ask(f"query {text}\nisready", "readyok")
        answer = next((line[9:] for line in lines if line.startswith("response ")), "error silent")
        unknown = answer.startswith(("error silent", "error unknown-query"))
        if unknown and default is not None:
            return default
        if answer.startswith("error "):
            raise EngineError(f"{self.command}: query {text}: {answer[6:]}")
        return answer

    def start(self, **limits: Any) -> Search:
        """Starts a search: `start(infinite=True)`, `start(depth=5)`."""
        self._settle()
        words = [name if value is True else f"{name} {value_text(value)}"
                 for name, value in limits.items() if value is not None and value is not False]
        self.send(" ".join(["go", *words]))
        self.searches, self._searching = self.searches + 1, True
        return Search(self, self.searches)

    def go(self, timeout: Optional[float] = None, **limits: Any) -> Result:
        """Searches: `go(movetime=100)`, `go(nodes=5000)`, `go(p1time=60000, p2time=60000)`."""
        return self.start(**limits).result(timeout)

    def quit(self, *_: object) -> None:
        """Ends the engine and its process group."""
        self.send("stop\nquit")
        self._closing = True
        with contextlib.suppress(OSError):
            self._in.close()
        if self.process is None:
            self._out_closed()
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._out_closed()

    def _out_closed(self) -> None:
        # An engine in this process writes its last lines, then closes its end.
        self._reader.join(2)
        if not self._reader.is_alive():
            self._out.close()

    def __exit__(self, *_: object) -> None:
        self.quit()


class AsyncEngine:
    """The same for asyncio: every method of `Engine` is awaited, `start` gives a search whose
    methods are awaited. A cancelled `go` stops its search.

    >>> async def choose():
    ...     async with await AsyncEngine.open("barca") as engine:
    ...         return (await engine.go(depth=2)).token
    >>> len(asyncio.run(choose()))
    4
    """

    def __init__(self, engine: Engine):
        self.engine = engine

    @classmethod
    async def open(cls, *arguments: Any, **options: Any) -> "AsyncEngine":
        """Starts an engine; the arguments are those of `Engine`."""
        return cls(await asyncio.to_thread(Engine, *arguments, **options))

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.engine, name)
        if not callable(method):
            return method

        async def call(*arguments: Any, **options: Any) -> Any:
            return await asyncio.to_thread(method, *arguments, **options)
        return call

    async def go(self, timeout: Optional[float] = None, **limits: Any) -> Result:
        """Searches; a cancelled search is stopped."""
        search = await asyncio.to_thread(self.engine.start, **limits)
        waiting = asyncio.ensure_future(asyncio.to_thread(search.result, timeout))
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            self.engine.send("stop")
            with contextlib.suppress(EngineError):
                await waiting
            raise

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.engine.quit)
