"""The tables of an aligned session have each time on both clocks; what cannot be read is named, and left out."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.cli.main import main
from rig.core.model.rows import TRIAL_TABLE
from rig.export.load import Session, load
from rig.records.alignments.alignment import NAME, Mapping, Piece
from rig.records.tables.other_clocks import OtherClocks
from tests.export.recorded import played, save
from tests.harness import run_harness
from tests.records.alignment_files import put_alignment, put_frames
from tests.rules.test_breaks_of_each_protocol import CASES


def loaded(session: Path) -> Session:
    found = load(session)
    assert isinstance(found, Session)
    return found


@pytest.fixture
def aligned(tmp_path: Path) -> Path:
    session = save(tmp_path, played("two_armed_bandit"))
    put_alignment(session, "probe-1.a")
    put_frames(session, "camera.ttl", "7,,0", "8,2000000,1", "10,2020000,0")
    return session


def on_probe(times_s: Sequence[float] | pd.Series) -> list[float]:
    """Return what the clock of `put_alignment` shows, NaN where it is not known."""
    spans = ((1.0, 20.0, 1000.0), (30.0, 3600.0, 1040.0))
    return [
        next((offset + 1.00002 * (t_s - start) for start, end, offset in spans if start <= t_s <= end), math.nan)
        for t_s in times_s
    ]


def test_each_time_is_there_on_both_clocks(aligned: Path) -> None:
    session = loaded(aligned)
    assert list(session.alignments) == ["probe-1.a"]
    for name, columns in {"edges": "t", "rewards": "t", "states": "start end", "spans": "start end"}.items():
        for column in columns.split():
            frame, other = session[name], f"{column}_probe_1_a_s"
            np.testing.assert_allclose(frame[other], on_probe(frame[f"{column}_s"]), atol=1e-9, equal_nan=True)
            told = session.descriptions[name][other]
            assert (told["kind"], told["unit"]) == ("number", "s")
            assert "probe-1.a" in told["text"]
            assert "29.6 us" in told["text"]
    assert session.edges.t_probe_1_a_s.isna().any()
    assert session.edges.t_probe_1_a_s.notna().any()
    assert "t_probe_1_a_s" in session.requests  # a table without rows has the column, too
    assert not any("probe" in column for column in session.health)


def test_the_times_of_the_protocol_are_converted_with_the_pauses(tmp_path: Path) -> None:
    case = CASES["two_armed_bandit"]
    asked = [(10.0, "pause"), (40.0, "resume")]
    harness = run_harness(case.spec, case.live(), *((at, lambda h, what=what: h.request(what)) for at, what in asked))
    folder = save(tmp_path, harness)
    put_alignment(folder, "probe")
    session = loaded(folder)
    times = [name for name in harness.spec.header.columns if name == "t" or name.startswith("t_")]
    assert times
    assert session.trials[times[0]].iloc[-1] > 10
    for name in times:
        other = session.trials[f"{name.removesuffix('_s')}_probe_s"]
        expected = on_probe(session.session_time_s(session.trials[name].astype(float)))
        np.testing.assert_allclose(other, expected, atol=1e-9, equal_nan=True)


def test_the_files_have_the_columns_of_the_frames(aligned: Path, tmp_path: Path) -> None:
    session = loaded(aligned)
    for kind in ("csv", "parquet"):
        assert main(["export", kind, str(aligned), "--to", str(tmp_path / "to")]) == 0
    for name in (TRIAL_TABLE, "edges", "frames_camera_ttl"):
        expected = session[name]
        read = pq.read_table(tmp_path / "to" / "M1_2026-11-21_001_parquet" / f"{name}.parquet").to_pandas()
        with (tmp_path / "to" / "M1_2026-11-21_001_csv" / f"{name}.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
        assert list(read.columns) == head == list(expected.columns)
        for column in (column for column in head if "probe" in column):
            place = head.index(column)
            cells = [float(row[place]) if row[place] else math.nan for row in rows]
            np.testing.assert_allclose(cells, expected[column], atol=1e-6, equal_nan=True)
            np.testing.assert_array_equal(read[column], expected[column])


def test_numbered_frames_are_a_table(aligned: Path) -> None:
    frames = loaded(aligned).frames_camera_ttl
    assert list(frames.frame) == [7, 8, 10]
    assert list(frames.edge) == [False, True, False]
    np.testing.assert_array_equal(frames.t_s, [math.nan, 2.0, 2.02])
    np.testing.assert_allclose(frames.t_probe_1_a_s, on_probe(frames.t_s), equal_nan=True)


def test_a_camera_s_frames_do_not_take_the_name_of_those_of_the_screen(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"))
    for channel in ("shown", "shown_", "a-b", "a.b"):
        put_frames(session, channel, "1,5,1")
    names = [name for name in loaded(session).table_names if name.startswith("frames_")]
    assert len(set(names)) == 4
    assert "frames_shown" not in names


def test_sessions_with_and_without_an_alignment_are_one_frame(tmp_path: Path) -> None:
    put_alignment(save(tmp_path, played("free_water"), number=1), "probe")
    save(tmp_path, played("free_water"), number=2)
    edges = load(tmp_path / "M1").edges
    assert edges.loc["M1", "2026-11-21/001"].t_probe_s.notna().any()
    assert edges.loc["M1", "2026-11-21/002"].t_probe_s.isna().all()


def test_a_broken_alignment_is_told_and_stops_nothing(
    aligned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_alignment(aligned, "broken", content="{")
    put_frames(aligned, "side", "0,1000,1", "1,x,1")
    session = loaded(aligned)
    assert list(session.alignments) == ["probe-1.a"]
    assert session.complete
    assert [Path(text.partition(": ")[0]).name for text in session.damage] == ["broken.json", "frames_side.csv"]
    assert "t_probe_1_a_s" in session.edges
    assert "frames_side" not in session.table_names
    assert main(["export", "csv", str(aligned), "--to", str(tmp_path / "to")]) == 0
    told = capsys.readouterr().err
    assert "broken.json" in told
    assert "frames_side.csv: line 3" in told


def test_numbers_that_are_no_times_have_none_on_the_other_clock() -> None:
    clocks = OtherClocks({"probe": Mapping("probe", [Piece(0.0, 1e12, 0.0, 1.0)], 1.0)})
    (column,) = clocks.columns({"t": [None, math.nan, math.inf, 10**400, 1e300, -1, 2]}, ())
    assert column.values == [None, None, None, None, None, None, 2.0]


@settings(max_examples=60)
@given(
    st.lists(st.from_regex(NAME, fullmatch=True) | st.sampled_from(["a.b", "a-b", "a_b", "time", "index"]), max_size=5),
    st.sampled_from(["", "_s"]),
    st.sets(st.sampled_from(["t", "t_s", "t_a_b", "t_a_b_s", "t_a_b__s", "start_time"])),
)
def test_each_name_gives_a_safe_column_that_is_no_other(names: list[str], ending: str, taken: set[str]) -> None:
    piece = Piece(0.0, 1e6, 0.0, 1.0)
    clocks = OtherClocks({name: Mapping(name, [piece], 1.0) for name in dict.fromkeys(names)})
    found = [column.name for column in clocks.columns({"t_s": [0.5], "start_time": [0.5]}, taken, ending)]
    assert len({*found} | taken) == 2 * len({*names}) + len(taken)
    assert all(name.isidentifier() and name.isascii() for name in found)
    assert not any(name.endswith(("_time", "_index")) for name in found)
