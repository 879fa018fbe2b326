"""A tiny Gymnasium environment: lamps along a corridor, some of them lit; only its picture shows their colours."""

from __future__ import annotations

import gymnasium
import numpy as np

from memarena_builder.agentic.record import Move
from memarena_builder.agentic.trajectory import Learnt

COLOURS = {"amber": (255, 191, 0), "teal": (0, 128, 128), "plum": (142, 69, 133)}


class Corridor(gymnasium.Env):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(6)
    drift = 0

    def __init__(self, render_mode="rgb_array", lamps=6, shaky=False):
        self.render_mode, self.count, self.shaky = render_mode, lamps, shaky

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        names = list(COLOURS)
        self.lamps = [names[int(self.np_random.integers(3))] for _ in range(self.count)]
        self.place = 0
        return 0, {}

    def step(self, action):
        Corridor.drift += self.shaky
        before, self.place = self.place, min(max(self.place + (1 if action else -1), 0), self.count - 1)
        done = self.place == self.count - 1 and before != self.place
        return self.place, float(done) + (Corridor.drift / 8 if self.shaky else 0.0), done, False, {}

    def render(self):
        return np.full((24, 24, 3), COLOURS[self.lamps[self.place]], dtype=np.uint8)


gymnasium.register("Corridor-v0", entry_point=Corridor)


def forward(observation, env, rng):
    if rng.random() < 0.2:
        return Move(0, "I step back to look again.")
    return Move(1, "I go on.")


def knows(observation, env, info):
    corridor = env.unwrapped
    lamp = f"lamp {corridor.place + 1}"
    yield Learnt(subject=lamp, attribute="colour", value=corridor.lamps[corridor.place], visual=True)
    yield Learnt(subject="the corridor", attribute="last lamp", value=lamp)


def says(observation, env):
    return f"You are in the corridor, below lamp {env.unwrapped.place + 1}."
