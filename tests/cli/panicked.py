"""The records of a session that a panic button has ended."""

import json
from pathlib import Path
from typing import Any

from rig.core.journal.lines import add_crc
from tests.journal_lines import FOOTER, HEADER

DETAIL = "the panic button of board sim (pin 12) was pressed"
LINES: tuple[dict[str, Any], ...] = (
    {"k": "header", **HEADER, "subject": "M1", "model": None},
    {"k": "state", "name": "ready"},
    {"k": "fault", "what": "panic", "board": "sim", "pin": 12, "executed": 0, "number": 3},
    {"k": "footer", **FOOTER, "reason": "panic", "detail": DETAIL},
)


def ended_by_panic(data: Path, day: str, subject: str = "M1") -> None:
    folder = data / subject / day / "001"
    folder.mkdir(parents=True)
    with (folder / "journal.jsonl").open("wb") as file:
        for number, line in enumerate(LINES):
            text = json.dumps({"seq": number, "t": number, "src": "host", **line}, separators=(",", ":"))
            file.write(add_crc(text[:-1]))
