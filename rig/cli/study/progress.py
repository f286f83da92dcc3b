"""Progress of a study on standard error: a bar for each arm with the time left, otherwise a line for each tenth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rig.campaigns.session_job import SessionProduct
from rig.studies.analysis_jobs import AnalysisAnswer
from rig.studies.run import StudyProgress
from rig.terminal.console import SafeConsole

if TYPE_CHECKING:
    from rich.progress import TaskID

_LINES = 10


@contextmanager
def study_progress() -> Iterator[StudyProgress]:
    """Yield the functions that show progress while the block runs."""
    console = SafeConsole(stderr=True)
    if not console.is_terminal:
        lines = _Lines(console)
        yield StudyProgress(lines.begin, lines.session, lines.analysis)
        return
    with _Bars(console) as bars:
        yield StudyProgress(bars.begin, bars.session, bars.analysis, bars.subject)


class _Lines:
    """A line for each tenth of an arm, for logs."""

    def __init__(self, console: SafeConsole) -> None:
        self._console = console
        self._done: dict[str, int] = {}
        self._all: dict[str, int] = {}

    def begin(self, arms: Mapping[str, tuple[int, int]]) -> None:
        self._done = {name: done for name, (done, _) in arms.items()}
        self._all = {name: total for name, (_, total) in arms.items()}
        for name, done in self._done.items():
            if done:
                self._say(f"{name}: {done} of {self._all[name]} sessions had run before")

    def session(self, product: SessionProduct) -> None:
        done, total = self._done[product.arm] + 1, self._all[product.arm]
        self._done[product.arm] = done
        if done * _LINES // total > (done - 1) * _LINES // total:
            self._say(f"{product.arm}: {done} of {total} sessions")

    def analysis(self, answer: AnalysisAnswer) -> None:
        if answer.purpose == "number":
            self._say(f"analysis {answer.run}")

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)


class _Bars:
    """A bar for each arm, and one for the analyses."""

    def __init__(self, console: SafeConsole) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._of: dict[str, TaskID] = {}

    def __enter__(self) -> _Bars:
        self._bars.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bars.stop()

    def begin(self, arms: Mapping[str, tuple[int, int]]) -> None:
        self._of = {
            name: self._bars.add_task(name, total=total, completed=done) for name, (done, total) in arms.items()
        }

    def session(self, product: SessionProduct) -> None:
        self._bars.advance(self._of[product.arm])

    def analysis(self, answer: AnalysisAnswer) -> None:
        self._count("analyses")

    def subject(self) -> None:
        self._count("subjects analyzed")

    def _count(self, what: str) -> None:
        if what not in self._of:  # no arm has a name with a space; none is called analyses while it is counted
            self._of[what] = self._bars.add_task(what, total=None)
        self._bars.advance(self._of[what])
