"""A policy written in Python, corrected and compared with a shipped network, on the same episodes of the lab's world.

    PYTHONPATH=build/release/python python3 examples/python/navigation.py --episodes 20

needs the package `elastane` and the module elastane_navigation (docs/howto/python.md says how to build it).
"""
# %% the world: wind rises and the drive weakens without notice
import argparse
from pathlib import Path

import numpy as np

import elastane
import elastane_navigation as navigation

parser = argparse.ArgumentParser()
parser.add_argument("--episodes", type=int, default=20)
parser.add_argument("--mode", default="drifting")
options = parser.parse_args()

ANGLES = 2 * np.pi * np.arange(navigation.RAYS) / navigation.RAYS
DIRECTIONS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
GOAL = 3 + navigation.RAYS  # where the goal begins in an observation
GOAL_UNIT = 0.5


# %% a policy of ten lines: the free direction that is nearest to the dock's and to the last one
class Field:
    def __init__(self) -> None:
        self.slip = np.zeros(2)  # what moved the robot besides its command, per step
        self.heading = np.zeros(2)

    def act(self, observation: np.ndarray) -> np.ndarray:
        goal = observation[GOAL:GOAL + 2] * GOAL_UNIT
        room = (1 - np.nan_to_num(observation[3:GOAL])) * navigation.RANGE  # along each ray
        room = np.minimum(room, np.minimum(np.roll(room, 1), np.roll(room, -1)))
        towards = DIRECTIONS @ goal / (np.linalg.norm(goal) + 1e-9)
        score = towards + 0.9 * DIRECTIONS @ self.heading - 4 * (room < min(0.07, np.linalg.norm(goal)))
        self.heading = DIRECTIONS[np.argmax(score)]
        return self.heading * navigation.SPEED - self.slip

    def learn(self, world: navigation.World) -> None:
        pass


# %% the same policy, whose latent is the slip: a Kalman filter, with the observed slip as its label
class Corrected(Field):
    def __init__(self) -> None:
        super().__init__()
        self.corrector = elastane.Corrector(self, latents=2, outputs=2, metric="kalman", prior_variance=0.1)
        self.z = np.zeros(2)

    def output(self, z: np.ndarray) -> np.ndarray:
        return z

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        return np.eye(2)

    def learn(self, world: navigation.World) -> None:
        values, present = world.label()
        self.corrector.predict(np.eye(2), 1e-3 * np.eye(2))
        observed = elastane.Gaussian(values[16:18], noise=0.2, present=present[16:18])
        self.z, _, _ = self.corrector.correct(self.z, observed)
        self.slip = np.asarray(self.z) * navigation.SPEED


# %% the shipped network, frozen
class Network:
    model = elastane.load(str(Path(__file__).parents[2] / "models" / "navigation.safetensors"))

    def __init__(self) -> None:
        self.stream = elastane.Stream(self.model)

    def act(self, observation: np.ndarray) -> np.ndarray:
        self.stream.advance(observation)
        return np.array(navigation.command_of(self.stream.output))

    def learn(self, world: navigation.World) -> None:
        pass


# %% every policy drives the same episodes
def drive(policy, seed: int) -> tuple[bool, int, int]:
    """One episode: did it arrive, in how many steps, with how many steps of contact?"""
    world = navigation.World(options.mode)
    observation, info = world.reset(seed)
    done = False
    while not done:
        observation, _, terminated, truncated, info = world.step(policy.act(observation))
        policy.learn(world)
        done = terminated or truncated
    return info["arrived"], info["steps"], info["contacts"]


print(f"{options.episodes} episodes, {options.mode}")
for name, make in (("field", Field), ("field, corrected", Corrected), ("network, frozen", Network)):
    runs = np.array([drive(make(), 9000 + i) for i in range(options.episodes)])
    print(f"{name:18} arrived {runs[:, 0].mean():4.0%}   steps {runs[:, 1].mean():6.1f}   contacts {runs[:, 2].mean():5.1f}")
