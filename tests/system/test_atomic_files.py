"""Files that are there whole or not at all."""

import errno
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import RecordError
from rig.system import atomic_files
from rig.system.atomic_files import append_atomic, os_error_text, read_errors, sync_folder, write_atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("synced", [True, False])
def test_a_file_is_written_and_written_over(tmp_path: Path, synced: bool) -> None:
    assert write_atomic(tmp_path / "a", "é\n", synced=synced).read_bytes() == b"\xc3\xa9\n"
    assert write_atomic(tmp_path / "a", b"\xff", synced=synced).read_bytes() == b"\xff"
    assert names(tmp_path) == ["a"]


def test_a_name_that_is_no_text_can_still_be_written_about(tmp_path: Path) -> None:
    assert write_atomic(tmp_path / "a", '"bad\udcff"').read_bytes() == b'"bad\\udcff"'


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_what_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write_atomic(tmp_path / "a", "old")

    def fail(*args: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic_files.os, step, fail)
    with pytest.raises(
        RecordError, match=f"{re.escape(str(tmp_path / 'a'))}: cannot be written: {os.strerror(errno.ENOSPC)}"
    ):
        write_atomic(tmp_path / "a", "new", synced=True)
    assert (names(tmp_path), (tmp_path / "a").read_text()) == (["a"], "old")


def test_two_programs_that_write_the_same_file_do_not_take_each_other_s_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, other = tmp_path / "a", os.replace, [os.getpid() + 1]

    def interrupted(source: Path, target: Path) -> None:
        if other:
            with monkeypatch.context() as second:
                second.setattr(atomic_files.os, "getpid", lambda: other.pop())
                write_atomic(path, "of the second program", shared=True)
        replace(source, target)

    monkeypatch.setattr(atomic_files.os, "replace", interrupted)
    write_atomic(path, "of the first program", shared=True)
    assert (names(tmp_path), path.read_text()) == (["a"], "of the first program")


def test_a_folder_in_the_way_is_said_and_stays(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        write_atomic(tmp_path / "a", "new")
    assert names(tmp_path) == ["a"]


def test_a_refusal_comes_with_what_may_help() -> None:
    assert "yours?" in os_error_text(PermissionError(errno.EACCES, "Permission denied"))
    assert os_error_text(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    assert os_error_text(OSError("odd")) == "odd"


def test_what_does_not_fit_as_a_whole_is_not_appended_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_atomic(tmp_path / "a", b"one")
    append_atomic(tmp_path / "a", b"two")

    class Full(io.FileIO):
        def write(self, raw: Any) -> int:
            return super().write(raw[:1])

    with monkeypatch.context() as patch:
        patch.setattr(io, "open", lambda path, mode, **how: Full(path, mode))
        with pytest.raises(OSError, match="No space left"):
            append_atomic(tmp_path / "a", b"three")
        with pytest.raises(OSError, match="No space left"):
            append_atomic(tmp_path / "new", b"one")
    assert (tmp_path / "a").read_bytes() == b"onetwo"
    assert names(tmp_path) == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="Windows gives links to administrators alone")
def test_nothing_is_written_through_a_link_that_lies_there(tmp_path: Path) -> None:
    other = tmp_path / "other"
    for name in (".a.new", "a", "b"):
        (tmp_path / name).symlink_to(other)
        other.write_text("another's")
    assert write_atomic(tmp_path / "a", "mine").read_text() == "mine"
    with pytest.raises(OSError, match="symbolic link"):
        append_atomic(tmp_path / "b", b"mine")
    assert other.read_text() == "another's"
    assert not (tmp_path / "a").is_symlink()


def test_what_can_not_be_read_is_named_as_the_system_names_it(tmp_path: Path) -> None:
    missing = r"here: cannot be read: .*(No such|not found|cannot find)"
    with pytest.raises(RecordError, match=missing), read_errors(tmp_path):
        (tmp_path / "here").stat()
    with pytest.raises(RecordError, match="there: cannot be read: Input/output error"), read_errors(tmp_path / "there"):
        raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such call")
def test_a_folder_that_cannot_be_synced_by_request_is_no_failure_and_a_broken_disk_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(number: int) -> Callable[[int], None]:
        def sync(descriptor: int) -> None:
            raise OSError(number, os.strerror(number))

        return sync

    monkeypatch.setattr(os, "fsync", refuse(errno.EINVAL))
    sync_folder(tmp_path)
    monkeypatch.setattr(os, "fsync", refuse(errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        sync_folder(tmp_path)
