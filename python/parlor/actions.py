"""Fixed numbers for what a seat may do, and a position as numbers: for learning."""
from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import numpy as np

from . import _parlor
from .position import Position

#: The choices of each game that are neither cells nor listed anew each time.
BUTTONS = {
    "azacru": ["=", "<", ">"], "shacru": ["=", "<", ">"], "pacru": ["<", ">", "<<", ">>"],
    "chowka-bhara": ["both", "pass"], "porrika": ["pass"], "barca": [],
    "barbarossa": list("abcdefghijklmnopqrstuvwxyz_"),
}
#: Places for choices that are listed anew each time, in the order of the list (Barbarossa's words,
#: questions and objects).
SLOTS = {"barbarossa": 400}
#: Ends a move that could go on.
DONE = "done"
#: Games whose tokens are at most two cells and a button.
TOKEN_GAMES = ("azacru", "barca", "shacru")
#: Numbers beside the board for each seat.
ITEMS = 8


class StepActions:
    """Actions are the choices of a move, one after the other: first `done`, then the buttons of the
    game, its cells, and slots for what is listed anew each time.

    >>> actions = StepActions(Position("barca"))
    >>> position = Position("barca")
    >>> first = actions.legal(position)
    >>> actions.count, actions.act(position, actions.id_of("e2"))
    (101, None)
    >>> actions.act(position, actions.id_of("e4"))
    'e2e4'
    """

    def __init__(self, position: Position):
        cells = [cell.id for cell in position.table().cells]
        self.names = [DONE, *BUTTONS[position.game], *cells]
        self._ids = {name: number for number, name in enumerate(self.names)}
        # A button and a cell of one name would be one action.
        assert len(self._ids) == len(self.names), "two choices of one name"
        self._slots = SLOTS.get(position.game, 0)
        self.count = len(self.names) + self._slots
        self.reset()

    def reset(self) -> None:
        """Forgets the choices made so far."""
        self.path: List[str] = []
        self._asked: Optional[Tuple[Position, int]] = None
        # What was typed of a word, and whether a letter is chosen now.
        self._typed, self._letters = "", False
        self._offered: Dict[int, str] = {}
        self._token: Optional[str] = None

    def id_of(self, choice: str) -> int:
        """The number of a choice that has a fixed one."""
        return self._ids[choice]

    def legal(self, position: Position) -> List[int]:
        """The numbers of what may be chosen now, in the view of the seat that decides."""
        # A word has thousands of continuations: they are listed once a choice.
        known = self._asked
        if known is None or known[0] is not position or known[1] != len(position):
            self._legal = self._listed(position)
            self._asked = position, len(position)
        return list(self._legal)

    def _listed(self, position: Position) -> List[int]:
        step = position.step(*self.path)
        self._token, choices = step.token, step.next
        self._offered = {}
        if not choices and step.form is not None and step.token is None:
            # A word is typed letter by letter, until all that begin so have a place.
            typed = self._typed
            choices = position.step(*self.path, f"{step.form.prefix}{typed}*").next
            if len(choices) > self._slots or (not typed and not choices):
                letters = sorted({next.choice[len(typed):][:1].lower() for next in choices})
                self._offered = {self._ids[letter]: letter for letter in letters or BUTTONS["barbarossa"]
                                 if letter in self._ids}
                self._letters = True
                if self._offered:
                    return sorted(self._offered)
            choices = choices[:self._slots]
        self._letters = False
        slot = len(self.names)
        for next in choices:
            number = None if self._slots and not next.cell else self._ids.get(next.choice)
            if number is None:
                if slot == self.count:
                    continue
                number, slot = slot, slot + 1
            self._offered[number] = next.choice
        if self._token is not None and self._offered:
            self._offered[self._ids[DONE]] = DONE
        return sorted(self._offered)

    def act(self, position: Position, action: int) -> Optional[str]:
        """Makes a choice; the token once the move is complete."""
        if not self._offered:
            self.legal(position)
        if action not in self._offered:
            raise _parlor.IllegalMove(f"action {action} may not be chosen now")
        choice, self._asked = self._offered[action], None
        if action == self._ids[DONE]:
            token = self._token
            self.reset()
            return token
        if self._letters:
            self._typed, self._offered = self._typed + choice, {}
            return None
        self.path.append(choice)
        self._typed = ""
        step = position.step(*self.path)
        if step.token is not None and not step.next:
            self.reset()
            return step.token
        self._offered = {}
        return None


class TokenActions:
    """Actions are tokens, for games whose tokens are two cells and at most one button: the number is
    `(first * cells + second) * (buttons + 1) + button`.

    >>> actions = TokenActions(Position("barca"))
    >>> position = Position("barca")
    >>> len(actions.legal(position)), actions.count
    (38, 10000)
    """

    def __init__(self, position: Position):
        if position.game not in TOKEN_GAMES:
            raise _parlor.BadValue(f"{position.game} has too many tokens: take actions='step'; "
                                   f"actions='token' is for {' '.join(TOKEN_GAMES)}")
        self._cells = {cell.id: number for number, cell in enumerate(position.table().cells)}
        self._buttons = {name: number for number, name in enumerate(BUTTONS[position.game], 1)}
        self.count = len(self._cells) ** 2 * (len(self._buttons) + 1)
        self.reset()

    def reset(self) -> None:
        """Forgets what was offered."""
        self.path: List[str] = []
        self._offered: Dict[int, str] = {}

    def legal(self, position: Position) -> List[int]:
        """The numbers of the legal tokens."""
        self._offered = {self._number(position.path(token)): token
                         for token in position.legal_moves()}
        return sorted(self._offered)

    def _number(self, path: List[str]) -> int:
        first, second, *rest = path
        button = self._buttons[rest[0]] if rest else 0
        pair = self._cells[first] * len(self._cells) + self._cells[second]
        return pair * (len(self._buttons) + 1) + button

    def act(self, position: Position, action: int) -> Optional[str]:
        """The token of a number."""
        if not self._offered:
            self.legal(position)
        if action not in self._offered:
            raise _parlor.IllegalMove(f"action {action} may not be chosen now")
        token = self._offered[action]
        self.reset()
        return token


class Planes:
    """A position as planes over the cells of its table: `[planes, cells]` of 32-bit floats, the seat's
    own things before those of the seats after it. In this order: the number of pieces by symbol and
    owner, sine and cosine of their facing, marks by kind and owner, the cells chosen so far, whether
    the seat is to act, the dice left by value, the numbers beside the board by seat
    (divided by their maximum, or by 100), and a row a card with its text as bytes divided by 128.

    >>> planes = Planes(Position("barca"))
    >>> planes.of(Position("barca"), 1).shape == planes.shape
    True
    """

    def __init__(self, position: Position):
        table, self._seats = position.table(), position.seats
        self._cells = {cell.id: number for number, cell in enumerate(table.cells)}
        self._symbols = {name: number for number, name in enumerate(sorted(table.symbols))}
        self._kinds = {name: number for number, name in enumerate(sorted(table.kinds))}
        owners = self._seats + 1
        self._facing = len(self._symbols) * owners
        self._marks = self._facing + 2
        self._chosen = self._marks + len(self._kinds) * owners
        self._dice = self._chosen + 2
        self._panel = self._dice + 1
        self._cards = self._panel + 1 + self._seats * ITEMS // max(len(self._cells), 1)
        cards = 3 * self._seats if position.game == "barbarossa" else 0
        self.shape = (self._cards + cards, len(self._cells))

    def of(self, view: Position, seat: int, path: List[str] = []) -> np.ndarray:
        """The planes of a view, for a seat from 1."""
        planes = np.zeros(self.shape, np.float32)
        board = view.board()
        for piece in board.pieces:
            cell = self._cells[piece.cell]
            plane = self._symbols[piece.symbol] * (self._seats + 1) + self._own(piece.seat, seat)
            planes[plane, cell] += 1 if piece.count is None else piece.count
            if piece.turn is not None:
                angle = np.deg2rad(piece.turn)
                planes[self._facing:self._marks, cell] = np.sin(angle), np.cos(angle)
        for mark in board.marks:
            plane = self._kinds[mark.kind] * (self._seats + 1) + self._own(mark.seat, seat)
            planes[self._marks + plane, self._cells[mark.cell]] = 1
        for choice in path:
            if choice in self._cells:
                planes[self._chosen, self._cells[choice]] = 1
        planes[self._chosen + 1] = view.turn == f"p{seat}"
        for value in board.dice.left if board.dice else []:
            planes[self._dice, min(max(value, 0), self.shape[1] - 1)] += 1
        numbers = planes[self._panel:self._cards].reshape(-1)
        for panel in board.panel:
            owner = self._own(int(panel.seat[1:]), seat) - 1
            for index, item in enumerate(panel.items[:ITEMS]):
                if isinstance(item.value, (int, float)):
                    numbers[owner * ITEMS + index] = item.value / (item.of or 100)
        for row, card in enumerate(board.cards[:self.shape[0] - self._cards]):
            text = "|".join([card.title, *card.badges, *card.lines]).encode()[:self.shape[1]]
            planes[self._cards + row, :len(text)] = np.frombuffer(text, np.uint8) / 128
        return planes

    def _own(self, owner: int, seat: int) -> int:
        return 0 if owner == 0 else (owner - seat) % self._seats + 1


def rewards(places: List[int]) -> List[float]:
    """From -1 to 1 by seat, adding up to 0: the seats behind less those before, of all others.

    >>> rewards([1, 2]), rewards([2, 1, 2])
    ([1.0, -1.0], [-0.5, 1.0, -0.5])
    """
    others = max(len(places) - 1, 1)
    return [sum((there > here) - (there < here) for there in places) / others for here in places]
