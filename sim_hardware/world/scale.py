"""A virtual scale under the valves of a simulated rig."""

from __future__ import annotations

import random

from rig.scales.water import USUAL_C, density_mg_per_ul
from sim_hardware.world.world import World

NOISE_MG = 2.0
"""The SD of a reading: a laboratory balance on a bench that is walked past."""


class VirtualScale:
    """A scale that weighs all water that has flowed; its water has 20 °C, and each reading has noise."""

    def __init__(self, world: World, seed: int, noise_mg: float = NOISE_MG) -> None:
        self._world = world
        # A separate stream: the scale's draws do not change a subject's (docs/decisions/random-streams.md).
        self._random = random.Random(f"{seed}/scale")
        self._noise_mg = noise_mg

    def water_mg(self) -> float:
        """Return the weight of the water that has flowed and was not consumed, in mg."""
        return sum(self._world.uncollected_rewards.values()) * density_mg_per_ul(USUAL_C)

    def stable_mg(self) -> float:
        """Return the weight of the water with the noise of a weighing, in mg."""
        # A sum of uniform numbers, because gauss() may differ between versions of Python.
        noise = sum(self._random.random() for _ in range(12)) - 6
        return self.water_mg() + self._noise_mg * noise
