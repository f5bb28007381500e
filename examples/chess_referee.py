"""A referee for chess, so that `parlor match` plays UCI engines: needs python-chess.

    pip install chess
    parlor match 'stockfish proto=uci option.Hash=16' 'stockfish proto=uci name=half option.Hash=8' \\
        --referee 'cmd="python3 examples/chess_referee.py"' --openings start.epd --tc 10+0.1 --games 100

It speaks plain UGI with `islegal`, `legalmoves`, `fen`, `reason` and `random` (protocol-spec.md,
section 13). White is p1. A third occurrence and fifty moves without progress are draws.
With --player it plays instead, over UCI: the capture of the most, else a move chosen by the position.
"""
import sys

import chess

VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def load(words):
    """The board of a `position` line's words; ValueError for what is no position or illegal."""
    head, _, moves = " ".join(words).partition(" moves")
    if head == "startpos":
        board = chess.Board()
    elif head.startswith("fen "):
        board = chess.Board(head[4:])
        if not board.is_valid():
            raise ValueError(f"bad-position {board.status()!r}")
    else:
        raise ValueError("bad-position say startpos or fen")
    for token in moves.split():
        play(board, token)
    return board


def play(board, token):
    """Plays a legal token."""
    try:
        move = chess.Move.from_uci(token)
    except ValueError:
        raise ValueError("bad-move " + token) from None
    if not move or move not in board.legal_moves:
        raise ValueError("illegal-move " + token)
    board.push(move)


def end(board):
    """The result and the reason, if the game is over."""
    outcome = board.outcome(claim_draw=True)
    if outcome is None:
        return None
    names = {True: "p1win", False: "p2win", None: "draw"}
    return names[outcome.winner], outcome.termination.name.lower().replace("_", "-")


def answer(board, words):
    """The answer to a query, without `response`."""
    query, argument = words[0], words[1] if len(words) > 1 else ""
    over = end(board)
    moves = [] if over else sorted(move.uci() for move in board.legal_moves)
    answers = {
        "p1turn": lambda: str(board.turn == chess.WHITE).lower(),
        "turn": lambda: "none" if over else "p1" if board.turn == chess.WHITE else "p2",
        "gameover": lambda: str(over is not None).lower(),
        "result": lambda: over[0] if over else "none",
        "reason": lambda: over[1] if over else "none",
        "fen": board.fen,
        "legalmoves": lambda: " ".join(moves) or "none",
        "islegal": lambda: str(argument in moves).lower(),
        "random": lambda: moves[int(argument) % len(moves)] if moves else "none",
    }
    if query not in answers:
        return "error unknown-query " + query
    return answers[query]()


def choose(board):
    """The move of the player."""
    def gain(move):
        taken = board.piece_type_at(move.to_square)
        return VALUE.get(taken, 0) + VALUE.get(move.promotion, 0), move.uci()
    return max(board.legal_moves, key=gain, default=None)


def main():
    """Reads commands."""
    board, stale = chess.Board(), False
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command in ("ugi", "uci"):
            print("id name chess", "id author Parlor", command + "ok", sep="\n")
        elif command == "isready":
            print("readyok")
        elif command in ("position", "moves"):
            try:
                if command == "position":
                    board, stale = load(words[1:]), False
                else:
                    for token in words[1:]:
                        play(board, token)
            except ValueError as error:
                stale = True
                print("info string error", error)
        elif command == "query" and len(words) > 1:
            print("response", "error stale" if stale else answer(board, words[1:]))
        elif command == "go" and "--player" in sys.argv:
            print("bestmove", choose(board) or "0000")
        elif command == "d":
            print(board)
        elif command == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
