"""The form of a table of text is found from what stands in it."""

import os
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.system.delimited_text import NO_SEPARATOR, TextForm, form_of, header_of, is_open_ended, rows_of


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"a,b\n1,2\n", TextForm("utf-8", ",", ".")),
        (b"a;b\n1,5;2\n", TextForm("utf-8", ";", ",")),
        (b"sep=;\na;b\n1,5;2\n", TextForm("utf-8", ";", ",", 1)),
        (b'"sep=|"\na|b\n1|2\n', TextForm("utf-8", "|", ".", 1)),
        (b"a\tb,c\n1\tx,y\n", TextForm("utf-8", "\t", ".")),
        (b"1,5 0\n2,25 1\n", TextForm("utf-8", " ", ",")),
        (b"12.5, 1\n13.5, 0\n", TextForm("utf-8", ",", ".")),
        (b"time\n1.5\n2.5\n", TextForm("utf-8", NO_SEPARATOR, ".")),
        (b"time\n1,5\n2,25\n3\n", TextForm("utf-8", NO_SEPARATOR, ",")),
        (b'a,b\n"x;y",1\n"z;w",2\n', TextForm("utf-8", ",", ".")),
        (b'12.5,1,"a;b"\n13.5,0,"c;d"\n', TextForm("utf-8", ",", ".")),
        (b"2026-11-21 09:00:12.5,True\n", TextForm("utf-8", ",", ".")),
        ("a\tb\n1\t2\n".encode("utf-16"), TextForm("utf-16", "\t", ".")),
        ("a,b\n1,2\n".encode("utf-16-be"), TextForm("utf-16-be", ",", ".")),
        ("a,b\n1,2\n".encode("utf-8-sig"), TextForm("utf-8-sig", ",", ".")),
    ],
)
def test_encoding_separator_and_decimal_mark_are_found(tmp_path: Path, content: bytes, form: TextForm) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    assert form_of(tmp_path / "t.csv") == form


def test_rows_have_their_lines_and_no_comments(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'# made by x\n\na, b\n1,"x\ny"\n,\n# no row\n#N/A,2\n')
    assert list(rows_of(path, form_of(path))) == [(3, ["a", "b"]), (5, ["1", "x\ny"]), (8, ["#N/A", "2"])]
    assert header_of(path) == ["a", "b"]


def test_a_long_table_is_judged_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("time;level\n" + "".join(f"{n},25;{n % 2}\n" for n in range(20_000)))
    form = form_of(path)
    assert form == TextForm("utf-8", ";", ",")
    assert sum(1 for _ in rows_of(path, form)) == 20_001


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04....", "is a workbook: save its sheet as CSV UTF-8"),
        (b"\xd0\xcf\x11\xe0....", "is a workbook"),
        (b"a,b\n1,\x00\n", "is no table of text: wanted one in UTF-8 or UTF-16"),
        (b"\x7fELF\x01\x02", "is no table of text"),
        (b"a;b\n1,5;2.5\n", "a decimal point .* and with a comma"),
    ],
)
def test_what_is_no_table_of_text_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(RecordError, match=why):
        form_of(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("content", "is_open"),
    [(b"a\n1\n", False), (b"a\r\n1\r\n", False), (b"a\n1", True), ("a\n1\n".encode("utf-16"), False)],
)
def test_a_last_line_without_its_end_is_seen(tmp_path: Path, content: bytes, *, is_open: bool) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    assert is_open_ended(tmp_path / "t.csv") == is_open


@pytest.mark.skipif(os.name != "posix", reason="pipes are files on POSIX")
def test_a_pipe_is_refused_before_it_blocks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="is a pipe or a device: save the table as a file"):
        form_of(tmp_path / "pipe")


def test_zeros_at_the_end_are_named_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n" + bytes(512))
    with pytest.raises(RecordError, match="has only zeros from byte 9 on: it was not saved to its end"):
        form_of(tmp_path / "t.csv")
