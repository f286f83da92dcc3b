"""A correction is appended, also after a footer, and the totals follow from its lines."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import Correction, RewardLine
from rig.core.model.board import KeptOpening
from rig.records.journal.read import JOURNAL, read_ends, read_journal, scan_journal
from rig.records.openings.board_answer import BoardAnswer
from rig.records.recover import board_of, recover
from rig.records.session.summary import SUMMARY
from rig.records.subject.deliveries import delivered_between
from rig.session.replay_comparison import RecordedDecisions
from tests.records.journals import on_this_machine, put
from tests.records.openings.test_board_answer import OLD, POWER_ONS, Session

DAY = datetime.datetime(2026, 11, 21).astimezone()


@pytest.fixture
def died() -> Session:
    return Session([OLD])


def answer(*kept: KeptOpening, uid: str = "7F3A") -> BoardAnswer:
    return BoardAnswer(uid, POWER_ONS, kept, "/dev/ttyACM0")


def place(folder: Path, book: Session) -> Path:
    return on_this_machine(put(folder / "M1" / "2026-11-21" / "001", book.raw))


def ul_of(session: Path) -> float:
    total = delivered_between(session.parent.parent, DAY, DAY + datetime.timedelta(days=1))
    assert not total.unknown
    return total.amount.ul


def ended_with_doubt(book: Session) -> Session:
    """End a session whose link was lost: the reward in doubt is unconfirmed."""
    book._t_us = 12_000_000
    book.reflex(2, "unconfirmed")
    book.footer(ul=5.0, rewards=2, unconfirmed_rewards=1, reason="fault", counts=dict(book.counts))
    return book


def test_a_crashed_session_gets_the_answer_and_a_footer_in_one(tmp_path: Path, died: Session) -> None:
    session = place(tmp_path, died)
    found = recover(session, answer(OLD, died.opening(21, died.first), died.opening(22, 13_000_000)))
    assert (found.confirmed, found.refused, found.undecided) == (1, 0, 0)
    lines = read_journal(session)
    assert lines[: len(died.raw)] == died.lines
    correction, reward, footer = lines[len(died.raw) :]
    assert isinstance(correction, Correction)
    assert (correction.source, [one.number for one in correction.kept]) == ("/dev/ttyACM0", [20, 21, 22])
    assert isinstance(reward, RewardLine)
    assert (reward.id, reward.status, reward.t_us) == (2, "delivered", 13_000_000)
    assert isinstance(footer, Footer)
    assert (footer.reason, footer.rewards, footer.unconfirmed_rewards) == ("crash", 2, 0)
    assert (footer.counts["correction"], footer.counts["reward"]) == (1, 4)
    assert ul_of(session) == 5.0


def test_a_session_that_ended_in_doubt_gets_a_second_footer(tmp_path: Path, died: Session) -> None:
    session = place(tmp_path, ended_with_doubt(died))
    assert ul_of(session) == 5.0
    recover(session)
    assert json.loads((session / SUMMARY).read_text())["unconfirmed_rewards"] == 1
    kept = OLD, died.opening(21, died.first)
    assert recover(session, answer(*kept)).refused == 1
    first, correction, reward, footer = read_journal(session)[-4:]
    assert isinstance(first, Footer)
    assert isinstance(correction, Correction)
    assert isinstance(reward, RewardLine)
    assert isinstance(footer, Footer)
    assert (reward.status, footer.ul, footer.reason) == ("cancelled", 2.5, "fault")
    assert footer.given == [(0, 2.5, 0, 0.0)]
    assert ul_of(session) == 2.5
    assert json.loads((session / SUMMARY).read_text())["ul"] == 2.5
    before = (session / JOURNAL).read_bytes()
    assert recover(session, answer(*kept)).refused == 0
    assert (session / JOURNAL).read_bytes() == before


def test_an_answer_that_decides_nothing_changes_nothing(tmp_path: Path, died: Session) -> None:
    session = place(tmp_path, ended_with_doubt(died))
    before = (session / JOURNAL).read_bytes()
    found = recover(session, answer())
    assert (found.confirmed, found.refused, found.undecided) == (0, 0, 1)
    assert (session / JOURNAL).read_bytes() == before
    assert ul_of(session) == 5.0


def test_another_board_is_refused_and_changes_nothing(tmp_path: Path, died: Session) -> None:
    session = place(tmp_path, died)
    assert board_of(session) == "7F3A"
    with pytest.raises(RecordError, match="is of board 7F3A, and /dev/ttyACM0 has answered for board 5131"):
        recover(session, answer(OLD, uid="5131"))
    assert (session / JOURNAL).read_bytes() == b"".join(died.raw)


@pytest.mark.parametrize("lines", [1, 2])
def test_a_correction_that_was_torn_is_ended_by_the_next_recovery(tmp_path: Path, died: Session, lines: int) -> None:
    session = place(tmp_path, ended_with_doubt(died))
    recover(session)
    kept = OLD, died.opening(21, died.first)
    recover(session, answer(*kept))
    whole = (session / JOURNAL).read_bytes().splitlines(keepends=True)
    (session / JOURNAL).write_bytes(b"".join(whole[: len(died.raw) + lines]))
    assert read_ends(session / JOURNAL).footer is None
    assert ul_of(session) == (5.0 if lines == 1 else 2.5)
    found = recover(session, answer(*kept))
    assert (found.reason, found.damaged) == ("fault", 0)
    footer = read_ends(session / JOURNAL).footer
    assert footer is not None
    assert (footer.reason, footer.ul) == ("fault", 2.5)
    assert ul_of(session) == 2.5


def test_only_a_correction_may_come_after_a_footer_and_only_rewards_after_that(tmp_path: Path, died: Session) -> None:
    ended_with_doubt(died)
    died.edge("left.beam", 0)
    path = put(tmp_path / "edge", died.raw) / JOURNAL
    assert [item.why for item in scan_journal(path).damage] == ["it comes after the footer"]
    died.line("correction", uid="7F3A", power_ons=POWER_ONS, source="a test", kept=[])
    died.line("note", what="anything")
    path = put(tmp_path / "note", died.raw) / JOURNAL
    assert [item.why for item in scan_journal(path).damage] == ["it comes after the footer"] * 2


def test_a_replay_compares_nothing_behind_a_correction(tmp_path: Path, died: Session) -> None:
    session = place(tmp_path, ended_with_doubt(died))
    before = RecordedDecisions(read_journal(session)).decisions
    recover(session, answer(OLD, died.opening(21, died.first)))
    after = RecordedDecisions(read_journal(session))
    assert after.decisions == before
    assert isinstance(after.last, Footer)


def test_a_computer_that_restarted_may_have_lost_the_line_of_an_order(tmp_path: Path) -> None:
    died = Session([OLD])
    del died.raw[-1]
    session = put(tmp_path / "M1" / "2026-11-21" / "001", died.raw)
    without_power = replace(answer(), power_ons=POWER_ONS + 1)
    assert recover(session, without_power).undecided == 1
    other = on_this_machine(put(tmp_path / "M2" / "2026-11-21" / "001", died.raw))
    assert recover(other, without_power).refused == 1
    assert recover(session, answer(OLD, died.opening(21, died.first))).refused == 1, "the openings need no line of it"
