"""The whole table: what is measured at the pins of a board, in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rig.hardware.timing import reflexes, soak
from rig.hardware.timing.rows import Row
from rig.hardware.timing.station import Bench

Part = Callable[[Bench, str, int, int], Awaitable[list[Row]]]
"""Measures on a bench, for a kind of chip, about so many times, with a seed."""

PARTS: tuple[Part, ...] = (reflexes.quiet, soak.soak)
