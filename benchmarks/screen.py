"""Time from touch to journal and from command to frame, with a real window and 60 touches per second."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options
from benchmarks.screen_session import FRAME_MS, run

TOUCHES, PER_S = 600, 60.0


def measure(options: Options) -> list[Measure]:
    """Return measures of a session of 10 s; the X server has no monitor, so the times do not include a panel."""
    with TemporaryDirectory() as folder:
        timed = run(TOUCHES, PER_S, Path(folder))
    note = f"{TOUCHES} touches at {PER_S:g}/s, {timed.frame_ms.count} scene changes"
    median_ms = timed.touch_ms.percentile(0.5)
    median_frames = timed.frame_ms.percentile(0.5) / FRAME_MS
    return [
        Measure("screen: touch to journal, median", (median_ms,), at_most=1, unit=" ms", note=note),
        Measure("screen: touch to journal, p99", (timed.touch_ms.percentile(0.99),), at_most=5, unit=" ms"),
        Measure("screen: command to painted frame, median", (median_frames,), at_most=2, unit=" frames"),
        Measure("screen: contacts missing in the journal", (timed.lost,), at_most=0),
    ]
