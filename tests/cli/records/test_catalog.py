"""``rig catalog``, ``rig subject show`` and the subject's page tell running, broken and ended sessions apart."""

import json
from pathlib import Path

import pytest

from rig.cli.records import catalog as catalog_module
from rig.records.journal.read import JOURNAL
from rig.system import control_socket
from tests.cli.conftest import Rig
from tests.journal_lines import FOOTER, HEADER, journal_of, made
from tests.past_sessions import rewarded_rows, write_session

DAYS = {"running": 1, "broken": 2, "ended": 3, "fault": 4, "resumed": 5}


@pytest.fixture
def sessions(data: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """One session of each kind, of M1."""
    folders = {
        "running": write_session(data / "M1", 1, rows=rewarded_rows(1, 1), reason=None),
        "broken": write_session(data / "M1", 2, rows=rewarded_rows(1, 0, 1), reason=None),
        "ended": write_session(data / "M1", 3, rows=rewarded_rows(1)),
        "fault": write_session(data / "M1", 4, rows=rewarded_rows(1), reason="fault"),
        "resumed": write_session(data / "M1", 5),
    }
    lines = made("header", **HEADER), made("footer", 2, **FOOTER | {"counts": {"continued": 2}})
    (folders["resumed"] / JOURNAL).write_bytes(b"".join(journal_of(lines)))
    status = {"ok": True, "folder": str(folders["running"])}
    monkeypatch.setattr(control_socket, "running", lambda: [(Path("1.sock"), status)])
    monkeypatch.setenv("COLUMNS", "200")
    return folders


def ends(text: str) -> dict[str, str]:
    """Return the end of each session of a listing by the kind of the session."""
    kinds = {f"2026-11-{day:02d}/001": kind for kind, day in DAYS.items()}
    return {kinds[line.split()[1]]: line for line in text.splitlines()[1:]}


@pytest.mark.usefixtures("sessions")
def test_the_catalog_says_which_session_runs_broke_off_and_went_on(rig: Rig) -> None:
    found = ends(rig("catalog").out)
    said = {
        "running": "running",
        "broken": "no end: it broke off",
        "ended": "the time limit was reached",
        "fault": "a fault",
        "resumed": "the time limit was reached; it broke off 2 times and went on",
    }
    assert {kind: line.endswith(f"  {said[kind]}") for kind, line in found.items()} == dict.fromkeys(DAYS, True)
    assert [found[kind].split()[4] for kind in ("running", "broken")] == ["2", "3"], "the trials so far"


def test_a_running_session_is_no_failure_of_the_subject(
    rig: Rig, sessions: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = rig("subject", "show", "M1").out.splitlines()
    said = {day: next(line for line in shown if f"2026-11-{day:02d}/001" in line) for day in (1, 2)}
    assert said[1].endswith("; running")
    assert said[2].endswith("; no end: it broke off")
    monkeypatch.setattr(catalog_module.common, "now", lambda: catalog_module.datetime.datetime(2026, 11, 2, 9))
    (page,) = json.loads(rig("report", "--subject", "M1", "--json").out)
    texts = {reason["text"]: reason["severity"] for reason in page["reasons"]}
    assert texts["2026-11-01/001: is still running"] == "note"
    assert texts[f"2026-11-02/001: broke off without an end: `rig recover {sessions['broken']}`"] == "bad"
    written = Path(page["file"]).read_text(encoding="utf-8")
    assert (">running<" in written, ">no end<" in written, "not known" in written) == (True, True, False)
