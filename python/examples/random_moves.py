"""Random moves a second, `python python/examples/random_moves.py [SECONDS]`.

Each move lists the legal moves, chooses one at random and plays it; python-chess (`pip install chess`)
and OpenSpiel's chess in the same run, where they are installed. Times are of the processor.
"""
import random
import sys
import time

import parlor

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0


def rate(start, moves, play):
    """Moves a second of processor time, in random games; `moves` is empty at the end of one."""
    chosen, count, begun = random.Random(1), 0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        state = start()
        for _ in range(300):
            legal = moves(state)
            if not legal:
                break
            play(state, chosen.choice(legal))
            count += 1
    return count / spent


def position(game):
    """A position of a game as far as a seat decides for a while."""
    return parlor.Position(game, rules={"MaxPlies": 1000})


def show(name, value):
    """One line of the table."""
    print(f"{name:32} {value:12,.0f}", flush=True)


def listed(state):
    """The legal moves; where they are too many to list, one of them."""
    try:
        return state.legal_moves()
    except parlor.ParlorError:
        return [state.throw(1) if state.is_chance else state.random_move(1)]


for game in parlor.GAMES:
    show(f"{game}: push", rate(lambda: position(game), listed, parlor.Position.push))
try:
    import chess
    show("python-chess", rate(chess.Board, lambda board: list(board.legal_moves), chess.Board.push))
except ImportError:
    print("python-chess is not installed")
try:
    import pyspiel
    spiel = pyspiel.load_game("chess")
    show("OpenSpiel chess", rate(spiel.new_initial_state, lambda state: state.legal_actions(),
                                 lambda state, action: state.apply_action(action)))
except ImportError:
    print("open_spiel is not installed")
barca, begun, plies = parlor.Position("barca"), time.process_time(), 0
while time.process_time() - begun < SECONDS:
    plies += sum(barca.playouts(100, seed=plies, max_plies=1000).plies)
show("barca: batched playouts", plies / (time.process_time() - begun))
