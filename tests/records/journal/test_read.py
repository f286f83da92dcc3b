"""Reading journals: every line is checked, and what cannot be trusted is named."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal import codec
from rig.core.journal.codec import parse_line, sealed
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note, TrialLine
from rig.records.journal import read as module
from rig.records.journal.read import (
    JOURNAL,
    MAX_LISTED,
    DamagedLine,
    TornLine,
    iter_lines,
    journal_of,
    of_kind,
    read_ends,
    read_journal,
    rows_of,
    scan_journal,
    undamaged_lines,
)
from tests.records.journals import Book, put


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    for n in range(6):
        book.line("note", t_us=n, text=f"number {n}")
    book.footer()
    return book


def test_a_whole_journal_is_read_line_by_line(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    assert read_journal(session) == read_journal(session / JOURNAL) == book.lines
    found = scan_journal(session / JOURNAL)
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert found.footer == book.lines[-1]


def test_the_lines_of_a_journal_are_given_before_its_end_is_judged(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw, b"torn")
    lines = undamaged_lines(session)
    assert [next(lines) for _ in book.raw] == book.lines
    with pytest.raises(RecordError, match="torn"):
        next(lines)


def test_a_journal_without_a_footer_is_read_too(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw[:-1])
    assert read_journal(session) == book.lines[:-1]
    assert scan_journal(session / JOURNAL).footer is None


@pytest.mark.parametrize("left", [1, 20, -1])
def test_a_torn_last_line_is_refused_and_its_bytes_are_counted(tmp_path: Path, book: Book, left: int) -> None:
    torn = book.raw[-1][:left]
    session = put(tmp_path, book.raw[:-1], torn)
    found = scan_journal(session / JOURNAL)
    assert (len(found.lines), found.damage, found.torn_bytes) == (7, [], len(torn))
    with pytest.raises(RecordError) as refused:
        read_journal(session)
    assert str(refused.value) == (
        f"{session / JOURNAL}: the last line is torn ({len(torn)} bytes)\nrun `rig recover {session}` first"
    )


def test_a_damaged_line_is_named_by_its_number_and_the_others_are_kept(tmp_path: Path, book: Book) -> None:
    lines = list(book.raw)
    lines[3] = lines[3].replace(b"number 2", b"number 7")
    session = put(tmp_path, lines)
    found = scan_journal(session / JOURNAL)
    assert found.damage == [DamagedLine(4, "its checksum does not fit")]
    assert found.lines == book.lines[:3] + book.lines[4:]
    with pytest.raises(
        RecordError, match=r"journal\.jsonl:4: its checksum does not fit\na damaged line cannot be made good"
    ):
        read_journal(session)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_one_changed_byte_anywhere_is_noticed_and_costs_no_other_line(
    tmp_path_factory: pytest.TempPathFactory, place: int, flip: int
) -> None:
    book = Book()
    book.header()
    for n in range(6):
        book.line("note", t_us=n, text="abc")
    data = bytearray(b"".join(book.raw))
    place %= len(data)
    data[place] ^= flip
    session = put(tmp_path_factory.mktemp("session"), bytes(data))
    found = scan_journal(session / JOURNAL)
    assert found.damage or found.torn_bytes
    assert all(line in book.lines for line in found.lines)
    joined = data.count(b"\n") < 7  # a newline that is gone takes the line behind it along
    assert len(found.lines) >= (5 if joined else 6) - bool(found.torn_bytes and not joined)
    hit = data[:place].count(b"\n") + 1
    assert all(hit <= item.line <= hit + 1 for item in found.damage)
    with pytest.raises(RecordError):
        read_journal(session)


def test_a_line_end_of_another_system_inside_a_damaged_line_does_not_shift_the_numbers(
    tmp_path: Path, book: Book
) -> None:
    lines = list(book.raw)
    lines[1] = lines[1].replace(b"number", b"num\rer")
    lines[5] = lines[5].replace(b"number", b"cumber")
    session = put(tmp_path, lines)
    assert [item.line for item in scan_journal(session / JOURNAL).damage] == [2, 6]


def test_of_a_file_full_of_damage_only_the_first_lines_are_listed(tmp_path: Path) -> None:
    with pytest.raises(RecordError) as refused:
        read_journal(put(tmp_path, b"what is this\n" * 100))
    said = str(refused.value).splitlines()
    assert len(said) == MAX_LISTED + 2
    assert said[-2].endswith("and 80 more lines")
    found = scan_journal(tmp_path / JOURNAL)
    assert (len(found.damage), found.damaged) == (MAX_LISTED, 100)


def test_what_is_sealed_and_still_no_line_is_damage(tmp_path: Path) -> None:
    session = put(tmp_path, sealed(b"[1"), sealed(b'{"seq":0'), sealed(b'{"seq":"0","k":"note","t":0'))
    assert len(scan_journal(session / JOURNAL).damage) == 3


def test_missing_lines_are_noticed(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw[:2], book.raw[4:])
    found = scan_journal(session / JOURNAL)
    assert found.damage == [DamagedLine(3, "line 2 should come here, found 4")]
    assert len(found.lines) == 6
    with pytest.raises(RecordError, match=r":3: line 2 should come here, found 4"):
        read_journal(session)


def test_lines_in_another_order_or_twice_are_noticed(tmp_path: Path, book: Book) -> None:
    swapped = [*book.raw[:2], book.raw[3], book.raw[2], *book.raw[4:]]
    assert scan_journal(put(tmp_path / "swapped", swapped) / JOURNAL).damage
    assert scan_journal(put(tmp_path / "twice", book.raw[:3], book.raw[2:]) / JOURNAL).damage == [
        DamagedLine(4, "line 3 should come here, found 2")
    ]


def test_a_gap_behind_a_damaged_line_is_not_said_twice(tmp_path: Path, book: Book) -> None:
    lines = list(book.raw)
    lines[2] = b"rubbish\n"
    assert scan_journal(put(tmp_path, lines) / JOURNAL).damage == [DamagedLine(3, "no checksum at its end")]


def test_an_empty_journal_holds_nothing(tmp_path: Path) -> None:
    session = put(tmp_path, b"")
    found = scan_journal(session / JOURNAL)
    assert (found.lines, found.damage, found.torn_bytes, found.footer) == ([], [], 0, None)
    with pytest.raises(RecordError, match="has no header line: nothing can be made of it"):
        read_journal(session)


def test_a_journal_that_does_not_begin_with_its_header_is_refused(tmp_path: Path) -> None:
    book = Book()
    book.line("note", text="hello")
    with pytest.raises(RecordError, match="has no header line"):
        read_journal(put(tmp_path, book.raw))


def test_a_journal_whose_header_is_missing_is_refused(tmp_path: Path, book: Book) -> None:
    with pytest.raises(RecordError, match=r"journal\.jsonl:1: line 0 should come here, found 1"):
        read_journal(put(tmp_path, book.raw[1:]))


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_what_is_no_session_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordError, match=rf"{name}: is no session: it has no journal\.jsonl"):
        journal_of(tmp_path / name)


def test_a_path_may_be_the_session_or_its_journal(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    assert journal_of(session) == journal_of(session / JOURNAL) == session / JOURNAL


@pytest.mark.parametrize(
    "raw", [b"", b"{}", b'{"seq":0}', b'{"seq":0,"crc":"00000000"}', b'{"seq":0,"crc":"0000000"}', b"\xff\xfe"]
)
def test_a_line_without_its_checksum_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="checksum"):
        parse_line(raw)


def test_a_sealed_line_is_parsed(book: Book) -> None:
    assert [parse_line(line.rstrip(b"\n")) for line in book.raw] == list(enumerate(book.lines))


def test_rows_are_the_trial_lines_without_the_journals_own_fields(book: Book) -> None:
    book.trial(1, t_in=0.5)
    book.trial(2, reward_ul=2.5)
    assert rows_of(book.lines) == [
        {"trial": 1, "t_in": 0.5, "note": None, "reward_ul": None},
        {"trial": 2, "t_in": None, "note": None, "reward_ul": 2.5},
    ]
    assert len(list(of_kind(book.lines, Note))) == 6


def test_a_journal_is_given_line_by_line_with_its_damage_where_it_is(tmp_path: Path, book: Book) -> None:
    raw = [*book.raw[:2], b"rubbish\n", *book.raw[3:5], book.raw[6], b'{"seq":']
    path = put(tmp_path, raw) / JOURNAL
    found = list(iter_lines(path))
    good = [item for item in found if not isinstance(item, DamagedLine)]
    assert good == [*book.lines[:2], *book.lines[3:5], book.lines[6]]
    assert [item for item in found if isinstance(item, DamagedLine)] == [
        DamagedLine(3, "no checksum at its end"),
        DamagedLine(6, "line 5 should come here, found 6"),
        TornLine(7, "the last line is torn (7 bytes)", sum(map(len, raw)) - 7, 7),
    ]


def test_of_the_kinds_that_nobody_wants_damage_is_reported_all_the_same(tmp_path: Path, book: Book) -> None:
    footer = book.lines[-1]
    book.raw[3] = book.raw[3].replace(b"number 2", b"number 7")
    path = put(tmp_path, book.raw) / JOURNAL
    assert list(iter_lines(path, Footer)) == [DamagedLine(4, "its checksum does not fit"), footer]


@pytest.mark.parametrize("extra", ["header", "footer", "note"])
def test_what_comes_where_it_cannot_come_is_damage(tmp_path: Path, book: Book, extra: str) -> None:
    add: dict[str, Callable[[], None]] = {
        "header": book.header,
        "footer": book.footer,
        "note": lambda: book.line("note"),
    }
    add[extra]()
    found = scan_journal(put(tmp_path, book.raw) / JOURNAL)
    assert found.damage == [DamagedLine(9, "it comes after the footer")]
    assert found.footer == book.lines[7]


def test_a_second_header_is_damage(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.header(columns=["other"])
    book.trial(1)
    found = scan_journal(put(tmp_path, book.raw) / JOURNAL)
    assert found.damage == [DamagedLine(2, "only the first line can be a header")]
    assert [type(line) for line in found.lines] == [Header, TrialLine]


def test_a_row_without_the_columns_of_its_table_is_damage(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.line("trial", trial=1)
    book.line("row", table="days", n=1)
    damage = scan_journal(put(tmp_path, book.raw) / JOURNAL).damage
    assert [item.line for item in damage] == [2, 3]


def test_a_line_that_is_too_long_is_damage_and_is_never_held_whole(
    tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 600)
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", 600)
    long = sealed(b'{"seq":2,"k":"note","t":0,"what":"' + b"x" * 5000 + b'"')
    found = scan_journal(put(tmp_path, book.raw[:2], long, book.raw[3:]) / JOURNAL)
    assert found.damage == [DamagedLine(3, "it is longer than 600 bytes")]
    assert found.lines == [*book.lines[:2], *book.lines[3:]]
    torn = scan_journal(put(tmp_path / "torn", book.raw[:2], long[:-1]) / JOURNAL)
    assert (torn.damage, torn.torn_bytes) == ([], len(long) - 1)


def test_the_longest_line_may_have_the_line_end_of_another_system(
    tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = max(map(len, book.raw)) - 1
    monkeypatch.setattr(module, "MAX_LINE_BYTES", longest)
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", longest)
    raw = b"".join(book.raw).replace(b"\n", b"\r\n")
    assert scan_journal(put(tmp_path, raw) / JOURNAL).lines == book.lines


def test_the_ends_are_read_alone(tmp_path: Path, book: Book) -> None:
    path = put(tmp_path, book.raw[:1], b"rubbish\n" * 100_000, book.raw[-1]) / JOURNAL
    found = read_ends(path)
    assert (found.header, found.last, found.footer) == (book.lines[0], book.lines[-1], book.lines[-1])


@pytest.mark.parametrize(
    ("data", "header", "last"),
    [(b"", False, False), (b"\n", False, False), (b"x" * 100_000, False, False), (b"\n" * 100_000, False, False)],
)
def test_ends_that_cannot_be_trusted_are_none(tmp_path: Path, data: bytes, header: bool, last: bool) -> None:
    found = read_ends(put(tmp_path, data) / JOURNAL)
    assert (found.header is not None, found.last is not None) == (header, last)


def test_the_end_of_a_torn_journal_is_not_known(tmp_path: Path, book: Book) -> None:
    found = read_ends(put(tmp_path, book.raw[:3], b'{"seq"') / JOURNAL)
    assert (found.header, found.last, found.footer) == (book.lines[0], None, None)


def test_a_pipe_in_the_place_of_a_journal_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / JOURNAL)
    for look in (read_ends, scan_journal):
        with pytest.raises(RecordError, match="is no file"):
            look(tmp_path / JOURNAL)
