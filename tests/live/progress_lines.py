"""Journal lines for the tests of the live displays."""

from collections.abc import Mapping
from typing import Any

from rig.live.progress import Progress

HEADER = {
    "k": "header",
    "subject": "M1",
    "protocol": "p",
    "letter": "choice",
    "stop": {"session_s": 600, "max_ul": 100.0, "max_rewards": 40},
    "remaining_today": {"ul": None, "pellets": None, "access_s": None},
    "rig": {
        "devices": {"left": {"kind": "port", "beam": 6}, "right": {"kind": "port", "beam": 7}, "lamp": {"pin": 1}},
        "channels": {"left.beam": {"is": "input"}, "right.beam": {"is": "input"}, "lamp.light": {"is": "output"}},
    },
}
ENDED = {
    "reason": "time_limit",
    "detail": "",
    "complete": True,
    "executed": 0,
    "rewards": 0,
    "ul": 0.0,
    "pellets": 0,
    "access_s": 0.0,
}
"""What a footer says of a session in which nothing was given."""


def line(kind: str, t_s: float = 0.0, **fields: Any) -> dict[str, Any]:
    return {"k": kind, "t": round(t_s * 1e6), **fields}


def after(*lines: Mapping[str, Any], header: Mapping[str, Any] = HEADER) -> Progress:
    progress = Progress()
    for each in ({"t": 0, **header}, *lines):
        progress.take(each)
    return progress
