"""Tables of text are read as people write them; what is wrong is said with its line."""

from pathlib import Path

import numpy as np
import pytest

from rig.align.readers.csv_file import read_csv
from rig.align.readers.formats import format_of, read_recording
from rig.align.readers.options import ReadOptions
from rig.core.errors import ConfigError, RecordError


def put(folder: Path, text: str) -> Path:
    path = folder / "events.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "options", "times", "levels"),
    [
        ("1.5\n2.5\n", ReadOptions(), [1.5, 2.5], None),
        ("time\n1.5\n2.5\n", ReadOptions(), [1.5, 2.5], None),
        ("1.5 1\n2.5 0\n", ReadOptions(), [1.5, 2.5], None),
        ("1.5\t1\n2.5\t0\n", ReadOptions(level="2"), [1.5, 2.5], [1, 0]),
        ("# made by x\n\ntime_ms;state\n1500;on\n2500;off\n", ReadOptions(), [1.5, 2.5], [1, 0]),
        ("t_us,level\n1500000,rising\n2500000,falling\n", ReadOptions(), [1.5, 2.5], [1, 0]),
        ("Sample_Number,Level\n30000,1\n45000,0\n", ReadOptions(rate_hz=30_000), [1.0, 1.5], [1, 0]),
        ("a,b,c\n9,1500,3\n9,2500,4\n", ReadOptions(time="b", unit="ms"), [1.5, 2.5], None),
        ("time,line\n1,3\n2,4\n3,3\n", ReadOptions(where=("line", "3")), [1.0, 3.0], None),
        ("\ufefftime,level\r\n1,1\r\n2,0\r\n", ReadOptions(), [1.0, 2.0], [1, 0]),
        ('"time","level"\n"1","True"\n"2","False"\n', ReadOptions(), [1.0, 2.0], [1, 0]),
    ],
)
def test_the_forms_of_tables(
    tmp_path: Path, text: str, options: ReadOptions, times: list[float], levels: list[int] | None
) -> None:
    found = read_csv(put(tmp_path, text), options)
    assert found.times_s == pytest.approx(np.array(times))
    assert (None if found.levels is None else found.levels.tolist()) == levels


def test_frames_are_read_by_number_with_times_or_without(tmp_path: Path) -> None:
    found = read_csv(put(tmp_path, "frame,timestamp_ms\n5,100\n6,110\n"), ReadOptions())
    assert found.numbers is not None
    assert (found.numbers.tolist(), found.times_s.tolist()) == ([5, 6], [0.1, 0.11])
    found = read_csv(put(tmp_path, "frame_id\n5\n6\n"), ReadOptions())
    assert found.numbers is not None
    assert (found.numbers.tolist(), np.isnan(found.times_s).tolist()) == ([5, 6], [True, True])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", ReadOptions(), "is empty"),
        ("time\n1\nx\n", ReadOptions(), "events.csv:3: time 'x': x is no number"),
        ("time\n1\ninf\n", ReadOptions(), "events.csv:3: time 'inf'"),
        ("time,level\n1,1\n2,maybe\n", ReadOptions(), "events.csv:3: level 'maybe': wanted"),
        ("time,level\n1,1\n2\n", ReadOptions(), "events.csv:3: has 1 columns; wanted at least 2"),
        ("frame\n1\n1.5\n", ReadOptions(), "events.csv:3: frame number '1.5'"),
        ("a,b\n1,2\n", ReadOptions(), "which column has the times.*a, b"),
        ("a,b\n1,2\n", ReadOptions(time="c"), "no column 'c'; --time takes one of a, b, or a number from 1 to 2"),
        ("1,2\n", ReadOptions(level="3"), "no column '3'; --level takes a number from 1 to 2"),
        ("sample\n1\n", ReadOptions(), "--rate HZ"),
        ("time\n1," + "9" * 200_000 + "\n", ReadOptions(), "is no table of text"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, options: ReadOptions, message: str) -> None:
    with pytest.raises((ConfigError, RecordError), match=message):
        read_csv(put(tmp_path, text), options)


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
