"""Folders and files that fail: one clear line, the right status, nothing lost, nothing half written, no lock held."""

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.codec import sealed
from rig.session.subject_folder import SubjectFolder
from tests.cli.conftest import BANDIT, Rig, Said

SIM = ("sim", *BANDIT, "--subject", "M1")
ON_FILES = ("replay", "recover", "analyze")
Refuse = Callable[..., None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Let the system refuse what is done to paths of a name; that holds for root too, who may do anything."""

    def refuse(name: str, *calls: str, error: int = errno.EACCES) -> None:
        def refusing(function: Any) -> Any:
            def call(*arguments: Any, **options: Any) -> Any:
                path = os.fspath(arguments[0]) if isinstance(arguments[0], str | os.PathLike) else ""
                if Path(path).name in (name, f".{name}.new"):
                    raise OSError(error, os.strerror(error), path)
                return function(*arguments, **options)

            return call

        for call in calls:
            module = io if call == "open" else os
            monkeypatch.setattr(module, call, refusing(getattr(module, call)))

    return refuse


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def one_line(answer: Said, status: int, *said: str) -> None:
    assert answer.status == status, answer
    assert len(answer.err.splitlines()) == 1, answer.err
    for text in said:
        assert text in answer.err


# --- no session is begun --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["M1", "2026-11-21", "001"])
def test_a_folder_that_may_not_be_made_is_named_and_no_session_is_begun(
    rig: Rig, data: Path, refuse: Refuse, name: str
) -> None:
    refuse(name, "mkdir")
    one_line(rig(*SIM), 2, str(data / "sim" / "M1"), "Permission denied")
    assert not list(data.rglob("journal.jsonl"))


def test_a_read_only_folder_of_a_subject_is_found_out_before_the_session(
    rig: Rig, session: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    one_line(rig(*SIM), 2, str(data / "sim" / "M1"), "Permission denied", "--data")
    one_line(rig("subject", "rebuild", "M1", "--sim"), 2, str(data / "sim" / "M1"))
    assert [path.name for path in session.parent.iterdir()] == ["001"]
    monkeypatch.undo()
    with SubjectFolder(data, "M1", simulated=True):
        pass  # the lock was let go of


@pytest.mark.parametrize("error", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EIO])
def test_facts_that_cannot_be_written_leave_no_session_behind(rig: Rig, data: Path, refuse: Refuse, error: int) -> None:
    refuse("environment.json", "open", error=error)
    one_line(rig(*SIM), 2, "environment.json", os.strerror(error))
    assert not list(data.glob("sim/M1/2026-11-21*"))


def test_a_session_of_today_that_cannot_be_read_is_not_counted_as_nothing(
    real: Rig, data: Path, refuse: Refuse
) -> None:
    assert real("2026-11-21T09:00").status == 0
    refuse("journal.jsonl", "open")
    answer = real("2026-11-21T10:00")
    assert answer.status == 2
    assert str(data / "M1" / "2026-11-21" / "001") in answer.err
    assert "cannot be read: Permission denied" in answer.err


def test_a_state_that_may_not_be_read_is_not_made_again_by_the_advice(rig: Rig, session: Path, refuse: Refuse) -> None:
    refuse("state.json", "open")
    answer = rig(*SIM)
    one_line(answer, 2, "state.json", "Permission denied")
    assert "rebuild" not in answer.err


def test_a_folder_that_is_gone_is_said_before_anything_else(child: Callable[..., Any], tmp_path: Path) -> None:
    code = "import os, sys; os.rmdir(os.getcwd()); from rig.cli.main import main; sys.exit(main())"
    (tmp_path / "gone").mkdir()
    command = [sys.executable, "-c", code, *SIM]
    done = subprocess.run(command, cwd=tmp_path / "gone", capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("the folder that rig was started in is not there any more")


# --- a session that has run -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["trials.csv", "summary.json"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES])
def test_tables_that_cannot_be_written_are_status_1_with_the_summary_and_what_makes_them_again(
    rig: Rig, data: Path, refuse: Refuse, monkeypatch: pytest.MonkeyPatch, name: str, error: int
) -> None:
    refuse(name, "open", error=error)
    answer = rig(*SIM, "--json")
    folder = data / "sim" / "M1" / "2026-11-21" / "001"
    said = f"{folder / name}: cannot be written: {os.strerror(error)}"
    one_line(answer, 1, said, f"the journal is kept, `rig recover {folder}` makes the tables")
    (summary,) = json.loads(answer.out)["sessions"]
    assert (summary["reason"], summary["trials"]) == ("fault", 19)
    assert said in summary["detail"]
    monkeypatch.undo()
    assert not list(folder.glob("*.new"))
    assert rig("recover", folder).status == 0
    assert {"trials.csv", "summary.json"} <= {path.name for path in folder.iterdir()}
    assert rig("replay", folder).status == 0


def test_a_session_whose_end_the_disk_refuses_is_a_crash_and_no_journal_that_somebody_has_cut(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def refusing(fd: int, raw: bytes) -> int:
        if b'"k":"footer"' in raw:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, raw)

    monkeypatch.setattr(os, "write", refusing)
    assert rig(*SIM).status == 1
    monkeypatch.undo()
    folder = data / "sim" / "M1" / "2026-11-21" / "001"
    assert not (folder / "summary.json").exists()
    assert rig("recover", folder).status == 0
    assert (folder / "summary.json").exists()
    assert json.loads((folder / "recovery.json").read_text())["damaged"] == 0


# --- journals that cannot be used -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ON_FILES)
def test_a_journal_that_may_not_be_read_is_named(rig: Rig, session: Path, refuse: Refuse, command: str) -> None:
    refuse("journal.jsonl", "open")
    one_line(rig(command, session), 2, f"{session / 'journal.jsonl'}: cannot be read: Permission denied")
    refuse("journal.jsonl", "stat")  # as in a folder that may not be entered
    one_line(rig(command, session), 2, str(session), "cannot be read: Permission denied")


@pytest.mark.parametrize("command", ON_FILES)
def test_a_journal_of_another_format_is_refused_by_all_and_left_as_it_is(rig: Rig, session: Path, command: str) -> None:
    path = session / "journal.jsonl"
    first, *others = path.read_bytes().splitlines(keepends=True)
    body = first.rpartition(b',"crc":')[0].replace(b'"format":3', b'"format":1')
    path.write_bytes(b"".join((sealed(body), *others)))
    before = files(session)
    one_line(rig(command, session), 2, f"{path}: the journal's format is 1, this program reads 3")
    assert files(session) == before


def test_a_recovery_that_finds_no_room_changes_nothing_and_is_done_the_next_time(
    rig: Rig, session: Path, refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = session / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    (session / "trials.csv").unlink()
    refuse("trials.csv", "open", error=errno.ENOSPC)
    one_line(rig("recover", session), 2, "trials.csv: cannot be written: No space left on device")
    monkeypatch.undo()
    assert not list(session.glob(".*"))
    assert rig("recover", session).status == 0
    assert (session / "trials.csv").exists()
    assert (session / "journal.torn").read_bytes().count(b"footer") == 1


@pytest.mark.parametrize("option", ["--figures", "--ngram"])
def test_an_analysis_that_finds_no_room_leaves_no_half_file(
    rig: Rig, session: Path, tmp_path: Path, refuse: Refuse, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("protocols.two_armed_bandit.analysis.landscape.SESSIONS", 2)
    name = {"--figures": "80-20_position.png", "--ngram": "words.json"}[option]
    place = tmp_path if option == "--figures" else tmp_path / name
    before = set(tmp_path.iterdir())
    refuse(name, "replace", "open", error=errno.ENOSPC)
    one_line(rig("analyze", session, option, place), 2, name, "No space left on device")
    written = set(tmp_path.iterdir()) - before  # the figures that came first
    assert tmp_path / name not in written
    assert all(path.read_bytes().endswith(b"IEND\xaeB`\x82") for path in written)


def test_a_rebuilt_state_leaves_out_no_session_that_it_cannot_see(rig: Rig, session: Path, data: Path) -> None:
    before = (data / "sim" / "M1" / "state.json").read_bytes()

    there = os.listdir

    def unseen(path: Any) -> Any:
        if Path(path).name != "M1":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return there(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "listdir", unseen)
        one_line(rig("subject", "rebuild", "M1", "--sim"), 2, "2026-11-21: cannot be read: Permission denied")
    assert (data / "sim" / "M1" / "state.json").read_bytes() == before
