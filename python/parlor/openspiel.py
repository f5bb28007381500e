"""Every game as a game of OpenSpiel, where `open_spiel` is installed."""
from __future__ import annotations

import copy
import functools
from typing import Any, List, Optional, Tuple

import numpy as np
import pyspiel

from .actions import Planes, StepActions, rewards
from .position import GAME_NAMES, Position

#: A throw that cannot be listed is one of so many, all alike.
THROWS = 1024
#: Tokens after which a game is drawn.
MAX_PLIES = 1000


def register_open_spiel() -> List[str]:
    """Registers all games with OpenSpiel, once: `pyspiel.load_game("parlor_barca")`, and with seats
    `pyspiel.load_game("parlor_pacru(players=3)")`. The names.

    >>> "parlor_barca" in register_open_spiel()
    True
    """
    return [_registered(name) for name in GAME_NAMES]


@functools.lru_cache(maxsize=64)
def _parts(name: str, players: object, longest: int) -> Tuple[Position, StepActions, Planes]:
    # OpenSpiel makes a game anew for each copy of a state.
    start = Position(name, rules={"MaxPlies": longest}, players=players)
    return start, StepActions(start), Planes(start)


def _registered(name: str) -> str:
    short = f"parlor_{name.replace('-', '_')}"
    if short in pyspiel.registered_names():
        return short
    start = Position(name)
    secrets, throws = name == "barbarossa", name in ("barbarossa", "chowka-bhara")
    kind = pyspiel.GameType(
        short_name=short, long_name=start.table().title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if throws
                     else pyspiel.GameType.ChanceMode.DETERMINISTIC),
        information=(pyspiel.GameType.Information.IMPERFECT_INFORMATION if secrets
                     else pyspiel.GameType.Information.PERFECT_INFORMATION),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6, min_num_players=2,
        provides_information_state_string=False, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"players": 0, "max_plies": MAX_PLIES})

    class Game(pyspiel.Game):
        """The game with its rules."""

        def __init__(self, params: Optional[dict] = None):
            told = dict(params or {})
            players, longest = told.get("players", 0), told.get("max_plies", MAX_PLIES)
            seats = ("duel" if secrets and players == 2 else players) or None
            self.start, self.actions, self.planes = _parts(name, seats, longest)
            info = pyspiel.GameInfo(
                num_distinct_actions=self.actions.count,
                max_chance_outcomes=THROWS if throws else 0,
                num_players=self.start.seats, min_utility=-1.0, max_utility=1.0, utility_sum=0.0,
                # A move is at most so many choices.
                max_game_length=longest * 20)
            super().__init__(kind, info, told)

        def new_initial_state(self) -> "State":
            """A new game."""
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
            """What a seat sees."""
            return Observer(self)

    class State(pyspiel.State):
        """A game in progress, and the choices of a move so far."""

        def __init__(self, game: "Game"):
            super().__init__(game)
            self.position = game.start.copy()
            # No reference to the game: OpenSpiel would copy it with every state.
            self._views = {}
            self.actions = copy.copy(game.actions)
            self.actions.reset()

        def view(self, player: int) -> Position:
            """The position as a player sees it."""
            if player not in self._views:
                self._views[player] = self.position.view(player + 1)
            return self._views[player]

        def current_player(self) -> int:
            """Who decides."""
            if self.position.is_over:
                return pyspiel.PlayerId.TERMINAL
            return pyspiel.PlayerId.CHANCE if self.position.is_chance else self.position.seat - 1

        def _legal_actions(self, player: int) -> List[int]:
            return self.actions.legal(self.view(player))

        def chance_outcomes(self) -> list:
            """Numbers and probabilities of what may be thrown."""
            try:
                weights = list(self.position.chances().values())
            except ValueError:
                return [(number, 1 / THROWS) for number in range(THROWS)]
            return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

        def _apply_action(self, action: int) -> None:
            if self.is_chance_node():
                try:
                    token: Optional[str] = list(self.position.chances())[action]
                except ValueError:
                    token = self.position.throw(action)
            else:
                token = self.actions.act(self.view(self.current_player()), action)
            if token is not None:
                self.position.push(token)
                self._views = {}

        def _action_to_string(self, player: int, action: int) -> str:
            if player == pyspiel.PlayerId.CHANCE:
                return f"throw {action}"
            names = self.actions.names
            return names[action] if action < len(names) else f"choice {action - len(names) + 1}"

        def is_terminal(self) -> bool:
            """Whether the game is over."""
            return self.position.is_over

        def returns(self) -> List[float]:
            """The rewards of all players."""
            places = self.position.places
            return rewards(places) if places else [0.0] * self.position.seats

        def __str__(self) -> str:
            return " ".join([self.position.line, *self.actions.path])

    class Observer:
        """The planes of a player's view."""

        def __init__(self, game: "Game"):
            self._planes = game.planes
            self.tensor = np.zeros(int(np.prod(game.planes.shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(game.planes.shape)}

        def set_from(self, state: "State", player: int) -> None:
            """Sets the tensor to what a player sees."""
            own = state.actions.path if state.current_player() == player else []
            self.dict["observation"][:] = self._planes.of(state.view(player), player + 1, own)

        def string_from(self, state: "State", player: int) -> str:
            """What a player sees, as text."""
            return state.view(player).line

    pyspiel.register_game(kind, Game)
    return short
