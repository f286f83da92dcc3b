"""The parameters of a session as a table: what the protocol was run with, and the limits of the session."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rig.core.model.unit_names import unit_of_name
from rig.export.nwb.columns import ColumnData, clean_text
from rig.export.nwb.flat import flat_items
from rig.records.recorded_session import RecordedSession

PARAMETERS = "TaskParameters"
"""In capitals, because a table of a protocol may have each name in small letters."""
DESCRIPTION = (
    "The parameters of the protocol and the limits of the session at its start. The table 'log' has changes during "
    "the session; the scratch data 'journal_header' has the whole configuration with the rig."
)


def parameter_columns(session: RecordedSession) -> Sequence[ColumnData]:
    """Return names, values and units of the parameters, of the limits, and the random seed."""
    header = session.header
    rows = list(flat_items({"params": header.params, "stop": header.stop, "seed": header.seed}))
    names = [name for name, _ in rows]
    return [
        ColumnData("parameter", "name of the parameter", [clean_text(name) for name in names]),
        ColumnData("value", "its value, as JSON", [_json(value) for _, value in rows]),
        ColumnData("unit", "its unit, as its name says it; empty without one", [_unit(name) for name in names]),
    ]


def _json(value: object) -> str:
    text = clean_text(json.dumps(value, ensure_ascii=False))
    # A text for people may have {minutes: ...}, which the inspector takes for an object that was not taken apart.
    return text if isinstance(value, dict) else text.replace("{", "\\u007b")


def _unit(name: str) -> str:
    return unit_of_name(name.rpartition(".")[2])
