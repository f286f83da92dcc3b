"""The whole table: what is measured at the pins of a board, in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rig.diagnostics.timing.bench import ProbeFactory
from rig.diagnostics.timing.event_rate import rate
from rig.diagnostics.timing.firmware_hang import hangs
from rig.diagnostics.timing.lease_expiry import silence
from rig.diagnostics.timing.reflexes import quiet
from rig.diagnostics.timing.report_rows import Row
from rig.diagnostics.timing.sequences import sequences
from rig.diagnostics.timing.soak import soak
from rig.diagnostics.timing.tones import tones

Part = Callable[[ProbeFactory, str, int, int], Awaitable[list[Row]]]
"""Measures on a bench, for a kind of chip, about so many times, with a seed."""

PARTS: tuple[Part, ...] = (quiet, soak, sequences, tones, rate, silence, hangs)
