"""The NWB file of an aligned session has its times on both clocks, the mappings, and the frames of cameras."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pynwb import NWBFile

from rig.cli.main import main
from rig.core.journal.kinds import StateLine
from rig.core.model.rows import TRIAL_TABLE
from rig.records.alignments.alignment import alignments_of
from rig.records.track.positions import PositionsFile, Sample
from tests.export.nwb.exported import columns_of, exported, made, read_file
from tests.records.alignment_files import put_alignment, put_frames
from tests.records.journals import Book


def fill(book: Book) -> None:
    book.write(StateLine(500_000, "ready"))
    book.write(StateLine(2_000_000, "choose"))
    book.note(10_000_000, "in a piece")
    book.note(25_000_000, "in the gap")
    for trial, t_in in enumerate((1.5, 22.0, None), start=1):
        book.row(31_000_000 + trial, TRIAL_TABLE, {"trial": trial, "t_in": t_in})


@pytest.fixture
def session(tmp_path: Path) -> Path:
    session = made(tmp_path, columns=("trial", "t_in"), fill=fill)
    put_alignment(session, "probe")
    return session


def tables(file: NWBFile) -> dict[str, Any]:
    found = {table.name: columns_of(table) for table in (file.trials, file.intervals["states"])}
    return {**found, **{name: columns_of(table) for name, table in file.events.items()}}


def test_intervals_and_events_have_both_clocks(session: Path) -> None:
    found = read_file(exported(session), tables)
    probe = alignments_of(session)["probe"]
    checked = {"trials": ("start_time", "stop_time", "t_in"), "states": ("start_time", "stop_time"), "log": ()}
    for name, columns in checked.items():
        for column in columns or ("timestamp",):
            times = np.array(found[name][column])
            np.testing.assert_allclose(found[name][f"{column}_probe"], probe.to_other(times * 1e6), atol=1e-9)
    assert np.isnan(found["trials"]["t_in_probe"]).tolist() == [False, True, True]


def test_the_file_has_the_mapping_itself(session: Path) -> None:
    def read(file: NWBFile) -> tuple[str, str]:
        return file.scratch["alignments"].data, file.notes

    text, notes = read_file(exported(session), read)
    found = json.loads(text)["probe"]
    assert found["columns"] == "_probe"
    assert found["residual_us"] == 29.6
    assert [piece["from_us"] for piece in found["pieces"]] == [1e6, 30e6]
    assert "29.6 us" in notes


def test_a_clock_that_never_ran_beside_gives_no_columns(session: Path) -> None:
    put_alignment(session, "probe", {"from_us": 9e12, "to_us": 9.1e12, "offset_s": 0.0, "rate": 1.0})
    found = read_file(exported(session), tables)
    assert not [name for columns in found.values() for name in columns if "probe" in name]


def test_frames_are_events(session: Path) -> None:
    put_frames(session, "camera.ttl", "7,,0", "8,2000000,1", "10,2020000,0")

    def read(file: NWBFile) -> tuple[dict[str, list[Any]], str]:
        table = file.events["frames_camera_ttl"]
        return columns_of(table), table.description

    found, text = read_file(exported(session), read)
    assert found["timestamp"] == [2.0, 2.02]
    assert found["frame"] == [8, 10]
    assert found["edge"] == [True, False]
    assert found["timestamp_probe"] == pytest.approx([1001.00002, 1001.0200204])
    assert "camera.ttl" in text


def test_positions_have_their_times_on_the_other_clock(session: Path) -> None:
    PositionsFile(session).append([Sample(900_000 + 100_000 * n, n, 0.0, 0.0, n) for n in range(5)])

    def read(file: NWBFile) -> tuple[list[float], float, float]:
        series = file.processing["behavior"]["position_time_probe"]
        return series.data[:].tolist(), series.rate, series.starting_time

    times, rate, start_s = read_file(exported(session), read)
    np.testing.assert_allclose(times, [np.nan, 1000.0, 1000.100002, 1000.200004, 1000.300006], atol=1e-9)
    assert (round(rate, 6), start_s) == (10, 0.9)


def test_a_broken_alignment_is_told_and_the_file_is_written(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put_alignment(session, "broken", content="[]")
    words = ["--species", "mouse", "--sex", "female", "--age", "P90D", "--to", str(session / "out.nwb")]
    assert main(["export", "nwb", str(session), *words]) == 0
    output = capsys.readouterr()
    assert "broken.json" in output.err
    assert "incomplete" not in output.out
    notes = read_file(session / "out.nwb", lambda file: file.notes)
    assert "broken.json" in notes
    assert str(session) not in notes
    assert "timestamp_probe" in read_file(session / "out.nwb", tables)["log"]
