"""Lanes of sampled values: read from the files that a journal names, and drawn."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import asdict, replace

from rig.core.journal.kinds import SamplesLine
from rig.records.sampled.samples import SamplesFile, samples_path
from rig.views.sampled_values import MAX_SOURCES, ValueRow
from rig.window.session_feed import SessionFeed
from rig.window.theme import DARK
from tests.window.journals import DEVICES, RIG, SESSION, JournalWriter

WHEEL = {
    "kind": "encoder",
    "period_ms": 1.0,
    "scale": 0.5,
    "unit": "cm",
    "thresholds": {"far": {"above": 20, "below": 10}, "odd": {"above": "x", "below": 1e300}, "odder": 3},
}
WITH_WHEEL = {**SESSION, "rig": {**RIG, "devices": {**DEVICES, "wheel": WHEEL}}}


@pytest.fixture
def journal(tmp_path: Path) -> JournalWriter:
    return JournalWriter(tmp_path / "001" / "journal.jsonl", WITH_WHEEL)


def named(journal: JournalWriter, line: SamplesLine) -> None:
    journal.write("samples", line.t_us, **{name: value for name, value in asdict(line).items() if name != "t_us"})


def written(journal: JournalWriter, blocks: int, first: int = 0, source: str = "wheel") -> SamplesFile:
    """Write blocks of 500 values of a wheel that is turned one step in each millisecond."""
    file = SamplesFile(journal.path.parent, source)
    append(journal, file, blocks, first)
    return file


def append(journal: JournalWriter, file: SamplesFile, blocks: int, first: int) -> None:
    for block in range(first, first + blocks):
        named(journal, file.append([(1000 * n, n) for n in range(500 * block, 500 * (block + 1))]))


def row_of(feed: SessionFeed) -> ValueRow:
    feed.read(60)
    (row,) = feed.values.rows()
    return row


def extremes(row: ValueRow, *edges_s: float) -> list[list[float]]:
    return np.array(row.extremes(1e6 * np.array(edges_s))).T.tolist()


def test_values_are_shown_in_the_unit_of_the_rig_file_with_their_thresholds(journal: JournalWriter) -> None:
    written(journal, 2)
    row = row_of(SessionFeed(journal.path))
    assert (row.words, row.thresholds, row.problem) == ("wheel (cm)", (20.0, 10.0), "")
    assert extremes(row, 0, 0.5, 1) == [[0, 249.5], [249.5, 499.5]]


def test_a_session_that_runs_is_followed(journal: JournalWriter) -> None:
    file = written(journal, 1)
    feed = SessionFeed(journal.path)
    assert extremes(row_of(feed), 0, 1) == [[0, 249.5]]
    append(journal, file, 1, first=1)
    assert extremes(row_of(feed), 0, 1) == [[0, 499.5]]


def test_values_that_come_after_the_journal_are_shown(journal: JournalWriter) -> None:
    written(journal, 2)
    path = samples_path(journal.path.parent, "wheel")
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    feed = SessionFeed(journal.path)
    assert row_of(feed).problem == "samples.wheel.bin: 1 block cannot be read"
    path.write_bytes(whole)
    row = row_of(feed)
    assert (row.problem, extremes(row, 0, 1)) == ("", [[0, 499.5]])


def remove(path: Path) -> None:
    path.unlink()


def damage(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[-6] ^= 1
    path.write_bytes(raw)


def replace_by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (remove, "samples.wheel.bin: 3 blocks cannot be read"),
        (damage, "samples.wheel.bin: 1 block cannot be read"),
        pytest.param(
            replace_by_a_pipe,
            "samples.wheel.bin: 3 blocks cannot be read",
            marks=pytest.mark.skipif(os.name != "posix", reason="pipes are files on POSIX"),
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_its_lane(
    journal: JournalWriter, spoil: Callable[[Path], None], problem: str
) -> None:
    written(journal, 3)
    spoil(samples_path(journal.path.parent, "wheel"))
    feed = SessionFeed(journal.path)
    assert row_of(feed).problem == problem
    assert not feed.error


def test_a_value_with_a_wrong_time_is_told_in_its_lane(journal: JournalWriter) -> None:
    file = SamplesFile(journal.path.parent, "wheel")
    named(journal, replace(file.append([(0, 2), (1 << 62, 4)]), t_us=0))
    append(journal, file, 1, first=2)
    row = row_of(SessionFeed(journal.path))
    assert row.problem == "samples.wheel.bin: 1 value with a wrong time left out"
    assert extremes(row, 0, 0.5, 2) == [[1, 1], [1, 749.5]]


def test_steps_are_as_long_as_the_period_in_the_rig_file(journal: JournalWriter) -> None:
    file = SamplesFile(journal.path.parent, "wheel")
    named(journal, file.append([(0, 2), (600_000_000, 4)]))
    assert row_of(SessionFeed(journal.path)).lengths[0].length_us == 1_000


def test_a_journal_that_names_nonsense_is_shown_all_the_same(journal: JournalWriter) -> None:
    for number in range(2 * MAX_SOURCES):
        named(journal, SamplesLine(0, f"s{number}", 0, 1 << 62, "00000000"))
        named(journal, SamplesLine(0, f"s{number}", 1 << 62, 1, "00000000"))
    feed = SessionFeed(journal.path)
    feed.read(60)
    rows = feed.values.rows()
    assert len(rows) == MAX_SOURCES
    assert all(row.problem and np.isnan(row.extremes(np.array([0.0, 1.0]))).all() for row in rows)


@pytest.mark.usefixtures("qt")
def test_curves_are_drawn_below_the_other_lanes(journal: JournalWriter) -> None:
    from rig.window.lanes_plot import LanesPlot
    from rig.window.values_item import ROWS

    written(journal, 20)
    feed = SessionFeed(journal.path)
    feed.read(60)
    plot = LanesPlot()
    plot.set_theme(DARK)
    plot.resize(800, 400)
    rows, values = feed.rows(), feed.values.rows()

    def colored() -> int:
        image = plot.grab().toImage()
        color = int(DARK.value_color[1:], 16)
        return sum(
            image.pixel(x, y) & 0xFFFFFF == color for x in range(0, image.width(), 7) for y in range(image.height())
        )

    plot.show_lanes(rows, [], feed.now_us)
    assert colored() == 0
    plot.show_lanes(rows, values, feed.now_us)
    (_, _), (top, bottom) = plot.view.viewRange()
    assert (top, bottom) == (0, len(rows) + ROWS)
    assert colored() > 10


@pytest.mark.usefixtures("qt")
def test_a_curve_reaches_from_its_least_to_its_greatest_value() -> None:
    from PySide6.QtGui import QColor

    from rig.window.values_item import LINE_PX, curve_image

    def heights(low: list[float], high: list[float]) -> list[list[int]]:
        image = curve_image(np.array(low), np.array(high), 20, QColor("#ff0000"))
        return [[y for y in range(20) if image.pixel(x, y)] for x in range(len(low))]

    assert heights([0, np.nan, 9, 0], [0, np.nan, 9, 9]) == [[18, 19], [], [0, 1], list(range(20))]
    (flat,) = heights([3], [3])
    assert len(flat) == LINE_PX
    assert 8 <= flat[0] <= 11
