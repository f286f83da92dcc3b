"""Files that are there whole or not at all."""

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest

from rig import files
from rig.core.errors import RecordError
from rig.files import append_whole, why, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("synced", [True, False])
def test_a_file_is_written_and_written_over(tmp_path: Path, synced: bool) -> None:
    assert write_whole(tmp_path / "a", "é\n", synced=synced).read_bytes() == b"\xc3\xa9\n"
    assert write_whole(tmp_path / "a", b"\xff", synced=synced).read_bytes() == b"\xff"
    assert names(tmp_path) == ["a"]


def test_a_name_that_is_no_text_can_still_be_written_about(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "a", '"bad\udcff"').read_bytes() == b'"bad\\udcff"'


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_what_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write_whole(tmp_path / "a", "old")

    def fail(*args: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(RecordError, match=f"{tmp_path / 'a'}: cannot be written: No space left on device"):
        write_whole(tmp_path / "a", "new", synced=True)
    assert (names(tmp_path), (tmp_path / "a").read_text()) == (["a"], "old")


def test_a_folder_in_the_way_is_said_and_stays(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        write_whole(tmp_path / "a", "new")
    assert names(tmp_path) == ["a"]


def test_a_refusal_comes_with_what_may_help() -> None:
    assert "yours?" in why(PermissionError(errno.EACCES, "Permission denied"))
    assert why(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    assert why(OSError("odd")) == "odd"


def test_what_does_not_fit_as_a_whole_is_not_appended_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_whole(tmp_path / "a", b"one")
    append_whole(tmp_path / "a", b"two")

    class Full(io.FileIO):
        def write(self, raw: Any) -> int:
            return super().write(raw[:1])

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda path, mode, buffering: Full(path, mode))
        with pytest.raises(OSError, match="No space left"):
            append_whole(tmp_path / "a", b"three")
    assert (tmp_path / "a").read_bytes() == b"onetwo"
