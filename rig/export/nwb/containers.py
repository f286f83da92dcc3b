"""Convert tables, positions and samples to the types of PyNWB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from hdmf.common import DynamicTable, VectorData, VectorIndex
from pynwb import TimeSeries
from pynwb.behavior import Position, SpatialSeries
from pynwb.epoch import TimeIntervals
from pynwb.event import DurationVectorData, EventsTable, TimestampVectorData

from rig.core.model.microseconds import US
from rig.export.nwb.columns import ColumnData
from rig.export.nwb.events import DURATION, TIMESTAMP, EventTable
from rig.export.nwb.positions import M_PER_CM, TrackedPositions
from rig.export.nwb.samples import SampledValues

_RESOLUTION_S = 1 / US
_REGULAR_S = 1e-9
"""Frames whose intervals differ by less are regular, and NWB wants a rate instead of times."""
_TAKEN = frozenset({*dir(TimeIntervals), "id", "start_time", "stop_time", "tags", "timeseries"})
"""Names that no column of a protocol can have: in a table of NWB each means something else."""
_INTERVAL = ("start_time", "stop_time")


def time_intervals(name: str, description: str, columns: Sequence[ColumnData]) -> TimeIntervals:
    """Return a table of intervals; the first two columns are their starts and ends."""
    own = [
        VectorData(name=name, description=found.text, data=found.data)
        for name, found in zip(_INTERVAL, columns, strict=False)
    ]
    return TimeIntervals(name=name, description=description, columns=[*own, *_vectors(columns[len(own) :])])


def dynamic_table(name: str, description: str, columns: Sequence[ColumnData]) -> DynamicTable:
    """Return a table of rows without start and end."""
    return DynamicTable(name=name, description=description, columns=list(_vectors(columns)))


def events_table(table: EventTable) -> EventsTable:
    """Return a table of events."""
    kinds = {TIMESTAMP: TimestampVectorData, DURATION: DurationVectorData}
    own = [
        kinds[column.name](name=column.name, description=column.text, data=column.data, resolution=_RESOLUTION_S)
        for column in table.columns
        if column.name in kinds
    ]
    others = _vectors([column for column in table.columns if column.name not in kinds])
    return EventsTable(name=table.name, description=table.description, columns=[*own, *others])


def position(tracked: TrackedPositions) -> Position:
    """Return the positions of a tracked animal."""
    series = SpatialSeries(
        name="position",
        description="position of the light that the animal wears, as x and y, one row for each frame",
        data=tracked.xy_cm,
        unit="meters",
        conversion=M_PER_CM,
        reference_frame=tracked.reference_frame,
        comments="NaN: the animal was not found in this frame",
        **_times(tracked.t_s),
    )
    return Position(spatial_series=series)


def sample_series(sampled: SampledValues) -> TimeSeries:
    """Return what the board has sampled of a source."""
    return TimeSeries(
        name=sampled.source,
        description=f"values of '{sampled.source}', which the board of the rig sampled",
        comments="an encoder counts from 0 again when its board is reopened; missing values are gaps of the times",
        data=sampled.values,
        unit=sampled.unit,
        conversion=sampled.scale,
        resolution=sampled.scale,
        **_times(sampled.t_s),
    )


def clock_series(column: ColumnData, t_s: npt.NDArray[np.float64]) -> TimeSeries:
    """Return the times of positions or samples on another clock; ``t_s`` are those of the session."""
    return TimeSeries(name=column.name, description=column.text, data=column.data, unit="seconds", **_times(t_s))


def _times(t_s: npt.NDArray[np.float64]) -> dict[str, object]:
    steps_s = np.diff(t_s)
    if len(steps_s) > 1 and np.ptp(steps_s) < _REGULAR_S:
        return {"starting_time": float(t_s[0]), "rate": float(1 / steps_s.mean())}
    return {"timestamps": t_s}


def _vectors(columns: Sequence[ColumnData]) -> Iterator[VectorData]:
    names = set(_TAKEN)
    for column in columns:
        name = column.name
        while name in names or f"{name}_index" in names:
            name += "_"
        names |= {name} if column.ends is None else {name, f"{name}_index"}
        text = column.text if name == column.name else f"{column.text} (column {column.name} of the protocol)"
        vector = VectorData(name=name, description=text, data=column.data)
        yield vector
        if column.ends is not None:
            yield VectorIndex(name=f"{name}_index", data=list(column.ends), target=vector)
