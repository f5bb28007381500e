"""Every game as a PettingZoo environment (AEC)."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from .actions import Planes, StepActions, TokenActions, rewards
from .position import Position

#: Nothing on a board is more than this.
MOST = 1e6


def env(game: str, seats: Optional[int] = None, *, actions: str = "step",
        rules: Optional[Mapping[str, object]] = None, max_plies: int = 1000,
        render_mode: Optional[str] = None) -> "Environment":
    """An environment. With `actions="step"` an action is one choice of a move (see `StepActions`), with
    `"token"` a whole move. After `max_plies` tokens a game is drawn.

    >>> game = env("shacru")
    >>> game.reset(seed=1)
    >>> observation, reward, *rest = game.last()
    >>> game.step(int(observation["action_mask"].argmax()))
    """
    return Environment(game, seats, actions, rules, max_plies, render_mode)


class Environment(AECEnv):
    """Throws are made by the environment, from its seed. What a seat observes, and the choices that it
    is offered, come from its own view."""

    metadata = {"name": "parlor", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, game: str, seats: Optional[int] = None, actions: str = "step",
                 rules: Optional[Mapping[str, object]] = None, max_plies: int = 1000,
                 render_mode: Optional[str] = None):
        super().__init__()
        if actions not in ("step", "token"):
            raise ValueError(f"actions is 'step' or 'token', not '{actions}'")
        players = "duel" if game == "barbarossa" and seats == 2 else seats
        self.start = Position(game, players=players, rules={**(rules or {}), "MaxPlies": max_plies})
        self.metadata = {**self.metadata, "name": f"parlor_{game.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"p{seat}" for seat in range(1, self.start.seats + 1)]
        self._actions = (StepActions if actions == "step" else TokenActions)(self.start)
        self._planes = Planes(self.start)
        space = gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(-MOST, MOST, self._planes.shape, np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (self._actions.count,), np.int8),
        })
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self._actions.count)
                              for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """The space of a seat's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """The space of a seat's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        """Starts a game; throws follow from the seed."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.position = self.start.copy()
        self._actions.reset()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Throws until a seat decides, or the game is over."""
        while self.position.is_chance:
            self.position.push(self.position.throw(int(self._random.integers(1 << 63))))
        self._views: Dict[str, Position] = {}
        self._legal: Optional[list] = None
        if not self.position.is_over:
            self.agent_selection = f"p{self.position.seat}"
            return
        places = self.position.places or []
        self.rewards = dict(zip(self.agents, rewards(places)))
        self.terminations = dict.fromkeys(self.agents, True)

    def view(self, agent: str) -> Position:
        """The position as a seat sees it."""
        if agent not in self._views:
            self._views[agent] = self.position.view(agent)
        return self._views[agent]

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        """The planes of a seat's view, and which actions it has: none while others decide."""
        mask = np.zeros(self._actions.count, np.int8)
        own = agent == self.agent_selection and not self.position.is_over
        if own:
            if self._legal is None:
                self._legal = self._actions.legal(self.view(agent))
            mask[self._legal] = 1
        path = self._actions.path if own else []
        planes = self._planes.of(self.view(agent), int(agent[1:]), path)
        return {"observation": planes, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Makes a choice for the seat that decides."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        token = self._actions.act(self.view(agent), int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._legal = None
        if token is not None:
            self.position.push(token)
            self._go_on()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        """The board as text, or with `render_mode="svg"` as a picture; for the whole table."""
        if self.render_mode is None:
            gymnasium.logger.warn("the environment was made without render_mode")
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        """There is nothing to close."""
