"""Tables of edges as other programs write or damage them: the same edges, or refused with what would be right."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.align.readers.csv_file import read_csv
from rig.align.readers.options import ReadOptions
from rig.align.recording import checked
from rig.core.errors import ConfigError, RecordError

TIMES = [12.527413, 12.6, 13.0345, 14.25, 1015.75, 1016.125]
LEVELS = [1, 0, 1, 0, 1, 0]
WORDS = ("False", "True")

Made = tuple[bytes | str, ReadOptions]


def table(
    separator: str = ",",
    head: str = "time,level",
    time: Callable[[float], str] = str,
    level: Callable[[int], str] = str,
    end: str = "\n",
    before: str = "",
) -> str:
    """A table of the edges; ``before`` stands before each row."""
    heads = [head.replace(",", separator)] if head else []
    rows = (f"{before}{time(at)}{separator}{level(to)}" for at, to in zip(TIMES, LEVELS, strict=True))
    return end.join([*heads, *rows]) + end


def comma(time: float) -> str:
    """A time with a decimal comma."""
    return str(time).replace(".", ",")


def iso(time: float, form: str = "2026-11-21T{h:02}:{m:02}:{s}+01:00", zero_s: int = 8 * 3600) -> str:
    """A time as a date, with 7 digits behind the second."""
    whole, part = divmod(round(time * 1e7), 10**7)
    minutes, seconds = divmod(int(whole) + zero_s, 60)
    return form.format(h=minutes // 60, m=minutes % 60, s=f"{seconds:02}.{part:07}")


def grouped(mark: str) -> Callable[[float], str]:
    """Times with separators of thousands."""
    return lambda time: f"{time:,}".replace(",", mark)


def row_numbers(separator: str) -> str:
    """The table with numbers before its rows, which its header does not name."""
    head, *rows = table(separator, '"time","level"').splitlines()
    return "\n".join([head, *(f"{number}{separator}{row}" for number, row in enumerate(rows, 1))]) + "\n"


BOTH = ReadOptions(time="1", level="2")
LEVEL = ReadOptions(level="2")
EDGES: dict[str, Made] = {
    "comma": (table(), ReadOptions()),
    "semicolon": (table(";"), ReadOptions()),
    "tab": (table("\t"), ReadOptions()),
    "bar": (table("|"), ReadOptions()),
    "space": (table(" "), ReadOptions()),
    "two spaces": (table("  "), ReadOptions()),
    "comma and space": (table(", "), ReadOptions()),
    "German": (table(";", time=comma), ReadOptions()),
    "German, no header": (table(";", "", comma), BOTH),
    "German with tabs": (table("\t", time=comma), ReadOptions()),
    "German with spaces": (table(" ", "", comma), BOTH),
    "German, quoted": (table(time=lambda time: f'"{comma(time)}"'), ReadOptions()),
    "German levels": (table(";", time=comma, level=lambda level: f"{level},0"), ReadOptions()),
    "German words": (table(";", time=comma, level=lambda level: ("FALSCH", "WAHR")[level]), ReadOptions()),
    "UTF-16": (table("\t").encode("utf-16"), ReadOptions()),
    "UTF-16, German": (table("\t", time=comma).encode("utf-16"), ReadOptions()),
    "UTF-16 without a mark": (table().encode("utf-16-le"), ReadOptions()),
    "UTF-16 of a Mac": (table().encode("utf-16-be"), ReadOptions()),
    "UTF-32": (table().encode("utf-32"), ReadOptions()),
    "byte order mark": (table().encode("utf-8-sig"), ReadOptions()),
    "byte order mark, no header": (table(head="").encode("utf-8-sig"), BOTH),
    "a name in Latin-1": (table(head="time,level,für").encode("latin-1"), ReadOptions()),
    "lines of Windows": (table(end="\r\n"), ReadOptions()),
    "lines of an old Mac": (table(end="\r"), ReadOptions()),
    "no last line end": (table().rstrip(), ReadOptions()),
    "sep= of Excel": ("sep=;\n" + table(";"), ReadOptions()),
    "sep= of Excel, German": ("sep=;\r\n" + table(";", time=comma, end="\r\n"), ReadOptions()),
    "header in capitals": (table(head="Time,LEVEL"), ReadOptions()),
    "header with spaces": (table(head=" time , level "), ReadOptions()),
    "header quoted": (table(head='"time","level"'), ReadOptions()),
    "header as a comment": ("# " + table(), ReadOptions()),
    "a unit in the header": (table(head="time (ms),level", time=lambda time: f"{time * 1e3:.3f}"), ReadOptions()),
    "a unit in brackets": (table(head="Time [us],level", time=lambda time: f"{time * 1e6:.0f}"), ReadOptions()),
    "a Greek unit": (table(head="time (µs),level", time=lambda time: f"{time * 1e6:.0f}"), ReadOptions()),
    "a Greek unit in Latin-1": (
        table(head="time (µs),level", time=lambda time: f"{time * 1e6:.0f}").encode("latin-1"),
        ReadOptions(),
    ),
    "a row of units": (table(head="time,level\nms,-", time=lambda time: f"{time * 1e3:.3f}"), ReadOptions()),
    "milliseconds by the option": (table(time=lambda time: f"{time * 1e3:.3f}"), ReadOptions(unit="ms")),
    "columns by name with a unit": (table(head="T (s),TTL"), ReadOptions(time="T (s)", level="TTL")),
    "columns by name without it": (table(head="T (s),TTL"), ReadOptions(time="t", level="ttl")),
    "no header": (table(head=""), LEVEL),
    "no header, a word first": (table(head="", before="ttl1,"), ReadOptions(time="2", level="3")),
    "no header, a word between": (table(",ttl1,", ""), ReadOptions(time="1", level="3")),
    "numbers as names": (table(head="0,1", before="").replace("0,1", "time,1", 1), LEVEL),
    "True and False": (table(level=lambda level: WORDS[level]), ReadOptions()),
    "true and false": (table(level=lambda level: WORDS[level].lower()), ReadOptions()),
    "on and off": (table(level=lambda level: ("off", "on")[level]), ReadOptions()),
    "high and low": (table(level=lambda level: ("Low", "HIGH")[level]), ReadOptions()),
    "rising and falling": (table(level=lambda level: ("falling", "rising")[level]), ReadOptions()),
    "+1 and -1": (table(level=lambda level: ("-1", "+1")[level]), ReadOptions()),
    "levels as floats": (table(level=lambda level: f"{level}.0"), ReadOptions()),
    "empty columns": (table(head="time,level,,").replace("\n", ",,\n"), ReadOptions()),
    "empty lines": (table(end="\n\n"), ReadOptions()),
    "empty rows at the end": (table() + ",\n,\n", ReadOptions()),
    "comments between": (table(end="\n# seen\n"), ReadOptions()),
    "thousands": (table(";", time=grouped(",")), ReadOptions()),
    "thousands with spaces": (table(time=grouped("\u202f")), ReadOptions()),
    "thousands of the Swiss": (table(time=grouped("'")), ReadOptions()),
    "thousands in quotes": (table(time=lambda time: f'"{time:,}"'), ReadOptions()),
    "exponents": (table(time=lambda time: f"{time:.9e}"), ReadOptions()),
    "a line of several": (table(before="3,", head="line,time,level"), ReadOptions(where=("line", "3"))),
    "a line as a float": (table(before="3.0,", head="line,time,level"), ReadOptions(where=("line", "3"))),
    "levels with two decimals": (table(level=lambda level: f"{level}.00"), ReadOptions()),
    "levels with exponents": (table(level=lambda level: f"{level:.7e}"), ReadOptions()),
    "minutes": (table(head="time (min),level", time=lambda time: f"{time / 60:.9f}"), ReadOptions()),
    "days, as Excel counts them": (table(time=lambda time: f"{time / 86400:.12f}"), ReadOptions(unit="d")),
    "write.table of R": (row_numbers(" "), ReadOptions()),
    "write.table of R, with tabs": (row_numbers("\t"), ReadOptions()),
    "samples beside seconds": (table(before="7,", head="sample_number,time,level"), ReadOptions()),
    "a level first": (
        "level,time\n" + "".join(f"{b},{a}\n" for a, b in zip(TIMES, LEVELS, strict=True)),
        ReadOptions(),
    ),
}
"""The same edges in other forms."""

DATES: dict[str, Made] = {
    "Bonsai": (table(" ", "", iso, lambda level: WORDS[level]), BOTH),
    "Bonsai with commas": (table(",", "", iso, lambda level: WORDS[level]), BOTH),
    "with a header": (table(time=iso), ReadOptions()),
    "with a space": (table(time=lambda time: iso(time, "2026-11-21 {h:02}:{m:02}:{s}")), ReadOptions()),
    "in UTC": (table(time=lambda time: iso(time, "2026-11-21T{h:02}:{m:02}:{s}Z")), ReadOptions()),
    "with a decimal comma": (table(";", time=lambda time: iso(time).replace(".", ",")), ReadOptions()),
    "a time of day": (table(time=lambda time: iso(time, "{h:02}:{m:02}:{s}")), ReadOptions()),
    "over midnight, with dates": (
        table(
            time=lambda time: (
                iso(time, "2026-11-21T{h:02}:{m:02}:{s}", 86_400 - 900)
                if time < 900
                else iso(time - 900, "2026-11-22T{h:02}:{m:02}:{s}", 0)
            )
        ),
        ReadOptions(),
    ),
    "another zone in winter": (
        table(
            time=lambda time: iso(time) if time < 1000 else iso(time, "2026-11-21T{h:02}:{m:02}:{s}+00:00", 7 * 3600)
        ),
        ReadOptions(),
    ),
}
"""Times as dates: their distances are the same."""

REFUSED: dict[str, tuple[bytes | str, ReadOptions, str]] = {
    "decimal commas": (table(time=comma), ReadOptions(), "csv:2: has 3 columns, and the first line names 2: .*decimal"),
    "decimal commas, no header": (
        table(head="", time=comma),
        BOTH,
        "csv:1: is 12,527413 one number, with a decimal",
    ),
    "one column of them": (
        "".join(f"{at:.6f}\n".replace(".", ",") for at in TIMES),
        ReadOptions(),
        "is 12,527413 one number, with a decimal comma",
    ),
    "point and comma": (
        table(";", time=lambda time: comma(time) if time < 14 else str(time)),
        ReadOptions(),
        "with a decimal point .* and with a comma",
    ),
    "either thousands or decimals": (
        "time;level\n12,527;1\n13,034;0\n14,250;1\n",
        ReadOptions(),
        "csv:2: time '12,527': 12,527 is 12527 or 12.527: write it without the comma",
    ),
    "a gap": (table().replace("13.0345", ""), ReadOptions(), "csv:4: time ''"),
    "NaN": (table().replace("13.0345", "NaN"), ReadOptions(), "csv:4: time 'NaN': is no number"),
    "an error of Excel": (table().replace("13.0345", "#N/A"), ReadOptions(), "csv:4: time '#N/A'"),
    "hashes of Excel": (table().replace("13.0345", "########"), ReadOptions(), "csv:4: time '########'"),
    "a torn row": (table()[:-3], ReadOptions(), "csv:7: has 1 columns; wanted at least 2|level ''"),
    "a row without an end": (table() + '"1017', ReadOptions(), "is no table of text"),
    "rows turned round": ("time,level\n2,1\n1,0\n", ReadOptions(), "is before that of edge"),
    "twice": (table() + table(head=""), ReadOptions(), "edge 7: its time, .* is before that of edge 6"),
    "three levels": (table().replace(",0\n", ",-1\n", 1), ReadOptions(), "levels 1, 0 and -1: wanted two"),
    "volts": (table(level=lambda level: f"{3.3 * level}"), ReadOptions(), "csv:2: level '3.3': wanted 1 or 0"),
    "no such line": (
        table(before="3,", head="line,time,level"),
        ReadOptions(where=("line", "5")),
        "no row has '5' in the column of --where: there is 3",
    ),
    "a column twice": (
        table(head="time,time"),
        ReadOptions(),
        r"has the columns time \(1\) and time \(2\): choose one by its number",
    ),
    "two columns of times": (
        table(before="0.5,", head="time,timestamp,level"),
        ReadOptions(),
        r"has the columns time \(1\) and timestamp \(2\): choose one by its number, --time N",
    ),
    "levels without times": (table(head="level,other"), ReadOptions(), "which column has the times"),
    "samples without a rate": (
        table(head="sample,level"),
        ReadOptions(),
        "csv: sample: --unit samples: needs the rate",
    ),
    "a date that is lost": (
        table(time=lambda time: iso(time)[0 if time < 14 else 11 :]),
        ReadOptions(),
        "csv:5: time .* has no date, unlike the first time: wanted a time",
    ),
    "a zone that is lost": (
        table(time=lambda time: iso(time)[: None if time < 14 else -6]),
        ReadOptions(),
        "csv:5: time .* has no zone, unlike the first time: wanted a time",
    ),
    "zeros at the end": (table() + "\0" * 512, ReadOptions(), "has only zeros from byte .* not saved to its end"),
    "an unknown unit": (table(head="time (10us),level"), ReadOptions(), "the times are in '10us': .* --unit one of"),
    "three lines of names": (
        "a,b\nc,d\n" + table(),
        ReadOptions(),
        "csv:2: has no number and no time: wanted one",
    ),
    "a word for a time": (table(head="", before="ttl1,"), ReadOptions(), "time 'ttl1': .*--time COLUMN names"),
    "seconds alone": (
        table(time=lambda time: iso(time, "{m}:{s}")),
        ReadOptions(),
        "wanted a date such as 2026-11-21T09:00:12.527",
    ),
    "American dates": (
        table(time=lambda time: iso(time, "11/21/2026 {h}:{m:02}:{s}")),
        ReadOptions(),
        "is no number",
    ),
    "dates with a unit": (table(time=iso), ReadOptions(unit="ms"), "leave out --unit"),
    "minutes of 61": ("2026-11-21T09:61:00,1\n2026-11-21T09:62:00,0\n", BOTH, "is no time of a day"),
    "a workbook": (b"PK\x03\x04\x14\x00\x06\x00\x08", ReadOptions(), "is a workbook: save its sheet as CSV"),
    "no text": (b"\x00\x01\x02\x80" * 40, ReadOptions(), "is no table of text"),
    "empty": (b"", ReadOptions(), "is empty"),
    "only a mark": (b"\xff\xfe", ReadOptions(), "is empty"),
    "only a header": ("time,level\n", ReadOptions(), "no edges"),
    "half of a UTF-16": (table().encode("utf-16")[:-3], ReadOptions(), "csv:7: level"),
    "an underscore": (table().replace("1015.75", "1_015.75"), ReadOptions(), "csv:6: time '1_015.75'"),
}
"""What would give other edges is refused."""


def read(folder: Path, content: bytes | str, options: ReadOptions) -> Any:
    path = folder / "events.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return checked(read_csv(path, options))


@pytest.mark.parametrize("form", EDGES)
def test_the_same_edges_are_read_from_every_form(form: str, tmp_path: Path) -> None:
    found = read(tmp_path, *EDGES[form])
    assert found.times_s == pytest.approx(TIMES, abs=1e-6)
    assert found.levels.tolist() == LEVELS


@pytest.mark.parametrize("form", DATES)
def test_dates_are_read_to_a_quarter_of_a_microsecond(form: str, tmp_path: Path) -> None:
    found = read(tmp_path, *DATES[form])
    assert np.diff(found.times_s) == pytest.approx(np.diff(TIMES), abs=5e-7)
    assert found.levels.tolist() == LEVELS


def test_a_date_is_seconds_since_1970(tmp_path: Path) -> None:
    found = read(tmp_path, "2026-11-21T09:00:12.5270010+01:00 True\n2026-11-21T09:00:13+01:00 False\n", BOTH)
    assert found.times_s == pytest.approx([1795248012.527001, 1795248013.0], abs=5e-7)


@pytest.mark.parametrize("form", REFUSED)
def test_what_would_give_other_edges_is_refused(form: str, tmp_path: Path) -> None:
    content, options, why = REFUSED[form]
    with pytest.raises((ConfigError, RecordError)) as refused:
        read(tmp_path, content, options)
    assert re.search(why, str(refused.value))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("frame\n5.0\n6.0\n7.0\n", [5, 6, 7]), ("frame;time\n5;0,5\n6;0,75\n", [5, 6]), ("frame\n65534\n65535\n", None)],
)
def test_frame_numbers_are_whole_also_as_floats(text: str, numbers: list[int] | None, tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text(text)
    found = read_csv(tmp_path / "events.csv", ReadOptions())
    assert found.numbers is not None
    assert found.numbers.tolist() == (numbers or [65534, 65535])


@pytest.mark.parametrize(("name", "hint"), [("level", ""), ("Value", "The column value has levels")])
def test_a_column_that_may_be_the_level_is_named(name: str, hint: str, tmp_path: Path) -> None:
    assert read(tmp_path, table(head=f"time,{name}"), ReadOptions()).hint.partition(",")[0] == hint


def test_times_that_were_rounded_are_named(tmp_path: Path) -> None:
    found = read(tmp_path, table(time=lambda time: f"{time:.0f}"), ReadOptions())
    assert found.hint.startswith("3 of 6 edges have the same time as the edge before")


@pytest.mark.parametrize("head", ["Frame Number,Time Stamp", "frame-id,time", "FRAME,Timestamp"])
def test_names_of_columns_may_have_spaces_and_capitals(head: str, tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text(f"{head.replace('Time Stamp', 'timestamp')}\n7,0.5\n8,0.75\n")
    found = read_csv(tmp_path / "events.csv", ReadOptions())
    assert found.numbers is not None
    assert (found.numbers.tolist(), found.times_s.tolist()) == ([7, 8], [0.5, 0.75])
