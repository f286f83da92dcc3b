"""`rig self-test`: shipped sessions, a laboratory's sessions, and this computer."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rig.cli.self_test import self_test
from rig.diagnostics.computer_checks import Part
from rig.session.shipped_sessions import shipped_sessions
from tests.cli.conftest import Rig
from tests.past_sessions import write_session
from tests.session.test_replay_verdict import change_lines


@pytest.fixture(autouse=True)
def _computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that lacks a display."""
    parts = [Part("program", "ok", "rig"), Part("display", "missing", "none", "the window", "a desktop")]
    monkeypatch.setattr(self_test, "_parts", lambda folders, newest: iter(parts))


@pytest.fixture
def no_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no package shipped a session, for tests of a laboratory's."""
    monkeypatch.setattr(self_test, "shipped_sessions", dict)


def record(data: Path, subject: str, day: int, protocol: str = "free_water") -> Path:
    shipped = shipped_sessions()[protocol]
    assert shipped is not None
    folder = data / subject / f"2026-11-{day:02d}" / "001"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(shipped.read_bytes())
    return folder


def checks(rig: Rig, *words: Any, status: int = 0) -> list[dict[str, str]]:
    answer = rig("self-test", "--json", *words)
    assert (answer.status, answer.err) == (status, "")
    document = json.loads(answer.out)
    assert document["status"] == status
    return [row for row in document["checks"] if row["group"] != self_test.COMPUTER and row["what"] != "none"]


def test_each_shipped_session_decides_here_as_recorded(rig: Rig, tmp_path: Path) -> None:
    answer = rig("self-test", "--data", tmp_path)
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == self_test.SHIPPED
    assert [line.split()[1].rstrip(":") for line in lines[1 : len(shipped_sessions()) + 1]] == list(shipped_sessions())
    assert all(line.endswith(" decisions, the same") for line in lines[1 : len(shipped_sessions()) + 1])
    assert lines[-1] == "self-test: OK (0 errors, 0 warnings; 1 missing, each needed only for what it gives)"
    assert "          get it: a desktop" in lines


def test_a_shipped_session_that_differs_fails(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = record(tmp_path, "M1", 1) / "journal.jsonl"
    change_lines(journal, "header", lambda header: header["params"].update(reward_ul=4.0))
    monkeypatch.setattr(self_test, "shipped_sessions", lambda: {"free_water": journal, "ours": None})
    rows = checks(rig, "--last", 0, "--data", tmp_path, status=1)
    assert [row["verdict"] for row in rows] == ["error", "warning"]
    assert "decides otherwise" in rows[0]["text"]


@pytest.mark.usefixtures("no_shipped")
def test_the_last_sessions_of_each_folder_are_replayed(rig: Rig, tmp_path: Path) -> None:
    for subject, day in (("M1", 1), ("M1", 2), ("M2", 3), ("sim/V1", 4)):
        record(tmp_path / "a", subject, day)
    record(tmp_path / "b", "M9", 1, "risky_bandit")
    rows = checks(rig, "--data", tmp_path / "a", "--data", tmp_path / "b", "--last", 2)
    assert [row["what"] for row in rows] == [
        "M2/2026-11-03/001 free_water",
        "M1/2026-11-02/001 free_water",
        "sim/V1/2026-11-04/001 free_water",
        "M9/2026-11-01/001 risky_bandit",
    ]
    assert {row["verdict"] for row in rows} == {"ok"}


@pytest.mark.usefixtures("no_shipped")
def test_a_difference_to_the_same_version_fails_and_one_to_another_version_warns(rig: Rig, tmp_path: Path) -> None:
    import rig.session.recorded_code as recorded_code

    journal = record(tmp_path, "M1", 1) / "journal.jsonl"
    here = dict(recorded_code.installed_task("free_water").code)
    change_lines(journal, "header", lambda header: header["params"].update(reward_ul=4.0))
    change_lines(journal, "header", lambda header: header.update(code=here))
    (row,) = checks(rig, "--data", tmp_path, status=1)
    assert (row["verdict"], row["get"]) == ("error", f"rig replay {journal.parent}")
    change_lines(journal, "header", lambda header: header.update(code={"task.py": "0" * 64}))
    (row,) = checks(rig, "--data", tmp_path)
    assert row["verdict"] == "warning"


@pytest.mark.usefixtures("no_shipped")
def test_damage_and_older_formats_are_sentences(rig: Rig, tmp_path: Path) -> None:
    torn, older = (record(tmp_path, "M1", day) / "journal.jsonl" for day in (1, 2))
    torn.write_bytes(torn.read_bytes()[:-9])
    change_lines(older, "header", lambda header: header.update(format=2))
    (record(tmp_path, "M1", 3) / "journal.jsonl").write_bytes(b"\0\x1b[31m" * 1000)
    rows = checks(rig, "--data", tmp_path)
    assert [row["verdict"] for row in rows] == ["warning"] * 3
    assert "\x1b" not in rig("self-test", "--data", tmp_path).out


@pytest.mark.usefixtures("no_shipped")
def test_nothing_is_written_into_the_records(rig: Rig, tmp_path: Path) -> None:
    record(tmp_path, "M1", 1)
    write_session(tmp_path / "M2", 2)

    def state() -> list[tuple[str, int, int]]:
        paths = sorted(Path(folder, name) for folder, *rest in os.walk(tmp_path) for name in ("", *rest[0], *rest[1]))
        return [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in paths]

    before = state()
    checks(rig, "--data", tmp_path)
    assert state() == before


def test_a_folder_that_is_not_there_is_refused(rig: Rig, tmp_path: Path) -> None:
    answer = rig("self-test", "--data", tmp_path / "nowhere")
    assert (answer.status, answer.out) == (2, "")
    assert "there is no such folder" in answer.err
    assert rig("self-test", "--last", -1).status == 2


@pytest.mark.usefixtures("no_shipped")
def test_a_computer_on_which_no_session_can_run_has_status_3(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = Part("clock", "error", "yesterday", "sessions", "set it")
    monkeypatch.setattr(self_test, "_parts", lambda folders, newest: iter([part]))
    answer = rig("self-test", "--data", tmp_path)
    assert answer.status == 3
    assert answer.out.splitlines()[-1].startswith("self-test: FAILED (1 error")
