"""Journals as the window reads them: whole, growing, broken and forged."""

from pathlib import Path
from typing import Any

import pytest

from rig.core.model.line import LONGEST_US
from rig.records.outputs import board_outputs
from rig.window import session_feed
from rig.window.session_feed import SessionFeed
from tests.journal_lines import sealed_json
from tests.window.journals import JournalWriter


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
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(sealed_json({"seq": 0, "k": "header", "format": 1}))
    feed = feed_of(journal)
    assert "format is 1" in feed.error
    assert not feed.read(60)


@pytest.mark.parametrize(
    ("order", "is_damaged"),
    [
        ({"do": "pulse", "output": ["a"], "us": 1}, True),
        ({"do": "pulse", "output": "a", "us": "long"}, True),
        ({"do": "load", "sequence": {}, "entries": 7}, True),
        ({"do": "arm"}, True),
        ({"do": "pulse", "output": "a", "us": 1 << 62}, True),
        ({"do": "train", "output": "a", "on_us": 1, "period_us": 1, "count": 1 << 40}, True),
        ({"do": "train", "output": "a", "on_us": 1, "period_us": LONGEST_US, "count": (1 << 16) - 1}, False),
    ],
)
def test_what_a_forged_line_says_is_counted_and_the_rest_is_shown(
    journal: JournalWriter, order: dict[str, Any], is_damaged: bool
) -> None:
    journal.forge("command", 1 << 44, epoch=0, batch=1, last_event=0, orders=[order])
    journal.write("batch_done", 1 << 44, batch=1)
    journal.forge("note", 2, what=7, fields=[])
    journal.trial(1, 3)
    feed = feed_of(journal.path)
    feed.rows()
    assert (feed.progress.trials, feed.damaged) == (1, 1 + is_damaged)


def test_a_journal_with_more_actions_than_any_session_has_is_shown_without_its_lanes(
    journal: JournalWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_outputs, "MAX_ACTS", 10)
    for batch in range(20):
        journal.write("command", 10 * batch, batch=batch, orders=[{"do": "pulse", "output": "left.valve", "us": 5}])
        journal.write("batch_done", 10 * batch, batch=batch)
        journal.trial(batch, batch)
    feed = feed_of(journal.path)
    assert (list(feed.rows()), feed.progress.trials) == ([], 20)


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
