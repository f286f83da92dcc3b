"""The window on a long journal, in a process of its own: how long it reads and draws, and how its memory grows.

python -m benchmarks.window_page JOURNAL       print the numbers as JSON
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Any

ROUNDS = 40


def _timed_ms(act: Callable[[], object]) -> float:
    """Return the processor time of one act: other programs of the machine do not count."""
    start_s = time.process_time()
    act()
    return 1e3 * (time.process_time() - start_s)


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1]) / 1024


def _is_drawn(page: Any) -> bool:
    feed = page.watched.feed
    return all(
        chart._chart is feed.chart(number)  # noqa: SLF001
        for number, chart in enumerate(page._charts)  # noqa: SLF001
    )


def main(journal: Path) -> dict[str, Any]:
    """Return the measures of the window on one journal."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from rig.window.__main__ import load

    load()
    from PySide6.QtWidgets import QApplication

    from rig.window.main_window import MainWindow
    from rig.window.running_sessions import RunningSessions
    from rig.window.session_feed import SessionFeed
    from rig.window.targets import NamedTargets
    from rig.window.theme import LIGHT

    application = QApplication([])
    window = MainWindow(NamedTargets([journal]), RunningSessions(), LIGHT, with_wall=False)
    window.show()
    joined = _join(window, application)
    feed = SessionFeed(journal)
    start_s = time.process_time()
    while not feed.is_caught_up:
        feed.read(1)
    read_s = time.process_time() - start_s
    lines = window.pages[0].watched.feed.progress.lines
    return {**joined, "read_s": read_s, **_redraw(window, application), "lines": lines}


def _join(window: Any, application: Any) -> dict[str, float]:
    """Draw the whole journal; return the time until then, and the growth of the memory."""
    sizes = []
    page = None
    first_chart_s = 0.0
    while page is None or not page.watched.feed.is_caught_up:
        _take_turn(window, application)
        page = window.pages[0]
        if not first_chart_s and page.watched.feed.chart_count:
            first_chart_s = time.process_time()  # since the start of the process: Python, Qt and the window
        sizes.append(_resident_mb())
    while not _is_drawn(page):
        _take_turn(window, application)
    quarter = len(sizes) // 4
    return {
        "first_chart_s": first_chart_s,
        "joined_s": time.process_time(),
        "growth_mb": max(sizes[-quarter:]) - max(sizes[: quarter + 1]) if quarter else 0.0,
        "resident_mb": sizes[-1],
    }


def _take_turn(window: Any, application: Any) -> None:
    window._take_turn()  # noqa: SLF001
    window._timer.stop()  # noqa: SLF001
    application.processEvents()


def _redraw(window: Any, application: Any) -> dict[str, float]:
    """Return how long a turn takes after a trial, with the usual charts and with all of the session."""
    page = window.pages[0]

    def turn() -> None:
        window.refresh()
        application.processEvents()

    def changed_turn() -> None:
        for fold in page.watched.feed._views.folds:  # noqa: SLF001
            fold._drawn = None  # noqa: SLF001 - as after a trial
        turn()

    for _ in range(20):
        turn()
    gc.collect()
    changed = [_timed_ms(changed_turn) for _ in range(ROUNDS)]
    page.press("a")
    whole = [_timed_ms(changed_turn) for _ in range(ROUNDS)]
    return {"redraw_ms": quantiles(changed, n=20)[-1], "redraw_all_ms": quantiles(whole, n=20)[-1]}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
