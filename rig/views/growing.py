"""Arrays that grow: what has been added is seen through a view of one buffer, and nothing is copied for a chart."""

from __future__ import annotations

import numpy as np

from rig.views.chart import Floats

_FIRST = 256


class Growing:
    """Numbers that are only ever added; ``values`` of earlier stay right, as nothing before them changes."""

    def __init__(self) -> None:
        self._buffer = np.empty(_FIRST)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, value: float) -> None:
        """Add a number; the time that it takes does not depend on how many there are, on average."""
        if self._size == len(self._buffer):
            self._buffer = np.concatenate([self._buffer, np.empty(self._size)])
        self._buffer[self._size] = value
        self._size += 1

    def extend(self, values: Floats) -> None:
        """Add many numbers."""
        size = self._size + len(values)
        if size > len(self._buffer):
            self._buffer = np.concatenate(
                [self._buffer, np.empty(max(size, 2 * len(self._buffer)) - len(self._buffer))]
            )
        self._buffer[self._size : size] = values
        self._size = size

    @property
    def values(self) -> Floats:
        """Return all numbers so far, without a copy."""
        return self._buffer[: self._size]


class GrowingPoints:
    """Points that are only ever added."""

    def __init__(self) -> None:
        self._x = Growing()
        self._y = Growing()

    def __len__(self) -> int:
        return len(self._x)

    def add(self, x: float, y: float) -> None:
        """Add a point."""
        self._x.add(x)
        self._y.add(y)

    @property
    def x(self) -> Floats:
        """Return the places along x so far."""
        return self._x.values

    @property
    def y(self) -> Floats:
        """Return the places along y so far."""
        return self._y.values
