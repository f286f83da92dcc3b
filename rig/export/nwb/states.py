"""The states of the task as intervals: they follow each other without gaps, from the first to the session's end."""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.model.units import to_s
from rig.export.nwb.columns import TableColumn
from rig.export.nwb.other_clocks import with_other_clocks
from rig.export.nwb.session import Session
from rig.export.nwb.trial_tables import SHORTEST_S

STATES = "states"
DESCRIPTION = "The states of the task, as its protocol entered them: they partition the session."


def state_columns(session: Session) -> Sequence[TableColumn]:
    """Return start, end and name of every state that the task was in; none if it was in none."""
    lines = [line for line in session.lines if line["k"] == "state"]
    if not lines:
        return []
    starts = [to_s(line["t"]) for line in lines]
    ends = [*starts[1:], max(to_s(session.end_us), starts[-1])]
    stops = [max(end, start + SHORTEST_S) for start, end in zip(starts, ends, strict=True)]
    spans = [
        TableColumn("start_time", "when the task entered the state, in seconds from the start of the session", starts),
        TableColumn(
            "stop_time",
            "when the task left the state, in seconds from the start of the session; a state that took no time is "
            "given 1 microsecond",
            stops,
        ),
    ]
    names = TableColumn("state", "name of the state", [line["name"] for line in lines])
    return with_other_clocks(session, [*spans, names], spans)
