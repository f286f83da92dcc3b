"""The states of the task as intervals: they follow each other without gaps, from the first to the session's end."""

from __future__ import annotations

from collections.abc import Sequence

from rig.core.model.microseconds import to_s
from rig.export.nwb.columns import ColumnData, described
from rig.export.nwb.other_clocks import with_other_clocks
from rig.export.nwb.trial_tables import SHORTEST_S
from rig.records.recorded_session import RecordedSession
from rig.records.tables.columns import SESSION_TABLES

STATES = "states"
DESCRIPTION = "The states of the task, as its protocol entered them: they partition the session."
_STOP = "when the task left the state, in seconds from the start of the session; at least 1 microsecond after its start"


def state_columns(session: RecordedSession) -> Sequence[ColumnData]:
    """Return start, end and name of every state that the task was in; none if it was in none."""
    visits = list(session.states)
    if not visits:
        return []
    starts = [to_s(visit.start_us) for visit in visits]
    ends = [to_s(session.end_us if visit.end_us is None else visit.end_us) for visit in visits]
    stops = [max(end, start + SHORTEST_S) for start, end in zip(starts, ends, strict=True)]
    state, start, *_ = SESSION_TABLES[STATES]
    spans = [ColumnData("start_time", described(STATES, start), starts), ColumnData("stop_time", _STOP, stops)]
    names = [visit.state for visit in visits]
    return with_other_clocks(session, [*spans, ColumnData("state", described(STATES, state), names)], spans)
