"""The signal that a session has sent: its expected edges, and how they are grouped into codes or pulses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from rig.align.arrays import Integers, Levels
from rig.core.errors import ConfigError, RecordError
from rig.core.model.sync_code import START_BITS
from rig.records.alignments.sync_edges import SyncRun, sync_runs
from rig.records.journal.read import undamaged_lines

MAX_EDGES = 2_000_000
"""Maximum of edges of one signal: a square of 10 Hz has 1.7 million in a day."""


@dataclass(frozen=True)
class Signal:
    """The edges that a session sent or received on one channel, in order.

    ``groups`` numbers the code or pulse of each edge: 0, 1, 2, … through the whole session. ``bits`` is 0 for pulses
    that carry no number.
    """

    t_us: Integers
    levels: Levels
    groups: Integers
    period_us: int
    bit_us: int
    bits: int

    @property
    def code_bits(self) -> int:
        """Return how many bits long one code is, with its start."""
        return START_BITS + self.bits

    def of_level(self, level: int) -> Signal:
        """Return the same signal with the edges to one level only."""
        kept = self.levels == level
        parts = (self.t_us[kept], self.levels[kept], self.groups[kept])
        return Signal(*parts, self.period_us, self.bit_us, self.bits)


def session_signal(session: Path, output: str | None = None) -> Signal:
    """Read the journal of a session, and return the sync signal that it sent; with several outputs, name one.

    Raises ``ConfigError`` if there is none, or no such output, and ``RecordError`` for a damaged journal.
    """
    runs = sync_runs(undamaged_lines(session))
    outputs = sorted({run.output for run in runs})
    if not outputs:
        raise ConfigError(f"{session}: sent no sync signal: its rig file has no ttl_out with sync")
    if (output is None and len(outputs) > 1) or output not in (None, *outputs):
        asked = "sent several sync signals" if output is None else f"sent no sync signal at {output!r:.60}"
        raise ConfigError(f"{session}: {asked}: --output one of: {', '.join(outputs)}")
    return signal_of([run for run in runs if output in (None, run.output)], session)


def signal_of(runs: Sequence[SyncRun], session: Path) -> Signal:
    """Build the signal of one output from its runs, one for each epoch. Raises ``RecordError`` for a damaged one."""
    forms = {(run.order.period_us, run.order.bit_us, run.order.bits) for run in runs}
    if len(forms) != 1:
        raise RecordError(f"{session}: its sync signal has {len(forms)} forms: its journal was changed")
    all_edges = ((edge, place) for place, run in enumerate(runs) for edge in run.edges())
    edges = list(islice(all_edges, MAX_EDGES + 1))
    if not 0 < len(edges) <= MAX_EDGES:
        raise RecordError(f"{session}: its sync signal has {len(edges)} edges; wanted 1 to {MAX_EDGES}")
    times = np.array([edge.t_us for edge, _ in edges], dtype=np.int64)
    if (np.diff(times) < 0).any():
        raise RecordError(f"{session}: the edges of its sync signal are not in order: its journal was changed")
    numbers = ((place, edge.number) for edge, place in edges)
    groups = np.cumsum([False, *(before != after for before, after in pairwise(numbers))])
    levels = np.array([edge.level for edge, _ in edges], dtype=np.int8)
    return Signal(times, levels, groups.astype(np.int64), *forms.pop())
