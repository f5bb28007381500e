"""An engine of plain UGI for a tiny Ataxx, which answers only the queries named on its command line
and is silent on all others.

Ataxx on 4x4, red in two opposite corners, blue in the others: a piece is doubled to a neighbouring
square (`b2`) or jumps two squares (`a1c1`); all enemies beside it change sides. A side that cannot
move passes, `0000`. The game ends when a side has no piece or neither can move; more pieces win.

plain_ugi.py --answers p1turn,result[,gameover,legalmoves,islegal,...] [--cheat] [--refuses]
"""
import argparse
import random
import sys

ARGUMENTS = argparse.ArgumentParser()
ARGUMENTS.add_argument("--answers", default="p1turn,gameover,result")
ARGUMENTS.add_argument("--refuses", action="store_true", help="report illegal tokens")
ARGUMENTS.add_argument("--cheat", action="store_true", help="play c1 for ever")
ARGUMENTS.add_argument("--no-move", action="store_true", help="answer 0000 to every go")
ARGUMENTS.add_argument("--exits", action="store_true", help="end at a query it does not know")
ARGUMENTS.add_argument("--mirrored", action="store_true", help="start with the corners exchanged")
ARGUMENTS.add_argument("--seed", type=int, default=1)
OPTIONS = ARGUMENTS.parse_args()
KNOWN = OPTIONS.answers.split(",")
SIZE = 4
SQUARES = [(x, y) for y in range(SIZE) for x in range(SIZE)]


def name(square):
    return "abcd"[square[0]] + str(square[1] + 1)


def distance(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


class Game:
    def __init__(self):
        red = 1 if OPTIONS.mirrored else 0
        self.board = {(0, 3): red, (3, 0): red, (0, 0): 1 - red, (3, 3): 1 - red}
        self.turn = 0

    def moves(self, side):
        own = [square for square, owner in self.board.items() if owner == side]
        found = set()
        for target in SQUARES:
            if target in self.board:
                continue
            for source in own:
                if distance(source, target) == 1:
                    found.add(name(target))
                elif distance(source, target) == 2:
                    found.add(name(source) + name(target))
        return sorted(found)

    def over(self):
        sides = set(self.board.values())
        return len(sides) < 2 or not (self.moves(0) or self.moves(1))

    def legal(self):
        if self.over():
            return []
        return self.moves(self.turn) or ["0000"]

    def play(self, token):
        if token != "0000":
            squares = [(ord(token[i]) - ord("a"), int(token[i + 1]) - 1) for i in range(0, len(token), 2)]
            if len(squares) == 2:
                self.board.pop(squares[0], None)
            self.board[squares[-1]] = self.turn
            for square in self.board:
                if distance(square, squares[-1]) == 1:
                    self.board[square] = self.turn
        self.turn = 1 - self.turn

    def result(self):
        if not self.over():
            return "none"
        red = sum(1 for owner in self.board.values() if owner == 0)
        blue = len(self.board) - red
        return "p1win" if red > blue else "p2win" if blue > red else "draw"


def answer(game, words):
    query = words[0]
    if query not in KNOWN:
        if OPTIONS.exits:
            sys.exit(1)
        return None
    true = lambda value: "true" if value else "false"
    return {
        "fen": lambda: repr(sorted(game.board.items())).replace(" ", ""),
        # As a client of this specification may ask, though `moves TOKEN` is not known here.
        "turn": lambda: "none" if game.over() else "p%d" % (game.turn + 1),
        "p1turn": lambda: true(game.turn == 0),
        "gameover": lambda: true(game.over()),
        "result": game.result,
        "legalmoves": lambda: " ".join(game.legal()) or "none",
        "islegal": lambda: true(words[1] in game.legal()),
        "outcome": lambda: "none",
        "reason": lambda: "counted" if game.over() else "none",
    }[query]()


def main():
    game, dice = Game(), random.Random(OPTIONS.seed)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("id name plain\nid author tests\nugiok")
        elif words[:1] == ["isready"]:
            print("readyok")
        elif words[:1] == ["position"]:
            game = Game()
            for token in words[3:]:
                if token not in game.legal():
                    if OPTIONS.refuses:
                        print("info string error illegal-move " + token)
                    break
                game.play(token)
        elif words[:1] == ["go"]:
            move = dice.choice(game.legal() or ["0000"])
            if OPTIONS.cheat:
                move = "c1"
            print("bestmove " + ("0000" if OPTIONS.no_move else move))
        elif words[:1] == ["query"]:
            text = answer(game, words[1:])
            if text is not None:
                print("response " + text)
        elif words[:1] == ["quit"]:
            break
        sys.stdout.flush()


main()
