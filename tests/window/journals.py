"""Journals that the tests of the window write line by line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rig.core.journal.codec import encode, line_bytes
from tests.expectations.lines import line
from tests.journal_lines import HEADER, channels_of, sealed_json

DEVICES = {"left": {"kind": "port", "beam": 6, "light": 10, "valve": 3}, "right": {"kind": "port", "beam": 7}}
RIG = {
    "name": "nose_ports",
    "board": {},
    "devices": DEVICES,
    "calibrations": {},
    "channels": channels_of(DEVICES),
}
SESSION = {
    **HEADER,
    "subject": "M1",
    "protocol": "two_armed_bandit",
    "columns": ["trial", "outcome"],
    "descriptions": {"trials": {"outcome": {"kind": "text", "unit": "", "text": "how it ended"}}},
    "rig": RIG,
    "box": list(DEVICES),
    "stop": {"session_s": 600, "max_ul": 100.0, "max_rewards": 40, "min_trials": 1},
}


class JournalWriter:
    """Appends lines to a journal, as a session does."""

    def __init__(self, path: Path, header: Mapping[str, Any] = SESSION) -> None:
        self.path = path
        self._seq = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self.write("header", 0, **header)

    def line(self, kind: str, t_us: int, **fields: Any) -> bytes:
        self._seq += 1
        return line_bytes(self._seq - 1, encode(line(kind, t_us / 1e6, **fields)))

    def forge(self, kind: str, t_us: int, **fields: Any) -> None:
        """Write a line whose checksum is right, whatever it says."""
        self._seq += 1
        self.append(sealed_json({"seq": self._seq - 1, "k": kind, "t": t_us, **fields}))

    def write(self, kind: str, t_us: int, **fields: Any) -> None:
        self.append(self.line(kind, t_us, **fields))

    def append(self, raw: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(raw)

    def edge(self, channel: str, level: int, t_us: int) -> None:
        self.write("edge", t_us, channel=channel, level=level)

    def trial(self, number: int, t_us: int, outcome: str = "rewarded") -> None:
        self.write("trial", t_us, trial=number, outcome=outcome)

    def warn(self, t_us: int) -> None:
        """What every rule engine warns of: an input that is on for too long."""
        self.write("note", t_us, what="stuck", channel="left.beam", since_us=0)

    def end(self, t_us: int, reason: str = "time_limit", detail: str = "") -> None:
        self.write("footer", t_us, reason=reason, detail=detail)
