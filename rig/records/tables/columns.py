"""The tables that every session has, whatever its protocol: their columns and what these hold."""

from __future__ import annotations

from typing import get_args

from rig.core.model.columns import ANY
from rig.core.model.line import Source
from rig.core.model.reward import CAUSES, UNITS, RewardStatus
from rig.records.tables.table import TableColumn

_column = TableColumn.of

TIME = _column("t_s", "number", "time since the start of the session, pauses included")
START = _column("start_s", "number", "time since the start of the session, pauses included")
END = _column("end_s", "number", "the end, missing if it had none in the journal")
DURATION = _column("duration_s", "number", "from the start to the end, missing without an end in the journal")
UNCERTAINTY = _column("uncertainty_s", "number", "largest error of the time; missing if the board stamped it")
DETAILS = TableColumn("details", ANY, "the further fields of the line")
SOURCE = _column("source", "text", "who reported it", *sorted(get_args(Source)))

SESSION_TABLES: dict[str, tuple[TableColumn, ...]] = {
    "edges": (
        TIME,
        _column("channel", "text", "the input, named by device and role"),
        _column("on", "boolean", "whether it went on"),
        _column("source", "text", "who saw it: the board, or the camera of a tracker", "board", "camera"),
        _column("fired", "integer", "number of the reflex group that it fired; 0 if none"),
        _column("number", "integer", "number of the board's event; missing for a zone of a tracker"),
        UNCERTAINTY,
    ),
    "spans": (
        _column("channel", "text", "the input or output, named by device and role"),
        _column("direction", "text", "whether it is an input or an output", "input", "output"),
        START,
        END,
        DURATION,
    ),
    "states": (_column("state", "text", "the state of the task"), START, END, DURATION),
    "rewards": (
        _column("id", "integer", "number of the reward"),
        _column("t_s", "number", "when its output went on; of one in doubt, the latest possible time"),
        _column("source", "text", "the device that gave it"),
        _column("amount", "number", "how much, in the unit of the column unit"),
        _column("unit", "text", "microliters, pellets, or seconds of access to grain", *UNITS),
        _column(
            "delivered_by",
            "text",
            "what gave it: a reflex or sequence of the board, an order of the task, a person",
            "board",
            "host",
            "operator",
        ),
        _column("status", "text", "what became of it; unconfirmed counts as given", *RewardStatus),
        _column("cause", "text", "an order at once, a reflex or a sequence", *CAUSES),
    ),
    "touches": (
        TIME,
        _column("phase", "text", "whether the contact began, moved or ended", "down", "move", "up"),
        _column("contact", "integer", "number of the contact"),
        _column("x_cm", "number", "horizontal position, from the left edge of the screen"),
        _column("y_cm", "number", "vertical position, from the lower edge of the screen"),
        _column("x_px", "number", "horizontal position, from the left edge of the screen"),
        _column("y_px", "number", "vertical position, from the upper edge of the screen"),
        _column("frame", "integer", "number of the picture that was on the screen; 0 before the first"),
        _column("on", "text", "name of the item at this point; empty if there is none"),
        _column("in_margin", "boolean", "whether the point is only near the item"),
        _column("peck", "boolean", "whether it is a contact that counts, and no bounce"),
        UNCERTAINTY,
    ),
    "keys": (TIME, _column("key", "text", "the key: a character, enter or backspace"), UNCERTAINTY),
    "hovers": (
        TIME,
        _column("on", "text", "name of the item under the pointer; empty beside all items"),
        _column("x_cm", "number", "horizontal position, from the left edge of the screen"),
        _column("y_cm", "number", "vertical position, from the lower edge of the screen"),
        _column("frame", "integer", "number of the picture that was on the screen"),
        UNCERTAINTY,
    ),
    "scenes_shown": (
        TIME,
        _column("frame", "integer", "number of the picture"),
        _column("scene", "text", "the id of its scene"),
        UNCERTAINTY,
    ),
    "positions": (
        TIME,
        _column("x_cm", "number", "missing if the animal was not found in the frame"),
        _column("y_cm", "number", "missing if the animal was not found in the frame"),
        _column("frame", "integer", "the camera's number of the frame"),
        _column("raw_s", "number", "time on the camera's own clock"),
    ),
    "samples": (
        TIME,
        _column("source", "text", "the analog input or encoder"),
        _column(
            "value",
            "number",
            "what the board sampled, times `scale`; an encoder counts from 0 again when its board is reopened",
        ),
        _column("unit", "text", "the unit of the value, as the rig file says; empty if it says none"),
    ),
    "notes": (
        TIME,
        SOURCE,
        _column("what", "text", "which note it is"),
        _column("text", "text", "what a person wrote"),
        DETAILS,
    ),
    "faults": (
        TIME,
        _column("what", "text", "which failure it is"),
        _column("detail", "text", "a text for people"),
        DETAILS,
    ),
    "requests": (TIME, _column("what", "text", "what was asked for"), UNCERTAINTY),
    "param_changes": (
        TIME,
        _column("trial", "integer", "number of the first trial with this value"),
        _column("param", "text", "the parameter"),
        TableColumn("value", ANY, "its value from then on"),
    ),
    "pauses": (
        START,
        END,
        DURATION,
        _column("why", "text", "a pause, or the break after which the session went on"),
    ),
    "health": (
        _column("counter", "text", "a counter of the board or of the host's end of the link"),
        _column("value", "number", "its value at the end of the session"),
    ),
}
"""The columns of each table. ``positions`` and ``samples`` come from files of their own, ``spans`` from orders."""


def frame_columns(channel: str) -> tuple[TableColumn, ...]:
    """Return the columns of a camera's numbered frames, whose exposures went to an input."""
    return (
        _column("t_s", "number", f"{TIME.text}; missing before the first and after the last edge"),
        _column("frame", "integer", f"the camera's number of the frame; its exposures went to {channel}"),
        _column("edge", "boolean", "whether the journal has its edge; if not, the time is between the neighbors"),
    )
