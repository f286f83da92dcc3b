"""Stamps of edges for `boxes`: when a simulated board reports one, and when its line is in the journal.

No record of the product has them.
"""

from __future__ import annotations

import atexit
import json
import os
import time
from collections import defaultdict
from pathlib import Path

from rig.boards.wire import messages as wire
from rig.boards.wire.kind import Kind
from rig.session.run.journal_file import Recorder
from sim_hardware.board.board import SimBoard

FOLDER = "RIG_BENCHMARK_STAMPS"
"""The environment variable with the folder of the stamps."""
_EDGE = b'"k":"edge"'

Stamps = dict[int, float]
"""Seconds of the monotonic clock by the number of the event."""


def stamp_reports() -> dict[SimBoard, Stamps]:
    """Record when a simulated board of this program reports each edge from now on."""
    found: dict[SimBoard, Stamps] = defaultdict(dict)
    emit = SimBoard._emit  # noqa: SLF001

    def stamped(self: SimBoard, kind: Kind, *values: int) -> int:
        now_s = time.monotonic()
        number = emit(self, kind, *values)
        if kind is wire.EDGE:
            found[self][number] = now_s
        return number

    SimBoard._emit = stamped  # type: ignore[method-assign]  # noqa: SLF001
    return found


def install() -> None:
    """Record when each edge of this program's session is in the journal; write the stamps at its end."""
    lines: list[tuple[float, bytes]] = []
    append = Recorder.append

    def stamped(self: Recorder, line: bytes) -> None:
        append(self, line)
        if _EDGE in line:
            lines.append((time.monotonic(), line))

    Recorder.append = stamped  # type: ignore[method-assign]
    atexit.register(_write, lines, stamp_reports())


def _write(lines: list[tuple[float, bytes]], reported: dict[SimBoard, Stamps]) -> None:
    if lines:
        written = {json.loads(line)["number"]: stamp_s for stamp_s, line in lines}
        stamps = {"written": written, "reported": next(iter(reported.values()), {})}
        (Path(os.environ[FOLDER]) / f"{os.getpid()}.json").write_text(json.dumps(stamps), encoding="utf-8")
