"""The positions of a session that may still run: those records that its journal names, in its order."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.core.journal.kinds import PositionsLine
from rig.records.side_file.follow import RecordFollower
from rig.records.track.positions import FORMAT, POSITIONS


class NewPositions(NamedTuple):
    """Positions in the order of their records: microseconds on the session's axis, and centimeters."""

    t_us: NDArray[np.int64]
    x_cm: NDArray[np.float64]
    y_cm: NDArray[np.float64]


class PositionsFollower:
    """Reads the positions that lines of the journal name."""

    def __init__(self, folder: Path) -> None:
        self._follower = RecordFollower(folder / POSITIONS, FORMAT)

    def note(self, block: PositionsLine) -> None:
        """Add a block that a line of the journal names; it is read the next time."""
        self._follower.note(block)

    def read(self) -> NewPositions:
        """Return the positions of the blocks that were noted since the last time."""
        records = self._follower.read()
        return NewPositions(
            records["t_us"].astype(np.int64), records["x_cm"].astype(np.float64), records["y_cm"].astype(np.float64)
        )
