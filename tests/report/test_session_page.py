"""The page of a session: complete for every protocol, honest about damage, and safe for every journal."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.header import Header
from rig.records.recorded_session import RecordedSession
from rig.report.page_report import PageReport, page_report
from rig.report.session_page import session_page
from tests.cli.recorded_sessions import truncate_journal
from tests.journal_lines import HEADER, made
from tests.records.journals import Book, put
from tests.report.conftest import SESSIONS, Recorded
from tests.report.found_markup import FoundMarkup
from tests.report.test_html import hostile

FORBIDDEN = {"script", "iframe", "object", "embed", "link", "form", "base", "img", "foreignobject"}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pages without their figures, which take most of the time."""
    monkeypatch.setattr("rig.report.session_page.can_draw", lambda: False)


def check_safe(markup: str) -> FoundMarkup:
    """Check that a page can neither run nor load anything, and that its inner names are unique."""
    found = FoundMarkup(markup)
    assert not FORBIDDEN & set(found.names)
    assert not found.comments
    ids = []
    for tag, attributes in found.tags:
        for name, value in attributes:
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "xlink:href", "src"):
                assert str(value).startswith(("#", "data:image/png;base64,")), (tag, value)
            ids += [value] if name == "id" else []
    assert len(ids) == len(set(ids))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("protocol", SESSIONS)
def test_the_page_of_every_protocol_is_complete_and_safe(recorded: Recorded, protocol: str) -> None:
    report = page_report(recorded(protocol))
    markup = session_page(report)
    found = check_safe(markup)
    assert "cannot be made" not in found.text
    assert "cannot be drawn" not in found.text
    header = report.records.header
    for said in (protocol, header.rig.name, str(header.seed), "2026-11-20 09:00", "SIMULATED"):
        assert said in found.text
    for name in header.params:
        assert f">{name}" in markup
    drawings = [dict(attributes) for tag, attributes in found.tags if tag == "svg"]
    assert all(drawing["role"] == "img" and drawing["aria-label"] for drawing in drawings)


def test_a_page_is_the_same_each_time(recorded: Recorded) -> None:
    report = page_report(recorded("delay_discounting"))
    assert session_page(report) == session_page(page_report(recorded("delay_discounting")))


def test_a_journal_at_the_top_of_a_stick_belongs_to_a_subject_without_a_name() -> None:
    header = made("header", **HEADER)
    assert isinstance(header, Header)
    assert PageReport(RecordedSession(Path("/journal.jsonl"), header)).subject == "no name"


@pytest.mark.usefixtures("undrawn")
def test_values_name_the_file_and_line_that_set_them(recorded: Recorded) -> None:
    found = FoundMarkup(session_page(page_report(recorded("delay_discounting")))).text
    assert re.search(r"small_delay_s 1 s protocols/delay_discounting\.yaml:\d+", re.sub(r"\s+", " ", found))
    assert "command line (--set)" in found  # stop.session_s


@pytest.mark.usefixtures("undrawn")
def test_what_the_subject_s_last_session_passed_on_is_shown(tmp_path: Path) -> None:
    book = Book()
    book.header(carry_over={"pools": {"main": [[3, 18]]}, "start_high_side": "left"})
    book.footer()
    text = FoundMarkup(session_page(page_report(put(tmp_path / "M1" / "2026-11-20" / "001", book.raw)))).text
    assert re.search(r"pools\.main \[\[3, 18\]\] the subject's last session", re.sub(r"\s+", " ", text))


@pytest.mark.usefixtures("undrawn")
def test_a_session_that_broke_off_says_so_and_shows_what_there_is(recorded: Recorded, tmp_path: Path) -> None:
    session = tmp_path / "M1" / "2026-11-20" / "001"
    shutil.copytree(recorded("delay_discounting"), session)
    truncate_journal(session)
    report = page_report(session)
    assert report.verdict.verdict == "bad"
    assert "rig recover" in report.verdict.reasons[0].text
    found = check_safe(session_page(report))
    assert "no end" in found.text
    assert report.progress.trials > 0


@pytest.mark.usefixtures("undrawn")
def test_a_running_session_is_no_error(recorded: Recorded, tmp_path: Path) -> None:
    session = tmp_path / "M1" / "2026-11-20" / "001"
    shutil.copytree(recorded("delay_discounting"), session)
    truncate_journal(session)
    report = page_report(session, running=True)
    assert report.verdict.verdict == "good"
    assert "still running" in FoundMarkup(session_page(report)).text


@pytest.mark.usefixtures("undrawn")
def test_a_damaged_line_is_an_error_and_the_other_lines_are_shown(recorded: Recorded, tmp_path: Path) -> None:
    session = tmp_path / "M1" / "2026-11-20" / "001"
    shutil.copytree(recorded("delay_discounting"), session)
    journal = session / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:50], lines[50].replace(b'"t":', b'"T":'), *lines[51:]]))
    report = page_report(session)
    assert report.verdict.verdict == "bad"
    assert "line 51" in report.verdict.reasons[0].text
    check_safe(session_page(report))


def test_a_journal_without_a_header_has_no_page(tmp_path: Path) -> None:
    book = Book()
    book.line("state", t_us=0, name="a")
    with pytest.raises(RecordError, match="no header"):
        page_report(put(tmp_path / "M1" / "2026-11-20" / "001", book.raw))


@pytest.mark.usefixtures("undrawn")
def test_an_end_by_a_fault_and_rewards_in_doubt_are_reasons(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.footer(reason="fault", detail="the disk is full", complete=False, unconfirmed_rewards=2)
    report = page_report(put(tmp_path / "M1" / "2026-11-20" / "001", book.raw))
    assert report.verdict.verdict == "bad"
    texts = " ".join(reason.text for reason in report.verdict.serious)
    assert "the disk is full" in texts
    assert "2 rewards" in texts


words = st.lists(hostile.filter(bool), min_size=12, max_size=12)


def hostile_book(said: list[str]) -> Book:
    """A journal by an enemy: every text that its form allows to be free holds markup."""
    value: Any = {said[0]: [said[1], {said[2]: said[3]}], "x": said[4]}
    book = Book()
    device = {"kind": said[5], "beam": said[6], "calibration": said[7]}
    book.header(
        protocol=said[0],
        subject=said[1],
        params=value,
        rig={
            "name": said[2],
            "board": {"driver": said[3]},
            "devices": {said[4]: device},
            "calibrations": {said[5]: value},
        },
        curriculum={**dict.fromkeys(("name", "stage", "why", "from", "override"), said[6]), "sessions": [said[7]]},
        shares={said[8]: {"column": "note", "rule": "changes", "label": said[9]}},
        letter="note",
        model=said[10],
        code={said[11]: said[0]},
        facts={"weight_skipped": said[1], "early_allowed": said[2]},
        daily_limit={"by": said[3], "reason": said[4]},
        descriptions={"trials": {"t_in": {"kind": "number", "unit": "s", "text": said[4]}}},
    )
    for number, word in enumerate(said):
        book.line("state", t_us=number * 1000, name=word)
        book.line("edge", channel=word, level=number % 2, fired=0, number=number)
        book.line("note", what=word, channel=word, since_us=word)
        book.line("operator_note", t_us=number, text=word, raw_us=0, uncertainty_us=0)
        book.trial(number, note=word, t_in=word, reward_ul=value)
        book.line("fault", what=word, detail=word)
        book.line(
            "command",
            epoch=0,
            batch=number,
            last_event=0,
            orders=[{"do": "set", "output": word, "on": True}],
        )
        book.line("batch_done", batch=number)
        book.line("params", t_us=number, trial=number, changed={word: value})
    book.line("health", complete=True, executed=1, counters={word: number for number, word in enumerate(said)})
    book.footer(reason=said[0], detail=said[1], inactive_inputs=said[2:4], refusals={said[4]: 3})
    return book


def hostile_session(folder: Path, said: list[str]) -> Path:
    session = put(folder / "M1" / "2026-11-20" / "001", hostile_book(said).raw)
    (session / "environment.json").write_text(
        json.dumps({"experimenter": said[0], "board": {"name": said[1], "uid": [said[2]]}})
    )
    return session


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words)
@pytest.mark.usefixtures("undrawn")
def test_a_journal_by_an_enemy_adds_no_markup(tmp_path: Path, said: list[str]) -> None:
    check_safe(session_page(page_report(hostile_session(tmp_path, said))))


@pytest.mark.slow
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words)
def test_a_journal_by_an_enemy_adds_no_markup_by_its_figures(tmp_path: Path, said: list[str]) -> None:
    check_safe(session_page(page_report(hostile_session(tmp_path, said))))


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("facts", ["[]", "{", '{"board": []}', '{"program": {"git": [1]}, "replaced": 3}'])
def test_strange_facts_about_the_computer_break_no_page(recorded: Recorded, tmp_path: Path, facts: str) -> None:
    session = tmp_path / "M1" / "2026-11-20" / "001"
    shutil.copytree(recorded("free_water"), session)
    (session / "environment.json").write_text(facts)
    assert "cannot be made" not in check_safe(session_page(page_report(session))).text
