"""The picture of a position and the steps of a move, as dataclasses: the JSON of the queries `table`,
`board` and `step`, member by member (docs/pictures.md says what each means)."""
from __future__ import annotations

import dataclasses
import functools
import json
import typing
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


@dataclass
class Cell:
    """A place for pieces."""
    id: str
    at: List[float]
    shape: str
    kind: Optional[str] = None
    label: Optional[str] = None


@dataclass
class Kind:
    """What a cell or a mark may be."""
    label: str
    fill: Optional[str] = None
    mark: Optional[str] = None
    symbol: Optional[str] = None


@dataclass
class Region:
    """A named group of cells."""
    id: str
    label: str
    cells: List[str]


@dataclass
class Label:
    """Text on the board."""
    at: List[float]
    text: str


@dataclass
class TableSeat:
    """A seat as people name it; `turn` is in degrees clockwise."""
    seat: str
    name: str
    turn: Optional[float] = None
    fill: Optional[str] = None


@dataclass
class Symbol:
    """What a piece looks like."""
    label: str
    icon: Optional[str] = None
    path: Optional[str] = None
    letter: Optional[str] = None
    turns: bool = False


@dataclass
class Table:
    """What stays while rules and seats stay."""
    v: int
    title: str
    size: List[float]
    shapes: Dict[str, List[List[float]]] = field(default_factory=dict)
    cells: List[Cell] = field(default_factory=list)
    kinds: Dict[str, Kind] = field(default_factory=dict)
    regions: List[Region] = field(default_factory=list)
    lines: List[List[float]] = field(default_factory=list)
    labels: List[Label] = field(default_factory=list)
    piece: float = 0.4
    seats: List[TableSeat] = field(default_factory=list)
    symbols: Dict[str, Symbol] = field(default_factory=dict)


@dataclass
class Piece:
    """Pieces on a cell; `seat` is the owner from 1, 0 for nobody."""
    cell: str
    symbol: str
    seat: int = 0
    turn: Optional[float] = None
    count: Optional[int] = None
    label: Optional[str] = None


@dataclass
class Mark:
    """A mark on a cell."""
    cell: str
    kind: str
    seat: int = 0


@dataclass
class Item:
    """A value beside the board."""
    name: str
    value: Any
    of: Optional[int] = None


@dataclass
class Panel:
    """What stands beside the board for a seat."""
    seat: str
    items: List[Item]


@dataclass
class Dice:
    """A throw and what of it is left."""
    of: str
    values: List[int]
    left: List[int]


@dataclass
class Shape:
    """An outline in a card."""
    path: str
    fill: Optional[str] = None


@dataclass
class Card:
    """A card beside the board."""
    id: str
    seat: str
    title: str
    secret: bool = False
    lines: List[str] = field(default_factory=list)
    badges: List[str] = field(default_factory=list)
    picture: List[Shape] = field(default_factory=list)


@dataclass
class Last:
    """The last token, as choices."""
    path: List[str]


@dataclass
class Board:
    """What stands where, for the viewer of the position."""
    v: int
    turn: str
    pieces: List[Piece] = field(default_factory=list)
    marks: List[Mark] = field(default_factory=list)
    panel: List[Panel] = field(default_factory=list)
    dice: Optional[Dice] = None
    cards: List[Card] = field(default_factory=list)
    last: Optional[Last] = None
    note: Optional[str] = None
    text: Optional[str] = None


@dataclass
class Next:
    """What may be chosen next: a cell, a card or a button."""
    choice: str
    cell: Optional[str] = None
    card: Optional[str] = None
    label: Optional[str] = None
    cost: Optional[str] = None
    group: Optional[str] = None


@dataclass
class Form:
    """Free text that leads on."""
    label: str
    kind: str
    prefix: str = ""
    pattern: Optional[str] = None
    escape: Optional[str] = None
    max: Optional[int] = None
    complete: bool = False


@dataclass
class Step:
    """What may follow the choices made so far; `token` is the move, where they are one."""
    v: int
    path: List[str]
    token: Optional[str]
    text: str = ""
    help: Optional[str] = None
    next: List[Next] = field(default_factory=list)
    form: Optional[Form] = None
    show: List[Dict[str, Any]] = field(default_factory=list)
    undo: Optional[int] = None
    chance: Optional[str] = None
    hidden: bool = False


@functools.lru_cache(maxsize=None)
def _readers(kind: type) -> dict:
    hints = typing.get_type_hints(kind)
    return {item.name: _reader(hints[item.name]) for item in dataclasses.fields(kind)}


def _reader(hint: Any):
    inner = typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return lambda value: read(hint, value)
    if typing.get_origin(hint) is typing.Union:
        one = _reader(inner[0])
        return one and (lambda value: None if value is None else one(value))
    if typing.get_origin(hint) is list and (one := _reader(inner[0])):
        return lambda values: [one(value) for value in values]
    if typing.get_origin(hint) is dict and (one := _reader(inner[1])):
        return lambda values: {name: one(value) for name, value in values.items()}
    return None


def read(kind: type, value: Any):
    """A dataclass from JSON, text or read; members that it does not know are left out.

    >>> read(Piece, '{"cell": "a1", "symbol": "M", "seat": 2}').seat
    2
    """
    members = json.loads(value) if isinstance(value, str) else value
    readers = _readers(kind)
    return kind(**{name: readers[name](part) if readers[name] else part
                   for name, part in members.items() if name in readers})
