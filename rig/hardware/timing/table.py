"""The whole table: what is measured at the pins of a board, in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rig.hardware.timing.hangs import hangs
from rig.hardware.timing.rate import rate
from rig.hardware.timing.reflexes import quiet
from rig.hardware.timing.rows import Row
from rig.hardware.timing.sequences import sequences
from rig.hardware.timing.silence import silence
from rig.hardware.timing.soak import soak
from rig.hardware.timing.station import Bench
from rig.hardware.timing.tones import tones

Part = Callable[[Bench, str, int, int], Awaitable[list[Row]]]
"""Measures on a bench, for a kind of chip, about so many times, with a seed."""

PARTS: tuple[Part, ...] = (quiet, soak, sequences, tones, rate, silence, hangs)
