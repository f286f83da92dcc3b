"""The digest of a journal: other line ends change nothing, and all else is noticed."""

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.journal.header import Footer
from rig.records.journal import digest as module
from rig.records.journal.digest import OTHER_LINES, checksum
from rig.records.journal.read import JOURNAL, read_ends, read_journal
from rig.records.recorded_session import read_session
from rig.records.recover import recover
from rig.records.subject.deliveries import unknown_reason
from tests.records.journals import Book, put


def windows(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    book.trial(1)
    book.gave(1)
    return book


@pytest.fixture
def ended(book: Book) -> bytes:
    """The bytes of a session that gave a drop and ended."""
    book.footer(ul=2.5)
    return b"".join(book.raw)


@pytest.mark.parametrize("chunk", range(1, 9))
@pytest.mark.parametrize(
    ("raw", "counted"),
    [
        (b"ab\r\nc\r\n", b"ab\nc\n"),
        (b"ab\nc\r\n", b"ab\nc\n"),
        (b"\r\r\n\r", b"\r\n\r"),
        (b"a\rb\n\r", b"a\rb\n\r"),
    ],
)
def test_of_the_ends_of_lines_the_line_feed_alone_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, raw: bytes, counted: bytes
) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    (tmp_path / "file").write_bytes(raw + b"rest")
    assert checksum(tmp_path / "file", len(raw)) == zlib.crc32(counted)


def test_a_session_that_ended_is_whole_with_the_line_ends_of_windows(tmp_path: Path, ended: bytes) -> None:
    folder = put(tmp_path / "M1" / "2026-11-21" / "001", windows(ended))
    assert read_session(folder).damage == ()
    assert unknown_reason(folder) is None
    assert read_journal(folder) == read_journal(put(tmp_path / "plain", ended))


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b'"amount":2.5', b'"amount":1.5'),
        lambda raw: raw[: raw.index(b"\n") + 1] + raw[raw.index(b"\n", raw.index(b"\n") + 1) + 1 :],
        lambda raw: b"\r\n".join(raw.rsplit(b"\n", 2)[:2]) + b"\n",
    ],
    ids=["a byte", "a line less", "a second carriage return"],
)
def test_whatever_else_is_changed_is_damage_also_there(
    tmp_path: Path, ended: bytes, change: Callable[[bytes], bytes]
) -> None:
    folder = put(tmp_path / "M1" / "2026-11-21" / "001", windows(change(ended)))
    assert read_session(folder).damage != ()
    assert unknown_reason(folder) is not None


def test_good_lines_that_are_not_all_those_that_were_written_are_named(
    tmp_path: Path, ended: bytes, book: Book
) -> None:
    other = Book()
    other.header()
    other.trial(2)
    other.gave(1)
    folder = put(tmp_path / "M1" / "2026-11-21" / "001", other.raw, book.raw[-1])
    assert read_session(folder).damage == (OTHER_LINES,)
    assert unknown_reason(folder) == OTHER_LINES


def test_a_broken_session_with_the_line_ends_of_windows_is_recovered_whole(tmp_path: Path, book: Book) -> None:
    folder = put(tmp_path / "M1" / "2026-11-21" / "001", windows(b"".join(book.raw)))
    found = recover(folder)
    assert (found.damaged, found.torn_bytes) == (0, 0)
    plain = put(tmp_path / "M2" / "2026-11-21" / "001", book.raw)
    recover(plain)
    footers = [read_ends(each / JOURNAL).footer for each in (folder, plain)]
    assert footers[0] == footers[1]
    assert isinstance(footers[0], Footer)
    assert read_session(folder).damage == ()
    assert unknown_reason(folder) is None
