"""A small player of Shacru that learns from games against itself, and plays by `parlor match`.

    python learn_shacru.py train --minutes 10 --out shacru.npz
    parlor match "python learn_shacru.py play --weights shacru.npz name=learned" \\
        "shacru name=random option.Player=random" --rounds 50 --nodes 1

The value of a position, for the seat that has just moved, is a network with one hidden layer over the
planes of `parlor.actions.Planes`. It is moved towards what the next position is worth, TD(0).
"""
import argparse
import time

import numpy as np

import parlor
from parlor.actions import Planes, rewards

PLANES = Planes(parlor.Position("shacru"))
HIDDEN = 32


class Network:
    """Planes to a value from -1 to 1."""

    def __init__(self, seed=1):
        random = np.random.default_rng(seed)
        self.first = random.normal(0, 0.05, (int(np.prod(PLANES.shape)), HIDDEN)).astype(np.float32)
        self.bias = np.zeros(HIDDEN, np.float32)
        self.second = random.normal(0, 0.1, HIDDEN).astype(np.float32)

    def values(self, inputs):
        """The hidden layer and the value of each row."""
        hidden = np.tanh(inputs @ self.first + self.bias)
        return hidden, np.tanh(hidden @ self.second)

    def learn(self, row, target, rate):
        """One step of gradient descent on the squared error; the error."""
        hidden, value = self.values(row)
        slope = (target - value) * (1 - value * value) * rate
        back = slope * self.second * (1 - hidden * hidden)
        self.second += slope * hidden
        self.first[np.flatnonzero(row)] += np.outer(row[np.flatnonzero(row)], back)
        self.bias += back
        return float(target - value)


def after(position, token):
    """The planes after a token, for the seat that plays it; and its reward, if that ends the game."""
    seat = position.seat
    position.push(token)
    planes = PLANES.of(position, seat).reshape(-1)
    reward = rewards(position.places)[seat - 1] if position.is_over else None
    position.pop()
    return planes, reward


def choose(network, position):
    """The token with the best value; its planes and its value."""
    found = [(token, *after(position, token)) for token in position.legal_moves()]
    _, values = network.values(np.stack([planes for _, planes, _ in found]))
    values = [value if reward is None else reward for value, (_, _, reward) in zip(values, found)]
    best = int(np.argmax(values))
    return found[best][0], found[best][1], float(values[best])


def train(seconds, seed=1, rate=0.02, explore=0.1, report=print):
    """A network after so many seconds of games against itself."""
    network, random = Network(seed), np.random.default_rng(seed)
    ends, games = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        position, before = parlor.Position("shacru"), None
        while not position.is_over:
            seat = position.seat
            token, planes, value = choose(network, position)
            if random.random() < explore:
                token = position.random_move(int(random.integers(1 << 60)))
                planes, reward = after(position, token)
                value = float(network.values(planes)[1]) if reward is None else reward
            if before is not None:
                # What is good for the seat that moves now is bad for the other.
                network.learn(before[1], value if before[0] == seat else -value, rate)
            position.push(token)
            before = seat, planes
        network.learn(before[1], rewards(position.places)[before[0] - 1], rate)
        games += 1
        if games % 100 == 0:
            report(f"{games} games")
    return network


def main():
    """The command line."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = arguments.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="play against itself and learn")
    training.add_argument("--minutes", type=float, default=10)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--out", default="shacru.npz")
    playing = commands.add_parser("play", help="an engine for parlor match")
    playing.add_argument("--weights", default="shacru.npz")
    given = arguments.parse_args()
    if given.command == "train":
        np.savez(given.out, **vars(train(60 * given.minutes, given.seed)))
        return
    network = Network()
    vars(network).update(np.load(given.weights))
    parlor.serve("shacru", lambda position: choose(network, position)[0])


if __name__ == "__main__":
    main()
