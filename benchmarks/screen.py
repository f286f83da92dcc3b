"""Time from touch to journal and from command to frame, with a real window and 60 touches per second."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options
from benchmarks.screen_grid import TEXTS, TILES, Grid
from benchmarks.screen_session import FRAME_MS, Timed, run

TOUCHES, PER_S = 600, 60.0
CLICKS, CLICKS_PER_S = 240, 20.0


def measure(options: Options) -> list[Measure]:
    """Return measures of a session of 10 s; the X server has no monitor, so the times do not include a panel."""
    with TemporaryDirectory() as folder:
        timed = run(TOUCHES, PER_S, Path(folder))
    with TemporaryDirectory() as folder:
        grid = run(CLICKS, CLICKS_PER_S, Path(folder), Grid)
    note = f"{TOUCHES} touches at {PER_S:g}/s, {timed.frame_ms.count} scene changes"
    median_ms = timed.touch_ms.percentile(0.5)
    median_frames = timed.frame_ms.percentile(0.5) / FRAME_MS
    return [
        Measure("screen: touch to journal, median", (median_ms,), at_most=1, unit=" ms", note=note),
        Measure("screen: touch to journal, p99", (timed.touch_ms.percentile(0.99),), at_most=5, unit=" ms"),
        Measure("screen: command to painted frame, median", (median_frames,), at_most=2, unit=" frames"),
        Measure("screen: contacts missing in the journal", (timed.lost,), at_most=0),
        *_of_grid(grid),
    ]


def _of_grid(grid: Timed) -> list[Measure]:
    note = f"{TILES} tiles, {TEXTS} texts, {CLICKS} clicks at {CLICKS_PER_S:g}/s, each of which changes one of both"
    answer_frames = grid.answer_ms.percentile(0.5) / FRAME_MS
    return [
        Measure("grid: click to journal, median", (grid.down_ms.percentile(0.5),), at_most=1, unit=" ms", note=note),
        Measure("grid: click to painted frame, median", (answer_frames,), at_most=2, unit=" frames"),
        Measure("grid: bytes of scenes in the journal per click", (grid.scene_bytes / CLICKS,), at_most=1000),
        Measure("grid: contacts missing in the journal", (grid.lost,), at_most=0),
    ]
