"""Matches, their records, and engines in Python."""
from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, TextIO, Union

from .engines import EngineError
from .pictures import read
from .position import Option, Position, value_text
from .position import rules as rule_options


@dataclass
class Move:
    """One token of a recorded game; `seat` is from 1, `from_` says where it came from if no engine
    chose it, `ms` is in milliseconds, `cp` in centipawns."""
    token: str
    seat: int
    from_: Optional[str] = None
    ms: Optional[float] = None
    cp: Optional[int] = None
    mate: Optional[int] = None
    win: Optional[int] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    luck: List[float] = field(default_factory=list)


@dataclass
class Game:
    """One recorded game; `header` is the first line of its file."""
    game: int
    round: int
    pairing: int
    seating: List[str]
    start: str
    moves: List[Move]
    result: str
    places: List[int]
    shares: List[float]
    reason: str
    ending: str
    points: Optional[str] = None
    luck: Optional[List[float]] = None
    faults: List[Dict[str, Any]] = field(default_factory=list)
    ms: Optional[int] = None
    header: Dict[str, Any] = field(default_factory=dict)

    def position(self, plies: Optional[int] = None) -> Position:
        """The position after so many tokens, by default at the end; for games of Parlor."""
        tokens = [move.token for move in self.moves[:plies]]
        rules = self.header.get("rules", "none")
        told = {} if rules in ("", "none") else dict(word.split("=", 1) for word in rules.split(" "))
        line = self.start + (f" moves {' '.join(tokens)}" if tokens else "")
        return Position(self.header["variant"], line=line, rules=told)


# What a line of a record file holds at most, as for `parlor` itself.
LONGEST_LINE, MOST_OBJECTS, MOST_VALUES = 16 << 20, 100_000, 1_000_000


def read_records(path: Union[str, "os.PathLike[str]"]) -> Iterator[Game]:
    """The games of a record file of `parlor match`, one by one. Every line is held against its
    checksum; an unfinished last line is skipped.

    >>> list(read_records(os.devnull))
    []
    """
    header: Dict[str, Any] = {}
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = iter(lambda: file.readline(LONGEST_LINE), "")
        for number, line in enumerate(lines, 1):
            if not line.endswith("\n"):
                if len(line) < LONGEST_LINE:
                    return
                raise ValueError(f"{path}, line {number}: longer than {LONGEST_LINE}")
            if line.count("{") > MOST_OBJECTS or line.count(",") + line.count("[") > MOST_VALUES:
                raise ValueError(f"{path}, line {number}: more values than a game has")
            text, _, check = line.rstrip("\n").rpartition(',"check":"')
            if not text or check != f'{zlib.crc32(text.encode()):08x}"}}':
                raise ValueError(f"{path}, line {number}: not as it was written")
            record = json.loads(line)
            if "moves" not in record:
                header = record if "engines" in record else header
                continue
            for move in record["moves"]:
                move["from_"] = move.pop("from", None)
            yield read(Game, {**record, "header": header})


def play_match(engines: Sequence[str], *, rules: Optional[Mapping[str, object]] = None,
               records: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> Dict[str, Any]:
    """Plays `parlor match` and returns what its `--json` writes. Options are those of the program:
    `rounds=50, tc="10+0.1", random_plies=4`; `True` stands for one without a value.

    >>> result = play_match(["shacru option.Player=random name=a", "shacru option.Player=random name=b"],
    ...                     games=2, nodes=1)
    >>> result["games"]
    2
    """
    words: List[str] = []
    for name, value in options.items():
        if value is not None and value is not False:
            flag = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
            words += [flag] if value is True else [flag, value_text(value)]
    for name, value in (rules or {}).items():
        words += ["--rule", f"{name}={value_text(value)}"]
    if records is not None:
        words += ["--records", os.fspath(records)]
    with tempfile.TemporaryDirectory() as folder:
        told = os.path.join(folder, "match.json")
        command = [sys.executable, "-m", "parlor", "match", *engines, *words, "--json", told]
        played = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace")
        # Exit code 3 is that of a lost SPRT: a result like others.
        if played.returncode not in (0, 3):
            raise EngineError(played.stderr.strip() or f"parlor match ended with {played.returncode}")
        with open(told, encoding="utf-8") as file:
            return json.load(file)


def declaration(option: Option) -> str:
    """The line by which an engine declares an option."""
    line = f"option name {option.name} type {option.kind} default {option.default or '<empty>'}"
    if option.kind == "spin":
        return f"{line} min {option.values[0]} max {option.values[1]}"
    return "".join([line, *(f" var {value}" for value in option.values)])


def serve(game: str, choose: Callable[[Position], str], *, name: Optional[str] = None,
          lines: Optional[TextIO] = None, out: Optional[TextIO] = None) -> None:
    """An engine for `parlor match`: `choose` gets the position, as its seat may see it, and returns a
    token. Lines come from standard input.

    >>> import io
    >>> serve("barca", lambda position: min(position.legal_moves()), out=sys.stdout,
    ...       lines=io.StringIO("position startpos\\ngo\\nquit\\n"))
    bestmove d2a5
    """
    rules: Dict[str, str] = {}
    position, error = Position(game), ""

    def say(text: str) -> None:
        print(text, file=out or sys.stdout, flush=True)

    for line in lines or sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            say("\n".join([f"id name {name or game}", *map(declaration, rule_options(game)), "ugiok"]))
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            option, _, value = rest[len("name "):].partition(" value ")
            with contextlib.suppress(ValueError):
                Position(game, rules={**rules, option: value})
                rules[option] = value
        elif word == "position":
            try:
                position, error = Position(game, line=rest, rules=rules), ""
            except ValueError as refused:
                error = str(refused)
                say(f"info string error bad-position {error}")
        elif word == "query":
            with contextlib.suppress(ValueError):
                say("response " + position.query(*rest.split()))
        elif word == "go":
            say(f"bestmove {'0000' if error or position.seat is None else choose(position)}")
        elif word == "quit":
            return
