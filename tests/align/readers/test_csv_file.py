"""Tables of text are read as people and programs write them; what would give other edges is refused with its line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from rig.align.readers.csv_file import read_csv
from rig.align.readers.format_names import FORMATS
from rig.align.readers.formats import READERS, format_of, read_recording
from rig.align.readers.options import ReadOptions
from rig.align.recording import Recording, checked
from rig.core.errors import ConfigError, RecordError

TIMES = [12.527413, 12.6, 13.0345, 14.25, 1015.75, 1016.125]
LEVELS = [1, 0, 1, 0, 1, 0]
TABLE = "time,level\n" + "".join(f"{time},{level}\n" for time, level in zip(TIMES, LEVELS, strict=True))
TABLES = yaml.safe_load(Path(__file__).with_name("tables.yaml").read_text(encoding="utf-8"))


def tables(kind: str) -> Iterator[Any]:
    """Yield the tables of a kind as parameters of a test."""
    for table in TABLES[kind]:
        yield pytest.param(table, id=table["case"])


def put(folder: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path = folder / "events.csv"
    path.write_bytes(content.encode(encoding) if isinstance(content, str) else content)
    return path


def read(folder: Path, table: Mapping[str, Any]) -> Recording:
    """Write a table, and read it."""
    path = put(folder, table["text"], table.get("encoding", "utf-8"))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - table.get("cut", 0)] + bytes(table.get("zeros", 0)))
    return checked(read_csv(path, ReadOptions(**table.get("options", {}))))


def levels_of(found: Recording) -> list[int] | None:
    return None if found.levels is None else found.levels.tolist()


@pytest.mark.parametrize("table", list(tables("same")))
def test_the_same_edges_are_read_from_every_form(table: Mapping[str, Any], tmp_path: Path) -> None:
    found = read(tmp_path, table)
    assert found.times_s == pytest.approx(TIMES, abs=1e-6)
    assert levels_of(found) == LEVELS


@pytest.mark.parametrize("table", list(tables("dates")))
def test_dates_are_read_to_a_quarter_of_a_microsecond(table: Mapping[str, Any], tmp_path: Path) -> None:
    found = read(tmp_path, table)
    assert np.diff(found.times_s) == pytest.approx(np.diff(TIMES), abs=5e-7)
    assert levels_of(found) == LEVELS


@pytest.mark.parametrize("table", list(tables("others")))
def test_the_forms_of_tables(table: Mapping[str, Any], tmp_path: Path) -> None:
    found = read(tmp_path, table)
    assert found.times_s == pytest.approx(np.array(table["times"]))
    assert levels_of(found) == table["levels"]


@pytest.mark.parametrize("table", list(tables("refused")))
def test_what_would_give_other_edges_is_refused(table: Mapping[str, Any], tmp_path: Path) -> None:
    with pytest.raises((ConfigError, RecordError), match=table["refused"]):
        read(tmp_path, table)


def test_a_row_without_an_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is no table of text"):
        read(tmp_path, {"text": "time\n1," + "9" * 200_000 + "\n"})


def test_a_date_is_seconds_since_1970(tmp_path: Path) -> None:
    text = "2026-11-21T09:00:12.5270010+01:00 True\n2026-11-21T09:00:13+01:00 False\n"
    found = read(tmp_path, {"text": text, "options": {"time": "1", "level": "2"}})
    assert found.times_s == pytest.approx([1795248012.527001, 1795248013.0], abs=5e-7)


@pytest.mark.parametrize(
    ("text", "numbers", "times"),
    [
        ("frame,timestamp_ms\n5,100\n6,110\n", [5, 6], [0.1, 0.11]),
        ("frame_id\n5\n6\n", [5, 6], [np.nan, np.nan]),
        ("frame\n5.0\n6.0\n7.0\n", [5, 6, 7], [np.nan] * 3),
        ("frame;time\n5;0,5\n6;0,75\n", [5, 6], [0.5, 0.75]),
        ("frame\n65534\n65535\n", [65534, 65535], [np.nan] * 2),
        ("Frame Number,timestamp\n7,0.5\n8,0.75\n", [7, 8], [0.5, 0.75]),
        ("frame-id,time\n7,0.5\n8,0.75\n", [7, 8], [0.5, 0.75]),
        ("FRAME,Timestamp\n7,0.5\n8,0.75\n", [7, 8], [0.5, 0.75]),
    ],
)
def test_frames_are_read_by_number_with_times_or_without(
    text: str, numbers: list[int], times: list[float], tmp_path: Path
) -> None:
    found = read_csv(put(tmp_path, text), ReadOptions())
    assert found.numbers is not None
    assert found.numbers.tolist() == numbers
    assert found.times_s == pytest.approx(times, nan_ok=True)


@pytest.mark.parametrize(("name", "hint"), [("level", ""), ("Value", "The column value has levels")])
def test_a_column_that_may_be_the_level_is_named(name: str, hint: str, tmp_path: Path) -> None:
    found = read(tmp_path, {"text": TABLE.replace("level", name)})
    assert found.hint.partition(",")[0] == hint


def test_times_that_were_rounded_are_named(tmp_path: Path) -> None:
    rows = "".join(f"{time:.0f},{level}\n" for time, level in zip(TIMES, LEVELS, strict=True))
    found = read(tmp_path, {"text": "time,level\n" + rows})
    assert found.hint.startswith("3 of 6 edges have the same time as the edge before")


def test_every_format_has_a_reader() -> None:
    assert tuple(READERS) == FORMATS


def test_the_format_follows_from_the_name_or_the_files(tmp_path: Path) -> None:
    assert format_of(put(tmp_path, "1\n")) == "csv"
    (tmp_path / "run_g0").mkdir()
    (tmp_path / "run_g0" / "run_g0_t0.nidq.meta").touch()
    assert format_of(tmp_path / "run_g0") == "spikeglx"
    (tmp_path / "oe" / "Record Node 101").mkdir(parents=True)
    assert format_of(tmp_path / "oe") == format_of(tmp_path / "oe" / "Record Node 101") == "open-ephys"
    unknown = tmp_path / "events.xyz"
    unknown.touch()
    with pytest.raises(ConfigError, match="--format"):
        format_of(unknown)
    with pytest.raises(ConfigError, match="no such file"):
        read_recording(tmp_path / "none.csv", None, ReadOptions())
