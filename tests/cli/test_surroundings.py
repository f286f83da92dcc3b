"""Where and beside what a command runs: odd paths, poor environments, other sessions, clocks that lie."""

import errno
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.session.subject_folder import SubjectFolder
from tests.cli.conftest import BANDIT, Rig, rig_at

posix = pytest.mark.skipif(os.name == "nt", reason="names and terminals of POSIX")
SIM = ("sim", *BANDIT, "--subject", "M1")


@posix
@pytest.mark.parametrize(
    "name", ["with space", "é 中 🐭", "new\nline", "'\"$(x);*", "\x1b[31mred", "bad\udcff", "x" * 255, "-dash"]
)
def test_records_go_wherever_the_system_lets_them(rig: Rig, tmp_path: Path, name: str) -> None:
    answer = rig(*SIM, f"--data={tmp_path / name}", "--json")
    assert (answer.status, answer.err) == (0, "")
    session = Path(json.loads(answer.out)["sessions"][0]["folder"])
    for command in ("replay", "recover"):
        assert rig(command, session).status == 0
    assert rig("subject", "rebuild", "M1", "--sim", f"--data={tmp_path / name}").status == 0


@pytest.mark.parametrize("name", ["x" * 256, "/".join(["x" * 200] * 30)])
def test_a_path_longer_than_the_system_bears_is_refused(rig: Rig, tmp_path: Path, name: str) -> None:
    answer = rig(*SIM, "--data", tmp_path / name)
    assert answer.status == 2
    assert os.strerror(errno.ENAMETOOLONG) in answer.err
    assert rig("replay", tmp_path / name).status == 2


@posix
def test_a_locale_of_ascii_hides_no_path_and_breaks_no_output(
    child: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}.items():
        monkeypatch.setenv(name, value)
    for name in ("HOME", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "é"
    for words in ((*SIM, "--data", folder), ("analyze", folder / "sim", "--analysis", "sessions")):
        with child(*words) as it:
            _, err = it.communicate(timeout=60)
        assert (it.returncode, err) == (0, "")


@posix
def test_without_any_input_a_person_cannot_play(child: Callable[..., Any], data: Path) -> None:
    with child(
        "run", "two_armed_bandit", "--subject", "me", "--model", "keyboard", preexec_fn=lambda: os.close(0), stdin=None
    ) as it:
        _, err = it.communicate(timeout=30)
    assert it.returncode == 2
    assert "no terminal to poke from" in err
    assert not data.exists()


# --- others ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [SIM, ("run", *SIM[1:]), ("subject", "rebuild", "M1", "--sim")])
def test_a_subject_that_is_in_a_session_is_left_to_it(
    rig: Rig, session: Path, data: Path, words: tuple[str, ...]
) -> None:
    before = (data / "sim" / "M1" / "state.json").read_bytes()
    with SubjectFolder(data, "M1", simulated=True):
        answer = rig(*words)
    assert answer.status == 2
    assert "another session of 'M1' is running; wait for its end" in answer.err
    assert "recover" not in answer.err
    assert [path.name for path in session.parent.iterdir()] == ["001"]
    assert (data / "sim" / "M1" / "state.json").read_bytes() == before


@posix
def test_a_port_that_another_session_has_is_status_3_and_leaves_no_session(rig: Rig, data: Path) -> None:
    import pty

    from rig.boards.serial.transport import open_port

    master, terminal = pty.openpty()
    name = os.ttyname(terminal)
    rig_file = rig_at(data, name)
    try:
        with open_port(name, 115200):
            answer = rig(
                "run",
                "two_armed_bandit",
                "--rig",
                rig_file,
                "--subject",
                "M1",
                "--override",
                "weight=new",
                "--yes",
                "--new",
            )
    finally:
        os.close(master)
        os.close(terminal)
    assert answer.status == 3
    assert f"{name}: is busy: " in answer.err
    assert "has it; close that one first" in answer.err
    assert not list(data.glob("M1/2*"))


# --- clocks ---------------------------------------------------------------------------------------------------


def test_a_clock_on_the_wall_that_jumps_changes_no_byte_of_a_session(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rig(*SIM, "--data", data / "true").status == 0
    jumps = iter(range(10**9))
    for clock in ("time", "time_ns"):
        monkeypatch.setattr(time, clock, lambda: 1e9 - 3600 * next(jumps))
    assert rig(*SIM, "--data", data / "jumping").status == 0
    for name in ("journal.jsonl", "trials.csv", "summary.json"):
        true, jumping = (data / place / "sim" / "M1" / "2026-11-21" / "001" / name for place in ("true", "jumping"))
        assert true.read_bytes() == jumping.read_bytes()


def test_a_clock_that_has_gone_back_a_day_puts_no_session_over_another(rig: Rig, session: Path, data: Path) -> None:
    before = (session / "journal.jsonl").read_bytes()
    for start in ("2026-11-20T09:00", "2026-11-21T09:00"):
        assert rig("sim", *BANDIT[:3], "--set", "stop.session_s=60", "--start", start, "--subject", "M1").status == 0
    assert (session / "journal.jsonl").read_bytes() == before
    journals = sorted(path.parent.relative_to(data / "sim" / "M1").as_posix() for path in data.rglob("journal.jsonl"))
    assert journals == ["2026-11-20/001", "2026-11-21/001", "2026-11-21/002"]
