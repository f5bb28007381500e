"""A game in progress."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _parlor
from ._parlor import Moves
from .pictures import Board, Step, Table, read

GAME_NAMES = tuple(_parlor.games())

Seat = Union[int, str]
# `Position.legal_moves()`: a token is written when it is asked for.
Sequence.register(Moves)


class Option(NamedTuple):
    """A rule option: `values` are the values of a combo, or the least and the greatest number."""
    name: str
    kind: str
    default: str
    values: Tuple[str, ...]
    about: str


def rules(game: str) -> List[Option]:
    """The rule options of a game.

    >>> [option.name for option in rules("shacru")]
    ['Players', 'MaxPlies']
    """
    return [Option(name, kind, default, tuple(values), about)
            for name, kind, default, values, about in _parlor.options(game)]


@dataclass
class Playouts:
    """Random games: the places of each, `None` where one was left unfinished, and its plies."""
    places: List[Optional[Tuple[int, ...]]]
    plies: List[int]

    def shares(self) -> List[float]:
        """The mean share of the first place by seat, over the finished games."""
        finished = [places for places in self.places if places]
        return [sum((places[seat] == 1) / places.count(1) for places in finished) / len(finished)
                for seat in range(len(finished[0]) if finished else 0)]


def seat_name(seat: Seat) -> str:
    """A seat from its number, from 1, or its name."""
    return seat if isinstance(seat, str) else f"p{seat}"


def value_text(value: object) -> str:
    """The value of an option as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Position(_parlor.Position):
    """A game in progress: a position and the tokens that led to it.

    `fen` is a position in the notation of the game; `rules` are its rule options, `players` is the
    option `Players`. What is refused raises a `ParlorError`, which is a `ValueError` with the reason.

    >>> position = Position("pacru", players=3, rules={"Rotations": False})
    >>> position.seats, position.turn
    (3, 'p1')
    >>> Position("barca").push("e5e6")
    Traceback (most recent call last):
    parlor.IllegalMove: move 1 'e5e6': no animal stands on e5
    """

    def __new__(cls, game: str, fen: Optional[str] = None, *, players: Union[int, str, None] = None,
                rules: Optional[Mapping[str, object]] = None, line: Optional[str] = None):
        if fen is not None and line is not None:
            raise _parlor.BadPosition("give fen or line, not both")
        options = dict(rules or {})
        if players is not None:
            options["Players"] = players
        start = line if line is not None else "startpos" if fen is None else f"fen {fen}"
        told = [(name, value_text(value)) for name, value in options.items()]
        return super().__new__(cls, game, start, told)

    def __init__(self, game: str, fen: Optional[str] = None, *,
                 players: Union[int, str, None] = None,
                 rules: Optional[Mapping[str, object]] = None, line: Optional[str] = None):
        """`line` is the argument of `position`, as in `startpos view p1 moves e2e4`."""

    def copy(self) -> "Position":
        """The same game once more; what is played on one does not reach the other.

        >>> position = Position("barca")
        >>> other = position.copy()
        >>> other.push("e2e4")
        >>> len(position), len(other)
        (0, 1)
        """
        # A game that was begun already has all that it needs.
        return _parlor.Position.__new__(type(self), "", "", [], self)

    __copy__ = copy

    def __deepcopy__(self, memo) -> "Position":
        return self.copy()

    def __reduce__(self):
        return _restored, (self.game, self.line, self.rules)

    def __eq__(self, other) -> bool:
        """Whether it is the same game, told alike, under the same rules."""
        return isinstance(other, Position) and self.__reduce__()[1] == other.__reduce__()[1]

    def __hash__(self) -> int:
        return hash((self.game, self.key))

    def __repr__(self) -> str:
        return f"<parlor.Position {self.game} {self.fen}>"

    def __str__(self) -> str:
        return self.diagram()

    @property
    def fen(self) -> str:
        """The position in the notation of the game.

        >>> Position("barca").fen
        '4ee4/3lmml3/10/10/10/10/10/10/3LMML3/4EE4 w'
        """
        return self.query("fen")

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.query("seats"))

    @property
    def seat(self) -> Optional[int]:
        """The seat that decides, from 1; `None` at a throw and after the end.

        >>> Position("barca").seat
        1
        """
        return int(self.turn[1:]) if self.turn[0] == "p" else None

    @property
    def is_chance(self) -> bool:
        """Whether chance decides.

        >>> Position("chowka-bhara").is_chance
        True
        """
        return self.turn.startswith("chance")

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.turn == "none"

    @property
    def result(self) -> Optional[str]:
        """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
        result = self.query("result")
        return None if result == "none" else result

    @property
    def reason(self) -> Optional[str]:
        """Why the game is over."""
        reason = self.query("reason")
        return None if reason == "none" else reason

    @property
    def points(self) -> Optional[List[int]]:
        """The score of every seat, in games with scores."""
        points = self.query("points")
        return None if points == "none" else [int(word) for word in points.split()]

    @property
    def rules(self) -> Dict[str, str]:
        """The rule options with their values.

        >>> Position("shacru", players=4).rules["Players"]
        '4'
        """
        told = self.query("rules")
        return dict(word.split("=", 1) for word in told.split(" ")) if told != "none" else {}

    def is_legal(self, token: str) -> bool:
        """Whether a token may be played."""
        return self.query("islegal", token) == "true"

    def chances(self) -> Dict[str, int]:
        """The outcomes of a throw with their integer weights; none where nothing is thrown.

        >>> Position("chowka-bhara").chances()
        {'t1': 4, 't2': 6, 't3': 4, 't4': 1, 't8': 1}
        """
        told = self.query("chances")
        if told == "none":
            return {}
        if told in ("many", "hidden"):
            raise _parlor.ParlorError(f"{told}: the outcomes cannot be listed; see throw()")
        return {token: int(weight) for token, _, weight in
                (word.rpartition(":") for word in told.split(" "))}

    def throw(self, seed: int) -> str:
        """The outcome of chance for a 64-bit seed; it is not played.

        >>> Position("chowka-bhara").throw(7) in Position("chowka-bhara").legal_moves()
        True
        """
        return self.query("throw", str(seed))

    def random_move(self, seed: int) -> str:
        """A legal token as the random player of the game chooses it.

        >>> position = Position("barca")
        >>> position.random_move(1) in position.legal_moves()
        True
        """
        token = self.query("random", str(seed))
        if token in ("none", "hidden"):
            raise _parlor.ParlorError(f"{token}: no legal move can be chosen here")
        return token

    def view(self, seat: Seat) -> "Position":
        """The game as a seat, `p1` or 1, may see it.

        >>> position = Position("barbarossa")
        >>> position.push(position.throw(1))
        >>> position.view(1).line == position.view(2).line
        False
        """
        return self._same(self.query("view", seat_name(seat)))

    def table(self) -> Table:
        """The board without its pieces.

        >>> len(Position("barca").table().cells)
        100
        """
        return read(Table, self.query("table"))

    def board(self) -> Board:
        """What stands where.

        >>> [piece.cell for piece in Position("barca").board().pieces if piece.seat == 1][-2:]
        ['e1', 'f1']
        """
        return read(Board, self.query("board"))

    def step(self, *path: str) -> Step:
        """What may follow the choices made so far.

        >>> Position("barca").step("e2", "e4").token
        'e2e4'
        """
        return read(Step, self.query("step", *path))

    def path(self, token: str) -> List[str]:
        """The choices that lead to a legal token.

        >>> Position("barca").path("e2e4")
        ['e2', 'e4']
        """
        import json
        return json.loads(self.query("path", token))

    def svg(self, *, dark: bool = False, scale: Optional[float] = None, coordinates: bool = True,
            seat: Seat = 1, arrow: Optional[str] = None) -> str:
        """The board as SVG, turned for a seat; `arrow` is a legal token, `scale` pixels a square.

        >>> Position("barca").svg(arrow="e2e4")[:4]
        '<svg'
        """
        number = seat_name(seat)[1:]
        if not number.isdigit():
            raise _parlor.BadValue(f"a seat is p1 to p6, not '{seat}'")
        return self.draw(dark, scale, coordinates, int(number), arrow)

    def _repr_svg_(self) -> str:
        return self.svg()

    def evaluate(self) -> int:
        """The static evaluation in centipawns of the seat to move; `evaluation()` explains it.

        >>> isinstance(Position("barca").evaluate(), int)
        True
        """
        words = self.evaluation().split()
        if words[-2:-1] != ["cp"]:
            raise _parlor.ParlorError(f"no evaluation here: {self.evaluation()}")
        return int(words[-1])

    def perft(self, depth: int) -> int:
        """The number of sequences of so many plies.

        >>> Position("barca").perft(2)
        1404
        """
        return sum(count for _, count in self.divide(depth)) if depth else 1

    def playouts(self, count: int, *, seed: int = 1, max_plies: int = 10_000,
                 threads: int = 1) -> Playouts:
        """Random games from here, outside Python's lock; equal for any number of threads.

        >>> games = Position("shacru").playouts(10, seed=3)
        >>> set(games.places) <= {(1, 1), (1, 2), (2, 1)}
        True
        """
        games = self.play_out(count, seed, max_plies, threads)
        return Playouts([tuple(places) if places else None for places, _ in games],
                        [plies for _, plies in games])

    def _same(self, line: str) -> "Position":
        return type(self)(self.game, line=line, rules=self.rules)


def _restored(game: str, line: str, options: Dict[str, str]) -> Position:
    return Position(game, line=line, rules=options)
