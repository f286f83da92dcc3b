"""What the board has sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.core.model.microseconds import US
from rig.records.recorded_session import RecordedSession
from rig.records.tables.sampled import scale_of, unit_of

NO_UNIT = "arbitrary units"


@dataclass(frozen=True)
class SampledValues:
    """The values of a source as the board has them, and their times in seconds; ``scale`` converts them to ``unit``."""

    source: str
    values: npt.NDArray[np.int32]
    t_s: npt.NDArray[np.float64]
    scale: float
    unit: str


def sampled_values(session: RecordedSession) -> Iterator[SampledValues]:
    """Yield the values of each source of a session that has some."""
    rig = session.header.rig
    for source, records in session.sampled.records.items():
        if len(records):
            yield SampledValues(
                source,
                records["value"],
                records["t_us"] / US,
                float(scale_of(rig, source)),
                unit_of(rig, source) or NO_UNIT,
            )
