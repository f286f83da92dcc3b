"""The clocks of other systems in the NWB file: further columns of its tables, and the mappings as JSON."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

from rig.export.nwb.columns import ColumnData, column_of
from rig.records.recorded_session import RecordedSession
from rig.records.tables.other_clocks import residual_text

PIECES = (
    "How the session's clock maps onto the clocks of other systems, as JSON: for each clock its straight pieces. At "
    "t_us microseconds of the session, from_us <= t_us <= to_us, the clock shows offset_s + rate * (t_us - from_us) / "
    "1e6 seconds. Between the pieces and outside them nothing is known. columns: what the columns' names end with"
)


def with_other_clocks(
    session: RecordedSession, columns: Sequence[ColumnData], times: Sequence[ColumnData]
) -> list[ColumnData]:
    """Return the columns of a table and, behind them, those of ``times`` on the other clocks, as far as known."""
    seconds = {column.name: list(column.data) for column in times}
    return [*columns, *columns_on_other_clocks(session, seconds, [column.name for column in columns])]


def columns_on_other_clocks(
    session: RecordedSession, seconds: Mapping[str, Sequence[float]], taken: Collection[str] = ()
) -> list[ColumnData]:
    """Return session times on the other clocks, in columns with names that are not ``taken``; none that is unknown."""
    found = session.clocks.columns(seconds, taken)
    made = (column_of(column.name, column.text, column.values) for column in found)
    return [column for column in made if column is not None]


def mappings(session: RecordedSession) -> dict[str, object]:
    """Return the mappings onto the other clocks, as plain data."""
    words = session.clocks.words
    return {
        name: {
            "columns": f"_{words[name]}",
            "source": alignment.source,
            "residual_us": alignment.uncertainty_us,
            "pieces": [asdict(piece) for piece in alignment.pieces],
        }
        for name, alignment in session.clocks.alignments.items()
    }


def clock_notes(session: RecordedSession) -> Iterator[str]:
    """Yield a sentence about each of the other clocks, and about each alignment that cannot be read."""
    for name, alignment in session.clocks.alignments.items():
        yield (
            f"Columns that end with _{session.clocks.words[name]} have the time on the clock of {name}, in seconds; "
            f"{residual_text(alignment)}. NaN: the clocks are not aligned there."
        )
    # The file is for other people: it names no folders of this machine.
    here = f"{session.folder}{os.sep}"
    yield from (f"Left out: {text.replace(here, '')}." for text in session.clocks.damage)
