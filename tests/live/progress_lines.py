"""Journal lines for the tests of the live displays."""

from collections.abc import Mapping
from typing import Any

from rig.core.model.line import Line
from rig.live.progress import Progress
from tests import journal_lines
from tests.expectations.lines import line
from tests.journal_lines import channels_of

__all__ = ["HEADER", "STOP", "after", "line"]

DEVICES = {"left": {"kind": "port", "beam": 6}, "right": {"kind": "port", "beam": 7}, "lamp": {"light": 1}}
STOP = {"session_s": 600, "max_ul": 100.0, "max_rewards": 40, "min_trials": 1}
HEADER: dict[str, Any] = {
    **journal_lines.HEADER,
    "subject": "M1",
    "letter": "choice",
    "stop": STOP,
    "rig": {**journal_lines.HEADER["rig"], "devices": DEVICES, "channels": channels_of(DEVICES)},
    "box": list(DEVICES),
}


def after(*lines: Line, header: Mapping[str, Any] = HEADER) -> Progress:
    progress = Progress()
    for each in (line("header", **header), *lines):
        progress.take(each)
    return progress
