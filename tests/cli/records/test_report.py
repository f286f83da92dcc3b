"""`rig report` writes one page, and says in one word what is to be thought of the records."""

from __future__ import annotations

import datetime
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from rig.cli.records import report as report_module
from rig.core.journal.kinds import Remark
from rig.records.subject_events import append_events
from rig.report import day
from rig.system import control_socket
from tests.cli.conftest import Rig
from tests.cli.processes import without
from tests.cli.recorded_sessions import truncate_journal
from tests.journal_lines import sealed_json
from tests.report.found_markup import FoundMarkup
from tests.report.test_session_page import check_safe

WATER = ("free_water", "--model", "random", "--start", "2026-11-21T09:00", "--set", "stop.session_s=30")


@pytest.fixture
def session(rig: Rig, data: Path) -> Path:
    """A short simulated session."""
    rig("sim", *WATER, "--subject", "W1")
    return data / "sim" / "W1" / "2026-11-21" / "001"


def documents(rig: Rig, *words: Any) -> list[dict[str, Any]]:
    answer = rig("report", *words, "--json")
    assert (answer.status, answer.err) == (0, "")
    found: list[dict[str, Any]] = json.loads(answer.out)
    return found


def test_the_page_is_beside_the_journal_and_one_word_says_the_verdict(rig: Rig, session: Path) -> None:
    said = rig("report", session)
    assert (said.status, said.err) == (0, "")
    word, _, path = said.out.strip().partition(": ")
    assert word in ("good", "suspicious", "bad")
    assert Path(path) == session / "report.html"
    assert "free_water" in FoundMarkup(Path(path).read_text(encoding="utf-8")).text


def test_without_matplotlib_a_page_has_its_charts_and_says_what_it_leaves_out(rig: Rig, data: Path) -> None:
    rig("sim", "two_armed_bandit", "--subject", "M1", "--model", "rflr", "--set", "stop.session_s=60")
    (journal,) = data.rglob("journal.jsonl")
    answer = without("matplotlib", words=("report", journal.parent))
    assert answer.returncode == 0, answer.stderr
    found = FoundMarkup((journal.parent / "report.html").read_text(encoding="utf-8"))
    assert "svg" in found.names
    assert "figures are left out, for want of matplotlib: pip install 'behavior-rig[analysis]'" in found.text


def test_a_script_reads_the_verdict_with_its_reasons(rig: Rig, session: Path) -> None:
    (found,) = documents(rig, session)
    assert (found["subject"], found["session"], found["folder"]) == ("W1", "2026-11-21/001", str(session))
    assert found["verdict"] in ("good", "suspicious", "bad")
    for reason in found["reasons"]:
        assert set(reason) == {"t_us", "rule", "text", "severity", "about"}


def test_without_a_name_the_newest_session_is_reported(rig: Rig, session: Path) -> None:
    assert documents(rig)[0]["folder"] == str(session)


def test_a_page_goes_to_the_file_that_is_named(rig: Rig, session: Path, tmp_path: Path) -> None:
    place = tmp_path / "mine.html"
    assert documents(rig, session, "--to", place)[0]["file"] == str(place)
    assert place.is_file()
    assert not (session / "report.html").exists()


def test_the_browser_opens_the_page_that_was_written(rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(report_module.webbrowser, "open", opened.append)
    rig("report", session, "--open")
    assert opened == [(session / "report.html").absolute().as_uri()]


def test_a_broken_session_has_a_page_that_says_what_to_do(rig: Rig, session: Path) -> None:
    truncate_journal(session)
    (found,) = documents(rig, session)
    assert found["verdict"] == "bad"
    assert "rig recover" in Path(found["file"]).read_text(encoding="utf-8")


def test_a_journal_without_a_header_has_a_page_too(rig: Rig, session: Path) -> None:
    (session / "journal.jsonl").write_bytes(b"no journal\n")
    (found,) = documents(rig, session)
    assert (found["verdict"], found["session"]) == ("bad", None)
    assert "no report can be made" in Path(found["file"]).read_text(encoding="utf-8")


def test_a_running_session_is_told_from_a_broken_one(rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truncate_journal(session)
    monkeypatch.setattr(control_socket, "running", lambda: [(session, {"ok": True, "folder": str(session)})])
    (found,) = documents(rig, session)
    assert found["verdict"] != "bad"
    assert "still running" in Path(found["file"]).read_text(encoding="utf-8")


def real(session: Path, data: Path, name: str) -> Path:
    """A copy of a session as one of a real subject."""
    place = data / name / "2026-11-21" / "001"
    shutil.copytree(session, place)
    journal = place / "journal.jsonl"
    lines = [json.loads(raw) for raw in journal.read_bytes().splitlines()]
    lines[0] |= {
        "simulated": False,
        "model": None,
        "subject": name,
        "facts": {"weight_g": 24.5},
        "start": "2026-11-21T09:00:00+00:00",
    }
    bare = ({key: value for key, value in line.items() if key != "crc"} for line in lines)
    journal.write_bytes(b"".join(map(sealed_json, bare)))
    return place


def test_a_subject_is_reported_over_its_days(rig: Rig, session: Path, data: Path) -> None:
    real(session, data, "M1")
    assert rig("subject", "set", "M1", "--species", "mouse", "--by", "ada").status == 0
    rig("subject", "note", "M1", "a <b>bit</b> slow", "--by", "ada")
    (found,) = documents(rig, "--subject", "M1")
    assert found["file"] == str(data / "reports" / "subject_M1.html")
    markup = Path(found["file"]).read_text(encoding="utf-8")
    page = check_safe(markup)
    for said in ("M1", "mouse", "2026-11-21/001", "free_water", "24.5", "a <b>bit</b> slow", "ada"):
        assert said in page.text
    assert "SIMULATED" not in page.text


def test_a_virtual_subject_is_reported_apart(rig: Rig, session: Path, data: Path) -> None:
    (found,) = documents(rig, "--subject", "W1", "--sim")
    assert found["file"] == str(data / "reports" / "virtual_W1.html")
    assert "SIMULATED" in Path(found["file"]).read_text(encoding="utf-8")


def test_a_day_has_all_boxes_and_lines_to_sign(rig: Rig, session: Path, data: Path) -> None:
    for name in ("M1", "M2"):
        real(session, data, name)
    broken = real(session, data, "M3")
    (broken / "journal.jsonl").write_bytes(b"no journal\n")
    note = Remark(text="<script>beam</script> cleaned")
    append_events(data / "M2", [note], "ada", datetime.datetime(2026, 11, 21, 12).astimezone())
    (found,) = documents(rig, "--day", "2026-11-21")
    assert [(each["subject"], each["session"]) for each in found["sessions"]] == [
        (name, "2026-11-21/001") for name in ("M1", "M2", "M3")
    ]
    assert found["verdict"] == "bad"
    page = check_safe(Path(found["file"]).read_text(encoding="utf-8"))
    assert page.names.count("h1") == 1
    for said in (
        "Saturday, 2026-11-21",
        "M3",
        "unreadable",
        "technician, date",
        "<script>beam</script> cleaned",
        "24.5 g",
        "Simulated sessions",
        "W1",
    ):
        assert said in page.text


def test_a_day_calls_a_box_as_rig_toml_does(
    rig: Rig, session: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real(session, data, "M1")
    monkeypatch.setenv("RIG_BOXES", "box a=rigs/sim_nose_ports.yaml")
    (found,) = documents(rig, "--day", "2026-11-21")
    assert "box a" in check_safe(Path(found["file"]).read_text(encoding="utf-8")).text


def test_a_day_without_a_session_says_who_had_none(rig: Rig, session: Path, data: Path) -> None:
    real(session, data, "M1")
    (found,) = documents(rig, "--day", "2026-11-22")
    text = FoundMarkup(Path(found["file"]).read_text(encoding="utf-8")).text
    assert "No real session is recorded." in text
    assert "No session on this day" in text


def test_a_folder_that_only_looks_like_a_day_spoils_no_report(rig: Rig, session: Path, data: Path) -> None:
    real(session, data, "M1").parent.rename(data / "M1" / "2026-02-31")
    (found,) = documents(rig, "--day", "2026-11-21")
    assert found["sessions"] == []
    assert len(documents(rig, "--subject", "M1")) == 1


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_one_folder_that_cannot_be_read_spoils_no_report_of_a_day(rig: Rig, session: Path, data: Path) -> None:
    real(session, data, "M1")
    (data / "M2").mkdir()
    (data / "M2" / "2026-11-21").symlink_to(data / "M2" / "2026-11-21")  # a circle
    (found,) = documents(rig, "--day", "2026-11-21")
    assert [each["subject"] for each in found["sessions"]] == ["M1"]
    assert any("M2: " in reason["text"] and "cannot be read" in reason["text"] for reason in found["reasons"])


def test_of_many_simulated_sessions_some_are_read_and_the_others_counted(
    rig: Rig, session: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(day, "MOST_SIMULATED", 1)
    for number in ("002", "003"):
        shutil.copytree(session, session.parent / number)
    (found,) = documents(rig, "--day", "2026-11-21")
    text = FoundMarkup(Path(found["file"]).read_text(encoding="utf-8")).text
    assert "sessions without a real subject, and 2 more" in text
    assert "2026-11-21/002" not in text


def test_a_subject_s_page_has_so_many_columns_of_shares_and_no_more(rig: Rig, session: Path, data: Path) -> None:
    place = real(session, data, "M1") / "summary.json"
    summary = json.loads(place.read_text(encoding="utf-8"))
    names = [f"share{number}" for number in range(1000)]
    place.write_text(json.dumps({**summary, "completed": 1, "shares": dict.fromkeys(names, 0.5)}), encoding="utf-8")
    (found,) = documents(rig, "--subject", "M1")
    text = FoundMarkup(Path(found["file"]).read_text(encoding="utf-8")).text
    assert "share23" in text
    assert "share24" not in text


def test_the_folder_of_reports_is_no_subject(rig: Rig, session: Path, data: Path) -> None:
    real(session, data, "M1")
    documents(rig, "--subject", "M1")
    assert [line.split()[0] for line in rig("subject", "list").out.splitlines()[1:]] == ["M1"]
    assert "reports" in rig("subject", "add", "reports", "--species", "mouse", "--by", "ada").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "nowhere: is no session"),
        (("{session}", "--subject", "W1"), "SESSION and --subject: give one of them"),
        (("--subject", "W1", "--day"), "--subject and --day: give one of them"),
        (("{session}", "--sim"), "--sim: belongs to --subject"),
        (("--day", "yesterday"), "--day yesterday: is no day: wanted YYYY-MM-DD"),
        (("--subject", "M9"), "has no subject 'M9'"),
        (("--subject", "W1"), "add --sim"),
        (("{session}", "--to", "missing/page.html"), "there is no folder missing"),
        (("{session}", "{session}", "--to", "page.html"), "is one file, and 2 sessions are given"),
        (("{session}", "--to", "{session}/journal.jsonl"), "wanted a name that ends in .html"),
    ],
)
def test_a_wrong_line_says_what_would_be_right(rig: Rig, session: Path, words: tuple[str, ...], said: str) -> None:
    answer = rig("report", *(word.format(session=session) for word in words))
    assert answer.status == 2
    assert said in answer.err
