"""The positions of a tracked animal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rig.core.errors import RecordError
from rig.core.model.units import US
from rig.export.nwb.session import Session
from rig.records.positions import POSITIONS, read_positions

M_PER_CM = 0.01


@dataclass(frozen=True)
class TrackedPositions:
    """Positions in centimeters, shape (frames, 2), NaN where no animal was found, and their times in seconds."""

    xy_cm: npt.NDArray[np.float32]
    t_s: npt.NDArray[np.float64]
    reference_frame: str
    comments: str


def tracked_positions(session: Session) -> TrackedPositions | None:
    """Return the positions of a session, in the order of their times; None of one without."""
    path = session.folder / POSITIONS
    if not path.is_file():
        return None
    try:
        found = read_positions(path, session.lines)
    except RecordError:
        return None
    samples = sorted(found.samples, key=lambda sample: sample.t_us)
    if not samples:
        return None
    lost = [
        f"{count} {what}"
        for count, what in ((found.damaged, "damaged records left out"), (found.missing, "records missing"))
        if count
    ]
    return TrackedPositions(
        np.array([(sample.x_cm, sample.y_cm) for sample in samples], np.float32),
        np.array([sample.t_us for sample in samples]) / US,
        _reference_frame(session),
        "; ".join([*lost, "NaN: the animal was not found in this frame"]),
    )


def _reference_frame(session: Session) -> str:
    devices: list[dict[str, Any]] = list(session.header["rig"]["devices"].values())
    tracker = next((device for device in devices if device.get("kind") == "tracker"), {})
    return (
        f"(0, 0) is at pixel ({tracker.get('x_px')}, {tracker.get('y_px')}) of the overhead camera's picture, counted "
        f"from its upper left corner, {tracker.get('px_per_cm')} pixels to the centimeter; x increases to the right "
        "of the picture, y to its top"
    )
