"""The path of a tracked animal: read from the file that the journal names, and thinned out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rig.core.journal.kinds import PositionsLine
from rig.records.track.follow import NewPositions
from rig.records.track.positions import PositionsFile, Sample
from rig.views import track
from rig.views.chart import Curve, Rings
from tests.views.view_lines import folded, header, of_type, trial

VIEW = {"view": "track", "by": "choice"}
ZONES = {
    "rig": {
        "name": "maze",
        "board": {},
        "calibrations": {},
        "devices": {
            "start": {"kind": "zone", "x_cm": 0, "y_cm": 0, "radius_cm": 20},
            "left": {"kind": "zone", "beam": 4},
        },
    }
}


def walk(folder: Path, seconds: int) -> list[PositionsLine]:
    """Write positions, one a second, and return the lines that name them."""
    file = PositionsFile(folder)
    lines = [file.append([Sample(1_000_000 * second, 0, float(second), 1.0, second)]) for second in range(seconds)]
    return [replace(line, t_us=line.t_us + 500_000) for line in lines]


def curves(chart: Any) -> dict[str, list[float]]:
    return {curve.name: curve.x.tolist() for curve in of_type(chart, Curve)}


def test_each_of_the_last_trials_has_its_part_of_the_path(tmp_path: Path) -> None:
    steps = walk(tmp_path, 6)
    lines = [*steps[:3], trial(2), *steps[3:5], trial(4, choice="right"), steps[5]]
    (chart,) = folded(header(VIEW, **ZONES), lines, folder=tmp_path).charts()
    assert curves(chart) == {"": [0, 1, 2, 3, 4, 5], "left": [0, 1], "right": [2, 3], "since the last trial": [4, 5]}
    assert [ring.texts for ring in of_type(chart, Rings)] == [("start",)]
    assert chart.is_map


def test_without_positions_the_chart_says_so(tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        (chart,) = folded(header(VIEW, **ZONES), [trial(1)], folder=folder).charts()
        assert not chart.marks
        assert "no camera" in chart.empty


@given(sizes=st.lists(st.integers(0, 9), max_size=12))
def test_how_the_points_came_does_not_matter_for_those_that_stay(sizes: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(track, "MAX_PALE", 5)
        every = np.arange(float(sum(sizes)))
        parts, whole = track._Thinned(), track._Thinned()
        for part in np.split(every, np.cumsum(sizes)[:-1]) if sizes else []:
            parts.extend(NewPositions(part.astype(np.int64), part, part))
        whole.extend(NewPositions(every.astype(np.int64), every, every))
    assert parts.x.tolist() == whole.x.tolist()
    assert len(whole.x) <= 5
    assert not len(every) or whole.x[0] == 0.0
    assert len(set(np.diff(whole.x))) <= 1
