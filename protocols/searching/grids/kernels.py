"""Radial basis function kernels by the names of both papers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from protocols.searching.grids.places import Floats, Grid
from rig import ConfigError

Convention = Literal["length", "lambda"]
"""``length``: exp(-d² / (2 l²)), the code of Wu et al. (2017), which calls l lambda. ``lambda``: exp(-d² / lambda),
lambda = 2 l² (Schulz et al. 2018, footnote 2)."""

SMALLEST, LARGEST = 1e-12, 1e12
"""Bounds of lambda: beyond them quotients of distances overflow, and no tile is like another, or all are the same."""

LINE_STEP = 0.5
"""Distance of the points of the line, in the unit of its kernel (Schulz et al. 2018, experiment 1)."""

Reading = Literal["footnote", "wu", "unit"]
"""How "an RBF kernel with lambda = 2" on the risky grid is read; see `read_kernel`."""


@dataclass(frozen=True)
class Kernel:
    """The covariance of two places at a distance d, exp(-d² / lam); its variance is 1."""

    lam: float

    @classmethod
    def of(cls, convention: Convention, value: float) -> Kernel:
        """Return the kernel with a parameter in one of the two conventions. Raises ``ConfigError``."""
        if not (value > 0 and math.isfinite(value)):
            raise ConfigError(f"a kernel with {convention} {value:g}: wanted a number above 0")
        lam = 2 * value * value if convention == "length" else value
        if not SMALLEST <= lam <= LARGEST:
            raise ConfigError(
                f"a kernel with {convention} {value:g}: its lambda would be {lam:g}: wanted {SMALLEST:g} to {LARGEST:g}"
            )
        return cls(lam)

    @property
    def length(self) -> float:
        """Return l of exp(-d² / (2 l²))."""
        return math.sqrt(self.lam / 2)

    def at(self, squared_distances: Floats) -> Floats:
        """Return the covariances at squared distances, in any shape."""
        return np.exp(-squared_distances / self.lam)

    def matrix(self, grid: Grid) -> Floats:
        """Return the covariances of all pairs of tiles; shape (tiles, tiles)."""
        return self.at(grid.squared_distances)


ROUGH = Kernel.of("length", 1.0)
SMOOTH = Kernel.of("length", 2.0)
KERNELS = {"rough": ROUGH, "smooth": SMOOTH}
"""The two classes of environments of Wu et al. (2017), in tiles; ``kernel1`` and ``kernel2`` in the released code."""


def read_kernel(reading: Reading, value: float, grid: Grid) -> Kernel:
    """Return the kernel of a risky task, whose paper gives ``value`` as lambda and leaves its unit open.

    ``footnote`` takes footnote 2 of Schulz et al. (2018), exp(-d² / value); ``wu`` takes the value as the length of
    Wu's generator, exp(-d² / (2 value²)); ``unit`` measures distances on a grid whose longer side is 1, with
    footnote 2. On the 11 x 11 grid with lambda 2 the three are exp(-d²/2), exp(-d²/8) and, nearly flat, exp(-d²/200).
    """
    if reading == "wu":
        return Kernel.of("length", value)
    side = (max(grid.width, grid.height) - 1) * grid.step if reading == "unit" else 1.0
    return Kernel.of("lambda", value * side * side)


def with_step(grid: Grid) -> Grid:
    """Return the grid with the unit of the papers' kernels: 0.5 between the points of a line."""
    return Grid(grid.width, grid.height, LINE_STEP if grid.height == 1 else 1.0)
