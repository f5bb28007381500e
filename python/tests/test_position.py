"""Positions: every game, every rule option, and the engine's reasons."""
import collections.abc
import copy
import os
import pathlib
import pickle
import random

import pytest

import parlor

DATA = pathlib.Path(os.environ.get("PARLOR_DATA")
                    or pathlib.Path(__file__).parents[2] / "tests" / "data")


def played(game, plies, **options):
    """A game after random tokens."""
    position = parlor.Position(game, **options)
    for seed in range(plies):
        if position.is_over:
            break
        position.push(position.throw(seed) if position.is_chance else position.random_move(seed))
    return position


@pytest.mark.parametrize("game", parlor.GAMES)
def test_what_is_played_is_taken_back(game):
    position, keys = parlor.Position(game), []
    for seed in range(40):
        if position.is_over:
            break
        keys.append((position.key, position.fen))
        position.push(position.throw(seed) if position.is_chance else position.random_move(seed))
    tokens = position.tokens
    for token, before in zip(reversed(tokens), reversed(keys)):
        assert position.pop() == token
        assert (position.key, position.fen) == before
    with pytest.raises(parlor.ParlorError):
        position.pop()


@pytest.mark.parametrize("game", parlor.GAMES)
def test_every_rule_option_is_taken(game):
    for option in parlor.rules(game):
        values = option.values if option.kind == "combo" else [option.default]
        for value in values:
            position = parlor.Position(game, rules={option.name: value})
            if option.kind == "combo":
                assert position.rules[option.name] == value
    with pytest.raises(parlor.BadOption, match="no option named Nonsense"):
        parlor.Position(game, rules={"Nonsense": 1})


@pytest.mark.parametrize("game", parlor.GAMES)
def test_copies_are_apart_and_texts_lead_back(game):
    position = played(game, 12)
    for other in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position and other.key == position.key
        assert type(other) is parlor.Position
        other.push(other.throw(1) if other.is_chance else other.random_move(1))
        assert len(other) == len(position) + 1
    assert parlor.Position(game, position.fen, rules=position.rules).fen == position.fen


@pytest.mark.parametrize("game", parlor.GAMES)
def test_pictures_are_dataclasses(game):
    position = played(game, 12)
    table, board = position.table(), position.board()
    cells = {cell.id for cell in table.cells}
    assert {piece.cell for piece in board.pieces} <= cells
    assert board.turn == position.turn
    assert position._repr_svg_().startswith("<svg") and position.svg(dark=True, seat=2)
    step = position.step()
    assert step.path == [] and isinstance(step.next, list)


@pytest.mark.parametrize("game", parlor.GAMES)
def test_legal_moves_are_a_list(game):
    position = played(game, 30)
    while position.query("legalmoves") in ("many", "none"):
        position = played(game, len(position) - 1)
    moves = position.legal_moves()
    tokens = position.query("legalmoves").split()
    assert sorted(moves) == sorted(tokens) and len(moves) == len(tokens) > 0
    listed = list(moves)
    assert moves == listed and listed == moves and not moves != listed and moves == position.legal_moves()
    assert moves != listed[1:] and moves != tuple(listed) and moves != listed[:-1] + ["x"]
    assert [moves[index] for index in range(len(moves))] == listed
    assert moves[-1] == listed[-1] and moves[1:] == listed[1:] and moves[::-1] == listed[::-1]
    assert list(reversed(moves)) == listed[::-1] and moves + ["x"] == [*listed, "x"]
    assert ["x"] + moves == ["x", *listed] and repr(moves) == repr(listed)
    assert all(token in moves for token in listed[:50])
    assert "nonsense" not in moves and 1 not in moves and moves.count(listed[0]) == 1
    assert moves.index(listed[-1]) == len(moves) - 1
    assert isinstance(moves, collections.abc.Sequence) and bool(moves)
    assert pickle.loads(pickle.dumps(moves)) == copy.copy(moves) == listed
    for wrong in (len(moves), -len(moves) - 1):
        with pytest.raises(IndexError):
            moves[wrong]
    with pytest.raises(ValueError):
        moves.index("nonsense")
    with pytest.raises(TypeError):
        moves["a"]
    # It stays what it was when the game goes on.
    position.push(moves[0])
    assert moves == listed and random.Random(1).choice(moves) in listed


def test_another_spelling_is_legal_but_not_listed():
    position = parlor.Position("chowka-bhara")
    while not (position.seat and any("," in token for token in position.legal_moves())):
        position.push(position.throw(len(position)) if position.is_chance else position.legal_moves()[0])
    moves = position.legal_moves()
    turned = [",".join(reversed(token.split(","))) for token in moves if "," in token]
    for token in turned:
        assert (token in moves) == (token in list(moves))


def test_refusals_carry_the_reason_and_change_nothing():
    position = parlor.Position("barca")
    for token, error in [("e5e6", parlor.IllegalMove), ("nonsense", parlor.BadMove),
                         ("", parlor.BadMove), ("e2 e4", parlor.BadMove), ("e2e4\n", parlor.BadMove),
                         ("\0", parlor.BadMove), ("\u00e9", parlor.BadMove)]:
        with pytest.raises(error) as caught:
            position.push(token)
        assert isinstance(caught.value, ValueError) and str(caught.value)
        assert len(position) == 0 and position.turn == "p1"
    position.push("e2e4")
    with pytest.raises(parlor.BadPosition):
        parlor.Position("barca", "nonsense")
    with pytest.raises(parlor.BadValue, match="barca"):
        parlor.Position("chess")
    with pytest.raises(parlor.BadValue):
        position.svg(scale=float("nan"))
    with pytest.raises(parlor.BadValue):
        position.svg(seat="px")


def test_a_game_ends_and_says_why():
    position = parlor.Position("barca", rules={"MaxPlies": 2})
    for _ in range(2):
        assert position.places is None and position.result is None and position.reason is None
        position.push(position.legal_moves()[0])
    assert (position.places, position.result, position.reason) == ([1, 1], "draw", "max-plies")
    assert position.is_over and position.seat is None and position.legal_moves() == []
    assert len(position.legal_moves()) == 0 and "e2e4" not in position.legal_moves()
    with pytest.raises(parlor.GameOver):
        position.push("e2e4")


def test_views_hide_what_a_seat_may_not_see():
    position = parlor.Position("barbarossa")
    while position.is_chance:
        position.push(position.throw(5))
    own, other = position.view(1), position.view("p2")
    assert "?" in other.line and own.line != other.line
    with pytest.raises(parlor.ParlorError, match="hidden"):
        other.legal_moves()
    with pytest.raises(parlor.NotToAct):
        other.view(1)


def test_perft_is_that_of_the_tables():
    lines = (DATA / "barca" / "perft.txt").read_text().splitlines()
    counts = next(line for line in lines if line.startswith("startpos |")).split("|")[1].split()
    position = parlor.Position("barca")
    assert [position.perft(depth) for depth in (0, 1, 2)] == [1, *map(int, counts[:2])]


def test_playouts_depend_on_the_seed_alone():
    position = parlor.Position("chowka-bhara", players=3)
    one = position.playouts(8, seed=3, max_plies=300)
    assert one == position.playouts(8, seed=3, max_plies=300, threads=3)
    assert one != position.playouts(8, seed=4, max_plies=300)
    assert len(one.places) == 8 and all(plies <= 300 for plies in one.plies)
    shares = parlor.Position("shacru").playouts(20).shares()
    assert sum(shares) == pytest.approx(1)
    assert position.playouts(0).shares() == []
