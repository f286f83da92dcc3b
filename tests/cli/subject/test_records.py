"""Facts and events of an animal, from the command line."""

from pathlib import Path

import pytest
from filelock import FileLock

from rig.cli.subject import identity
from rig.core.journal.kinds import Facts, Renamed, SubjectEvent
from rig.platform.files import move_path
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
pytestmark = pytest.mark.usefixtures("morning")


def flat(text: str) -> str:
    return " ".join(text.split())


def refuse(*paths: Path) -> None:
    raise OSError(28, "No space left on device")


def kinds(folder: Path) -> list[type[SubjectEvent]]:
    return [type(line) for line in read_events(folder).lines]


def test_a_renaming_that_was_killed_is_completed_by_the_same_command(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr(identity, "move_path", refuse)
        assert rig("subject", "rename", "M1", "M7", "--reason", "so").status != 0
    assert rig("subject", "rename", "M1", "M7", "--reason", "so").status == 0
    assert kinds(data / "M7") == [Facts, Renamed]


def test_windows_renames_the_folder_when_its_lock_is_closed(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def move_unlocked(folder: Path, new: Path) -> None:
        with FileLock(folder / ".lock", timeout=0):  # a lock that is held refuses it
            move_path(folder, new)

    rig("subject", "add", "M1", *MOUSE)
    monkeypatch.setattr(identity, "MOVES_OPEN_FILES", False)
    monkeypatch.setattr(identity, "move_path", move_unlocked)
    assert rig("subject", "rename", "M1", "M7", "--reason", "so").status == 0
    assert kinds(data / "M7") == [Facts, Renamed]


def test_a_move_that_was_killed_is_told_at_the_start_and_in_the_report(
    rig: Rig, real: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = ("--set", "stop.max_rewards=1")
    assert real("2026-11-21T09:00", *once).status == 0
    rig("subject", "add", "M2", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr(
            "rig.session.reassign.move_path",
            refuse,
        )
        assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status != 0
    said = "the move of M1/2026-11-21/001 to M2 was interrupted: complete it with `rig session reassign"
    assert said in flat(rig("subject", "show", "M1").out)
    assert said in flat(rig("subject", "show", "M2").out)
    assert said in flat(real("2026-11-22T09:00", *once).err)
    assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status == 0
    assert "interrupted: complete" not in flat(rig("subject", "show", "M1").out)
