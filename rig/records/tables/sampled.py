"""What the board of a session has sampled: the values that can be trusted, what is wrong with others, and the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.core.errors import RecordError
from rig.core.journal.header import RecordedRig
from rig.core.journal.kinds import SamplesLine
from rig.core.model.board import MAX_PERIOD_US, MAX_SCALE, MIN_PERIOD_US
from rig.core.model.microseconds import US
from rig.records.sampled.read import read_samples
from rig.records.sampled.samples import samples_path
from rig.records.side_file.read import Records
from rig.records.tables.columns import SESSION_TABLES
from rig.records.tables.table import Table

_EXACT = 1 << 53
"""A float holds every whole number up to here."""
_MOST_STEPS = 1 << 31
"""The bound of a value as the board gives it, before its scale."""


class Sampled(NamedTuple):
    """The values of each source, as far as they can be read, and sentences about what is missing."""

    records: Mapping[str, Records]
    damage: tuple[str, ...]


def read_sampled(folder: Path, blocks: Mapping[str, Sequence[SamplesLine]]) -> Sampled:
    """Read the files of those sources that lines of the journal index."""
    records: dict[str, Records] = {}
    damage: list[str] = []
    for source, lines in blocks.items():
        try:
            stored = read_samples(folder, source, lines)
        except RecordError as error:
            damage.append(str(error))
        else:
            records[source] = stored.records
            damage += stored.damage(samples_path(folder, source).name)
    return Sampled(records, tuple(damage))


def samples_table(sampled: Sampled, rig: RecordedRig) -> Table:
    """Return the table of samples, source by source; the rig file says the scale and the unit of a source."""
    rows: list[Sequence[object]] = []
    for source, records in sampled.records.items():
        times_s, values = records["t_us"] / US, scaled(records["value"], scale_of(rig, source))
        rows += zip(times_s.tolist(), repeat(source), values.tolist(), repeat(unit_of(rig, source)), strict=False)
    return Table("samples", SESSION_TABLES["samples"], rows)


def scaled(values: NDArray[np.int32] | NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Return values of the board times a scale, rounded once: 3 steps of 0.1 are 0.3, as in the rig file; NaN stays."""
    numerator, denominator = Fraction(str(scale)).as_integer_ratio()
    if max(_MOST_STEPS * numerator, denominator) <= _EXACT:
        quotients: NDArray[np.float64] = values * float(numerator) / denominator
        return quotients
    result = np.full(len(values), np.nan)
    is_value = ~np.isnan(values)
    # A scale of many digits. Python divides whole numbers of any size with one rounding, if slower.
    result[is_value] = [int(value) * numerator / denominator for value in values[is_value].tolist()]
    return result


def scale_of(rig: RecordedRig, source: str) -> float:
    """Return by what a value of a source is multiplied."""
    scale = rig.devices.get(source, {}).get("scale")
    # A header may come from anywhere.
    return scale if isinstance(scale, float) and 0 < scale <= MAX_SCALE else 1


def unit_of(rig: RecordedRig, source: str) -> str:
    """Return the unit of a source's values; empty if the rig file has none."""
    unit = rig.devices.get(source, {}).get("unit")
    return unit if isinstance(unit, str) else ""


def period_us_of(rig: RecordedRig, source: str) -> int:
    """Return the time between two values of a source in microseconds; the longest one if the rig file has none."""
    period_ms = rig.devices.get(source, {}).get("period_ms")
    # A header may come from anywhere.
    if isinstance(period_ms, float) and MIN_PERIOD_US <= 1000 * period_ms <= MAX_PERIOD_US:
        return round(1000 * period_ms)
    return MAX_PERIOD_US


def levels_of(rig: RecordedRig, source: str) -> Iterator[float]:
    """Yield the levels at which the thresholds of a source go on and off, in its unit."""
    thresholds = rig.devices.get(source, {}).get("thresholds")
    # A header may come from anywhere.
    for threshold in thresholds.values() if isinstance(thresholds, dict) else ():
        levels = threshold.values() if isinstance(threshold, dict) else ()
        yield from (float(level) for level in levels if isinstance(level, (int, float)) and abs(level) <= _EXACT)
