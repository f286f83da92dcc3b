"""The positions of a session: the records that can be trusted, what is wrong with the others, and the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.core.journal.kinds import PositionsLine
from rig.core.model.microseconds import to_s
from rig.records.side_file.read import Records
from rig.records.tables.columns import SESSION_TABLES
from rig.records.tables.table import Table
from rig.records.track.positions import POSITIONS
from rig.records.track.read import read_positions


class Track(NamedTuple):
    """The positions of a tracked animal, as far as they can be read, and sentences about what is missing."""

    records: Records | None = None
    damage: tuple[str, ...] = ()


def read_track(folder: Path, blocks: Sequence[PositionsLine]) -> Track:
    """Read the file of positions, if there is one or lines of the journal index it."""
    path = folder / POSITIONS
    if not blocks and not path.is_file():
        return Track()
    try:
        positions = read_positions(path, blocks)
    except RecordError as error:
        return Track(damage=(str(error),))
    return Track(positions.records, tuple(positions.damage(POSITIONS)))


def positions_table(track: Track) -> Table:
    """Return the table of positions."""
    records = [] if track.records is None else track.records.tolist()
    rows = [
        (to_s(t_us), _coordinate(x_cm), _coordinate(y_cm), frame, to_s(raw_us))
        for t_us, raw_us, x_cm, y_cm, frame, _ in records
    ]
    return Table("positions", SESSION_TABLES["positions"], list(rows))


def _coordinate(cm: float) -> float | None:
    """Return a coordinate; None of a frame in which the animal was not found."""
    return None if cm != cm else cm
