#!/usr/bin/env python3
"""A complete engine in one page: 21 counters, take 1 to 3, whoever takes the last one wins."""
import json
import sys

GAME = {"start": 21, "left": 21, "turn": 0, "bad": ""}


def moves():
    return [str(count) for count in (1, 2, 3) if count <= GAME["left"]]


def play(tokens):
    for index, token in enumerate(tokens, 1):
        if token not in moves():
            code = "illegal-move" if token.isdigit() else "bad-move"
            return f"{code} {token} is token {index}; legal: {' '.join(moves()) or 'none'}"
        GAME["left"] -= int(token)
        GAME["turn"] ^= 1
    return ""


def position(words):
    before = dict(GAME)
    head, _, tail = " ".join(words).partition(" moves")
    fen = head.split()
    if fen[:1] == ["startpos"]:
        GAME.update(left=GAME["start"], turn=0, bad="")
    elif fen[:1] == ["fen"] and len(fen) >= 3 and fen[1].isdigit() and fen[2] in ("p1", "p2"):
        GAME.update(left=int(fen[1]), turn=int(fen[2] == "p2"), bad="")
    else:
        return "bad-position write startpos, or fen with a number of counters and p1 or p2"
    error = play(tail.split())
    if error:
        GAME.update(before)
    return error


def picture(word, path):
    """Extension 2: one cell, the pile; a button says how many counters are taken."""
    turn = "p%d" % (GAME["turn"] + 1) if GAME["left"] else "none"
    if word == "table":
        box = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
        answer = {"v": 1, "title": "21 counters", "size": [3, 3], "shapes": {"box": box},
                  "cells": [{"id": "pile", "at": [1.5, 1.5], "shape": "box"}], "piece": 0.4,
                  "seats": [{"seat": "p1", "name": "First"}, {"seat": "p2", "name": "Second"}],
                  "symbols": {"C": {"label": "counters", "letter": "C"}}}
    elif word == "board":
        pile = {"cell": "pile", "symbol": "C", "count": GAME["left"]}
        answer = {"v": 1, "turn": turn, "pieces": [pile] if GAME["left"] else []}
    elif turn == "none":
        return "error game-over the game is over"
    elif not path and word == "step":
        buttons = [{"choice": move, "label": "take " + move} for move in moves()]
        answer = {"v": 1, "path": [], "token": None, "text": "How many?", "next": buttons}
    elif len(path) != 1 or path[0] not in moves():
        return f"error bad-value {' '.join(path)[:60]}: take " + " or ".join(moves())
    elif word == "path":
        answer = path
    else:
        answer = {"v": 1, "path": path, "token": path[0], "text": "Take", "next": [], "undo": 1}
    return json.dumps(answer, separators=(",", ":"))


def query(words):
    if words[:1] and words[0] in ("table", "board", "step", "path"):
        return picture(words[0], words[1:])
    left, seat, over = GAME["left"], "p%d" % (GAME["turn"] + 1), GAME["left"] == 0
    winner = "p%d" % (2 - GAME["turn"])
    argument = words[1] if len(words) > 1 else ""
    dice = int(argument) if argument.isdigit() else 0
    answers = {
        "protocol": "ugi 1 ext 2", "seats": "2", "rules": "Counters=%d" % GAME["start"],
        "p1turn": str(seat == "p1").lower(), "turn": "none" if over else seat,
        "gameover": str(over).lower(), "result": winner + "win" if over else "none",
        "outcome": ("rank 1 2" if winner == "p1" else "rank 2 1") if over else "none",
        "points": "none", "reason": "last-counter" if over else "none",
        "chances": "none", "fen": f"{left} {seat}", "view": f"fen {left} {seat}",
        "legalmoves": " ".join(move for move in moves() if move.startswith(argument)) or "none",
        "islegal": str(argument in moves()).lower(),
        "random": "error game-over the game is over" if over
        else moves()[dice * 2654435761 % 2**32 * len(moves()) >> 32],
    }
    return answers.get(words[0] if words else "", "error unknown-query say help")


def main():
    waiting = ""  # what an infinite search found: told at the next command
    for line in sys.stdin:
        words, error = line.split(), ""
        word = words[0] if words else ""
        if waiting and word not in ("", "isready"):
            print("bestmove", waiting)
            waiting = ""
        if word in ("ugi", "uci"):
            print("id name minimal\nid author Parlor")
            print("option name Counters type spin default 21 min 1 max 999\n" + word + "ok")
        elif word == "isready":
            print("readyok")
        elif word == "setoption" and words[1:2] == ["name"] and len(words) == 5:
            if words[2].lower() == "counters" and words[4].isdigit() and 0 < int(words[4]) < 1000:
                GAME["start"] = int(words[4])
            else:
                error = "bad-value Counters is a number from 1 to 999"
        elif word in ("position", "moves"):
            error = GAME["bad"] = position(words[1:]) if word == "position" else play(words[1:])
        elif word == "query":
            print("response", "error stale " + GAME["bad"] if GAME["bad"] else query(words[1:]))
        elif word == "d":
            print("o" * GAME["left"], "%d counters, p%d to take" % (GAME["left"], GAME["turn"] + 1))
        elif word == "go":
            legal = moves() if not GAME["bad"] else []
            best = str(GAME["left"] % 4 or 1) if legal else "0000"
            score = 0 if not legal else -9999 if GAME["left"] % 4 == 0 else 9999
            print("info depth %d score cp %d nodes 1 time 0 nps 0" % (bool(legal), score))
            if "infinite" in words:
                waiting = best
            else:
                print("bestmove", best)
        elif word == "quit":
            break
        if error:
            print("info string error", error)
        sys.stdout.flush()
    if waiting:
        print("bestmove", waiting)


if __name__ == "__main__":
    main()
