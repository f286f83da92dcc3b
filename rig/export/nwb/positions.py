"""The positions of a tracked animal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.core.model.microseconds import US
from rig.records.recorded_session import RecordedSession

M_PER_CM = 0.01


@dataclass(frozen=True)
class TrackedPositions:
    """Positions in centimeters, shape (frames, 2), NaN where no animal was found, and their times in seconds."""

    xy_cm: npt.NDArray[np.float32]
    t_s: npt.NDArray[np.float64]
    reference_frame: str


def tracked_positions(session: RecordedSession) -> TrackedPositions | None:
    """Return the positions of a session, in the order of their times; None of one without."""
    records = session.track.records
    if records is None or not len(records):
        return None
    records = records[np.argsort(records["t_us"], kind="stable")]
    return TrackedPositions(
        np.column_stack([records["x_cm"], records["y_cm"]]),
        records["t_us"] / US,
        _reference_frame(session),
    )


def _reference_frame(session: RecordedSession) -> str:
    tracker = next((device for device in session.header.rig.devices.values() if "px_per_cm" in device), {})
    return (
        f"(0, 0) is at pixel ({tracker.get('x_px')}, {tracker.get('y_px')}) of the overhead camera's picture, counted "
        f"from its upper left corner, {tracker.get('px_per_cm')} pixels to the centimeter; x increases to the right "
        "of the picture, y to its top"
    )
