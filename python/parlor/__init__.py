"""Seven board games: rules, pictures, engines and matches.

>>> import parlor
>>> position = parlor.Position("barca")
>>> position.push("e2e4")
>>> position.turn, position.is_legal("e9e6")
('p2', True)
"""
from ._parlor import (BadMove, BadOption, BadPosition, BadValue, GameOver, IllegalMove, NotToAct,
                      ParlorError)
from .engines import AsyncEngine, Engine, EngineError, Info, Result, Search
from .matches import Game, Move, play_match, read_records, serve
from .pictures import Board, Step, Table
from .position import GAME_NAMES as GAMES
from .position import Option, Playouts, Position, rules


__all__ = [
    "AsyncEngine", "BadMove", "BadOption", "BadPosition", "BadValue", "Board", "Engine",
    "EngineError", "GAMES", "Game", "GameOver", "IllegalMove", "Info", "Move", "NotToAct",
    "Option", "ParlorError", "Playouts", "Position", "Result", "Search", "Step", "Table", "env",
    "play_match", "read_records", "register_open_spiel", "rules", "serve",
]


def __getattr__(name: str):
    # What needs numpy, PettingZoo or OpenSpiel is read when it is asked for.
    if name == "env":
        from .environment import env
        return env
    if name == "register_open_spiel":
        from .openspiel import register_open_spiel
        return register_open_spiel
    raise AttributeError(f"module 'parlor' has no attribute '{name}'")
