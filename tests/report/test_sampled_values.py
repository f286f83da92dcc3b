"""Charts of what the board sampled, on the page of a session."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rig.cli.main import main
from rig.records.sampled.history import ValueHistory
from rig.records.sampled.samples import samples_path
from rig.report.page_report import page_report
from rig.report.sampled_values import STEPS, values_chart
from rig.report.session_page import session_page
from rig.views.chart import Curve
from rig.views.sampled_values import ValueRow
from tests.sampled_lab import write_lab

RUN = ("--model", "random_explorer", "--seed", "1", "--start", "2026-11-20T09:00", "--subject", "M1")


def curves(row: ValueRow, end_us: int) -> list[Curve]:
    return [mark for mark in values_chart(row, end_us).marks if isinstance(mark, Curve)]


def row_of(values: list[int]) -> ValueRow:
    history = ValueHistory(1000)
    history.add(1000 * np.arange(len(values), dtype=np.int64), np.array(values, dtype=np.int64))
    return ValueRow("wheel", history.lengths, 0.5, "cm", thresholds=(1.5, 100.0))


def test_a_chart_has_every_extreme_of_the_values_and_the_levels_within_them() -> None:
    values = [n % 3 for n in range(60_000)]
    values[31_234] = 8
    level, curve = curves(row_of(values), 60_000_000)
    assert (level.y.tolist(), level.dashed) == ([1.5, 1.5], True)
    assert len(curve.x) == 2 * STEPS
    assert (curve.y.min(), curve.y.max()) == (0, 4)
    assert curve.x[int(curve.y.argmax())] == pytest.approx(31.234 / 60, abs=0.1 / 60)


def test_a_chart_without_values_says_why() -> None:
    chart = values_chart(ValueRow("wheel", ()), 0)
    assert (chart.marks, chart.empty) == ((), "none of its values can be read")


def test_the_page_of_a_session_has_a_chart_for_each_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_lab(tmp_path))
    assert main(["sim", "treadmill.yaml", *RUN, "--data", str(tmp_path)]) == 0
    folder = tmp_path / "sim" / "M1" / "2026-11-20" / "001"
    whole = session_page(page_report(folder))
    assert "Sampled values" in whole
    assert "lever (g)" in whole
    assert "wheel (cm)" in whole
    samples_path(folder, "wheel").unlink()
    without = session_page(page_report(folder))
    assert "wheel</b> is not drawn: none of its values can be read" in without
    assert "samples.wheel.bin" in without
