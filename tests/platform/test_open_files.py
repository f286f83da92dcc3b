"""Windows moves no file that is open: nothing that the program moves or replaces is open in the program itself."""

import os
import sys
from pathlib import Path

import pytest

from rig.maintenance.valves.bursts import Burst
from rig.maintenance.valves.partial_file import PartialFile
from rig.platform.files import move_path
from rig.session.run.journal_file import JOURNAL, Recorder
from rig.system.atomic_files import append_atomic, write_atomic, write_new
from tests.platform.open_files import keep_open_files_in_place

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the files that a program has open")


@pytest.fixture(autouse=True)
def windows_files(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_open_files_in_place(monkeypatch)


def test_the_rule_refuses_an_open_file_and_the_folder_around_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with (folder / "file").open("w"):
        for change in (
            lambda: move_path(folder, tmp_path / "new"),
            lambda: move_path(tmp_path / "other", folder / "file"),
            (folder / "file").unlink,
        ):
            with pytest.raises(PermissionError):
                change()
    move_path(folder, tmp_path / "new")
    assert (tmp_path / "new" / "file").is_file()


def test_files_are_written_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert write_new(path, "a\n")
    append_atomic(path, b"b\n", synced=True)
    assert path.read_bytes() == b"a\nb\n"
    for options in ({"synced": True}, {"shared": True}, {"private": True}):
        write_atomic(path, "c\n", **options)
    assert os.listdir(tmp_path) == ["file"]


def test_a_calibration_is_set_aside_while_it_is_locked(tmp_path: Path) -> None:
    plan = {"date": "2026-11-24", "bursts": [[20_000, 100]]}
    with PartialFile(tmp_path / "left.partial.jsonl", plan) as file:
        file.open()
        file.add(0, Burst(20_000, 100), 110.5)
        aside = file.set_aside("stopped")
    assert aside is not None
    assert aside.is_file()


def test_a_journal_that_goes_on_is_published(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b'{"line":1}\n')
    recorder = Recorder(tmp_path, synced=True, kept=b'{"line":1}\n')
    recorder.append(b'{"line":2}\n')
    recorder.publish()
    recorder.append(b'{"line":3}\n')
    recorder.close()
    recorder.discard()
    assert (tmp_path / JOURNAL).read_bytes().count(b"\n") == 3
    assert {path.name for path in tmp_path.iterdir()} == {JOURNAL, "journal.part1.jsonl"}


def test_a_journal_that_does_not_go_on_is_removed(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, synced=False, kept=b'{"line":1}\n')
    recorder.close()
    recorder.discard()
    assert list(tmp_path.iterdir()) == []
