"""The states of the task as intervals: they follow each other without gaps, from the first to the session's end."""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.model.units import to_s
from rig.export.nwb.columns import ColumnData, described
from rig.export.nwb.other_clocks import with_other_clocks
from rig.export.nwb.trial_tables import SHORTEST_S
from rig.records.recorded_session import RecordedSession

STATES = "states"
DESCRIPTION = "The states of the task, as its protocol entered them: they partition the session."
_STOP = "when the task left the state, in seconds from the start of the session; at least 1 microsecond after its start"


def state_columns(session: RecordedSession) -> Sequence[ColumnData]:
    """Return start, end and name of every state that the task was in; none if it was in none."""
    table = session.session_tables[STATES]
    if not table.rows:
        return []
    names, starts, ends, _ = table.column_values()
    end_s = to_s(session.end_us)
    stops = [max(end_s if end is None else end, start + SHORTEST_S) for start, end in zip(starts, ends, strict=True)]
    state, start, *_ = table.columns
    spans = [
        ColumnData("start_time", described(STATES, start), list(starts)),
        ColumnData("stop_time", _STOP, stops),
    ]
    return with_other_clocks(session, [*spans, ColumnData("state", described(STATES, state), list(names))], spans)
