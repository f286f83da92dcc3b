"""What a person sees of a session: a bar while it runs, a few lines when it has ended."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from rig.core.task import Row

REASONS = {
    "time_limit": "the session's time was over",
    "reward_cap": "the ceiling of rewards was reached",
    "trial_cap": "the number of trials was reached",
    "idle": "the animal did nothing",
    "operator": "stopped by the operator",
    "fault": "a fault",
}
EVERY_ROWS = 50


class Display:
    """Shows a session's progress by its rows: ``with Display(session_s) as display``."""

    def __init__(self, title: str, session_s: float) -> None:
        self._title = title
        self._session_s = session_s
        self._console = Console(stderr=True)
        self._counts: Counter[str] = Counter()
        self._t_s = 0.0
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[clock]}  {task.fields[counts]}"),
            TimeElapsedColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._progress.add_task(title, total=session_s, clock="", counts="")

    def row(self, row: Row) -> None:
        """Take a row of the trial table."""
        self._counts[str(getattr(row, "outcome", "trials"))] += 1
        times = [value for name, value in row.values().items() if name.startswith("t_") and value is not None]
        self._t_s = max(times, default=self._t_s)
        total = sum(self._counts.values())
        if self._console.is_terminal:
            self._progress.update(self._task, completed=self._t_s, clock=_clock(self._t_s), counts=self._line())
        elif total % EVERY_ROWS == 0:
            print(f"{_clock(self._t_s)}  {self._line()}", file=sys.stderr, flush=True)

    def _line(self) -> str:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self._counts.most_common())
        return f"{sum(self._counts.values())} trials: {counts}"

    def __enter__(self) -> Display:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:d}:{rest:02d}"


def print_summary(summary: Mapping[str, Any]) -> None:
    """Print a session's summary."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in _rows(summary):
        table.add_row(name, value)
    Console().print(table)
    print(f"records: {summary['folder']}")


def _rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    reason = REASONS.get(summary["reason"], summary["reason"])
    rows = [
        ("session", f"{summary['protocol']}, {summary['subject']}, seed {summary['seed']}"),
        ("ended", f"after {_clock(summary['duration_s'])} min: {reason}" + _colon(summary["detail"])),
        ("trials", f"{summary['trials']}" + _colon(_counts(summary["outcomes"]))),
        ("given", f"{summary['rewards']} rewards, {summary['ul']:g} ul"),
    ]
    if summary["unconfirmed"]:
        rows.append(("in doubt", f"{summary['unconfirmed']} drops were ordered and never confirmed"))
    if "p_high" in summary:
        rows.append(
            (
                "choices",
                f"{summary['reward_rate']:.1%} rewarded, {summary['p_high']:.1%} to the high port, "
                f"{summary['p_switch']:.1%} switches, {summary['left_fraction']:.1%} left",
            )
        )
    return rows


def _colon(text: str) -> str:
    return f": {text}" if text else ""


def _counts(outcomes: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
