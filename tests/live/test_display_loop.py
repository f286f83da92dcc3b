"""The loop that follows a journal and draws: when it draws what, and when it ends."""

from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import StateLine
from rig.live import display_loop as module
from rig.live.display_loop import SessionStatus, run_display
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from tests.expectations.lines import line
from tests.journal_lines import HEADER, journal_file


class Book:
    """A journal that is written between two looks, and the clock on the wall."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.now_s = 1000.0
        self.journal = journal_file(path)
        self.drawn: list[tuple[int, SessionStatus]] = []
        monkeypatch.setattr(module.time, "monotonic", lambda: self.now_s)
        monkeypatch.setattr(module.time, "time", lambda: self.now_s)

    def header(self, model: str | None) -> None:
        limits = {"stop": {"session_s": 60, "min_trials": 1}, "columns": ["outcome"]}
        self.journal.write(line("header", **{**HEADER, "subject": "M1", "model": model, **limits}))

    def footer(self, t_s: float) -> None:
        self.journal.write(line("footer", t_s))

    def update(self, progress: Progress) -> None:
        pass

    def render(self, progress: Progress, now: SessionStatus) -> None:
        self.drawn.append((progress.trials, now))

    def watch(self, *steps: Any, real_time: bool | None = None) -> Progress:
        """Show the journal; each step happens between two looks, a second apart."""
        left = list(steps)

        def wait(seconds: float) -> bool:
            self.now_s += 1
            if left:
                left.pop(0)()
            return not left

        return run_display(JournalFollower(self.path), self, wait, real_time=real_time)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    return Book(tmp_path / "journal.jsonl", monkeypatch)


def nothing() -> None:
    pass


def elapsed(book: Book) -> list[float]:
    return [now.elapsed_s for _, now in book.drawn]


def test_in_a_session_of_an_animal_time_passes_between_the_lines(book: Book) -> None:
    book.watch(
        lambda: book.header(None),
        lambda: book.journal.write(StateLine(2_000_000, "ready")),
        nothing,
        nothing,
        lambda: book.journal.write(StateLine(5_500_000, "choose")),
        lambda: book.footer(6.0),
        nothing,
    )
    assert elapsed(book) == [0, 0, 2, 3, 4, 5.5, 6]


@pytest.mark.parametrize(("model", "real_time", "later"), [("rflr", None, 2), ("rflr", True, 4), ("keyboard", None, 4)])
def test_a_virtual_subject_has_the_time_of_its_journal_unless_we_know_better(
    book: Book, model: str, real_time: bool | None, later: float
) -> None:
    book.header(model)
    book.watch(lambda: book.journal.write(StateLine(2_000_000, "ready")), nothing, nothing, real_time=real_time)
    assert elapsed(book)[-1] == later


def test_a_journal_that_has_been_quiet_says_for_how_long_also_before_we_came(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.header(None)
    book.journal.write(StateLine(2_000_000, "ready"))
    monkeypatch.setattr(JournalFollower, "written_s", lambda follower: 880.0)
    book.watch(nothing, lambda: book.journal.write(StateLine(125_000_000, "choose")), nothing)
    assert [now.quiet_s for _, now in book.drawn] == [120, 121, 0, 1]
    assert elapsed(book) == [122, 123, 125, 126]


def test_it_ends_with_the_footer(book: Book) -> None:
    progress = book.watch(lambda: book.header(None), lambda: book.footer(3.0), *[nothing] * 9)
    assert progress.footer is not None
    assert len(book.drawn) == 3


def test_a_session_that_has_ended_long_ago_is_drawn_once(book: Book) -> None:
    book.header(None)
    book.footer(40.0)
    book.watch(nothing)
    assert elapsed(book) == [40]


def test_what_was_written_at_the_last_moment_is_still_drawn(book: Book) -> None:
    book.watch(lambda: (book.header(None), book.journal.write(line("trial", outcome="rewarded"))))
    assert book.drawn[-1][0] == 1
