"""All measurements at the pins of a board, in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rig.diagnostics.timing.bench import ProbeFactory
from rig.diagnostics.timing.event_rate import rate
from rig.diagnostics.timing.firmware_hang import hangs
from rig.diagnostics.timing.lease_expiry import silence
from rig.diagnostics.timing.panic_input import panics
from rig.diagnostics.timing.reflexes import quiet
from rig.diagnostics.timing.report_rows import Row
from rig.diagnostics.timing.sequences import sequences
from rig.diagnostics.timing.sync_code import sync_codes
from rig.diagnostics.timing.tones import tones
from rig.diagnostics.timing.under_load import under_load

Part = Callable[[ProbeFactory, str, int, int], Awaitable[list[Row]]]
"""A measurement: takes a probe factory, a chip, a number of repetitions and a seed."""

PARTS: tuple[Part, ...] = (quiet, under_load, sequences, sync_codes, tones, rate, silence, panics, hangs)
