"""`rig report` writes one page, and says in one word what is to be thought of the records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rig.cli.records import report as report_module
from rig.report import day
from rig.system import control_socket
from tests.cli.conftest import Rig
from tests.cli.processes import without
from tests.cli.recorded_sessions import truncate_journal
from tests.journal_lines import sealed_json
from tests.report.found_markup import FoundMarkup

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


def test_the_browser_opens_the_page_that_was_written(rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(report_module.webbrowser, "open", opened.append)
    rig("report", session, "--open")
    assert opened == [(session / "report.html").absolute().as_uri()]


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
