"""Journals as the window reads them: whole, growing, broken and forged."""

from pathlib import Path

import pytest

from rig.window import session_feed
from rig.window.session_feed import SessionFeed
from tests.window.journals import SESSION, JournalWriter


@pytest.fixture
def journal(tmp_path: Path) -> JournalWriter:
    return JournalWriter(tmp_path / "M1" / "2026-11-21" / "001" / "journal.jsonl")


def feed_of(path: Path) -> SessionFeed:
    feed = SessionFeed(path)
    feed.read(60)
    return feed


def test_a_session_is_joined_at_any_time(journal: JournalWriter) -> None:
    journal.write("state", 1_000_000, name="ready")
    journal.trial(1, 2_000_000)
    feed = feed_of(journal.path)
    assert (feed.progress.trials, feed.progress.state, feed.is_caught_up) == (1, "ready", True)
    journal.trial(2, 3_000_000)
    assert feed.read(60)
    assert not feed.read(60)
    assert feed.progress.trials == 2
    charts = [feed.chart(number) for number in range(feed.chart_count)]
    (outcomes,) = [chart for chart in charts if chart is not None and chart.title == "outcomes"]
    assert sum(len(mark.x) for mark in outcomes.marks if hasattr(mark, "symbol")) == 2


def test_it_reads_a_little_at_a_time(journal: JournalWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_feed, "BITE_BYTES", 800)
    for number in range(50):
        journal.trial(number, number)
    feed = SessionFeed(journal.path)
    feed.read(0)
    assert 0 < feed.progress.lines < 50
    assert 0 < feed.share_read < 1
    for _ in range(50):
        feed.read(0)
    assert feed.progress.trials == 50
    assert feed.share_read == 1


def test_a_journal_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    feed = feed_of(tmp_path / "journal.jsonl")
    assert not feed.is_there
    JournalWriter(tmp_path / "journal.jsonl")
    feed.read(60)
    assert feed.progress.header is not None


def test_half_a_line_is_waited_for_and_nonsense_is_left_out(journal: JournalWriter) -> None:
    whole = journal.line("trial", 5, trial=1, outcome="rewarded")
    journal.append(whole[:20])
    feed = feed_of(journal.path)
    assert (feed.progress.trials, feed.damaged) == (0, 0)
    journal.append(whole[20:])
    journal.append(b"\xff\x00 nonsense\n")
    journal.trial(2, 6)
    feed.read(60)
    assert (feed.progress.trials, feed.damaged) == (2, 1)


def test_a_journal_of_another_format_is_shown_as_such(tmp_path: Path) -> None:
    journal = JournalWriter(tmp_path / "journal.jsonl", {**SESSION, "format": 1})
    feed = feed_of(journal.path)
    assert "format is 1" in feed.error
    assert not feed.read(60)


@pytest.mark.parametrize(
    "orders",
    [
        [{"do": "pulse", "output": ["a"], "us": 1}],
        [{"do": "pulse", "output": "a", "us": "long"}],
        [{"do": "pulse", "output": "a", "us": 1 << 62}],
        [{"do": "train", "output": "a", "on_us": 1, "period_us": 1 << 60, "count": 1 << 40}],
        [{"do": "load", "sequence": {}, "entries": 7}],
        [{"do": "arm"}],
    ],
)
def test_what_a_forged_line_says_is_counted_and_the_rest_is_shown(journal: JournalWriter, orders: list) -> None:
    journal.write("command", 1 << 50, epoch=0, batch=1, last_event=0, orders=orders)
    journal.write("batch_done", 1 << 50, batch=1)
    journal.write("note", 2, what=7, text=[])
    journal.trial(1, 3)
    feed = feed_of(journal.path)
    feed.lanes.rows(feed.now_us)
    assert feed.progress.trials == 1


def test_findings_come_with_lines_and_at_the_end(journal: JournalWriter) -> None:
    journal.write("state", 0, name="ready")
    journal.warn(1)
    feed = feed_of(journal.path)
    assert ["left.beam" in each.text for each in feed.findings] == [True]
    journal.end(2, "crash")
    feed.read(60)
    assert feed.progress.expectations.verdict == "bad"


def test_findings_come_with_time_alone(journal: JournalWriter) -> None:
    journal.write("state", 0, name="ready")
    for number in range(60):
        journal.edge("right.beam", number % 2 ^ 1, 1_000_000 * (number + 1))
    feed = feed_of(journal.path)
    assert not feed.findings
    feed._changed_s -= 3600
    feed.read(60)
    assert feed.findings, "the left beam has never changed, and the right one not for long"


def test_time_passes_without_lines_only_where_it_does(journal: JournalWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_feed, "last_change_s", lambda follower: session_feed.time.monotonic() - 30)
    journal.write("state", 1_000_000, name="ready")
    feed = feed_of(journal.path)
    assert feed.now_us >= 31_000_000
    feed.real_time = False
    assert feed.now_us == 1_000_000
    feed.real_time = True
    journal.end(2_000_000)
    feed.read(60)
    assert feed.now_us == 2_000_000
