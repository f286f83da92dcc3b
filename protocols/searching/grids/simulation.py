"""Simulated rounds: a policy at an environment, without a screen, a task or time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from protocols.searching.grids.choice_rules import draw_tile
from protocols.searching.grids.environments import draw_normal
from protocols.searching.grids.places import Floats, Grid
from protocols.searching.grids.policies import Policy
from protocols.searching.grids.reward_scales import RewardScale


class Round(NamedTuple):
    """The tiles of a round, the revealed one first, and what they gave; ``lost`` if the last was below the line."""

    tiles: list[int]
    rewards: list[float]
    lost: bool


def simulate_round(
    policy: Policy,
    grid: Grid,
    values: Floats,
    scale: RewardScale,
    *,
    first: int,
    clicks: int,
    random: Callable[[], float],
    noise_sd: float = 0.0,
    threshold: float = -math.inf,
    safe: bool = False,
) -> Round:
    """Return a round of ``clicks`` at an environment with these ``values``, one for each tile, in units of ``scale``.

    A reward below the ``threshold`` ends the round, unless it is ``safe``. ``random`` returns numbers in [0, 1).
    """

    def reward_of(tile: int) -> float:
        return float(values[tile]) + (noise_sd * draw_normal(random) if noise_sd else 0.0)

    def observe(tile: int, reward: float) -> None:
        tiles.append(tile)
        rewards.append(reward)
        policy.observe(tile, scale.standard(reward))

    tiles: list[int] = []
    rewards: list[float] = []
    policy.start_round(grid)
    observe(first, reward_of(first))
    for _ in range(clicks):
        tile = draw_tile(policy.probabilities(scale.standard(threshold)), random())
        observe(tile, reward_of(tile))
        if rewards[-1] < threshold and not safe:
            return Round(tiles, rewards, lost=True)
    return Round(tiles, rewards, lost=False)
