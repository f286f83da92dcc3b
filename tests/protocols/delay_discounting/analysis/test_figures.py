from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from protocols.delay_discounting.analysis.figures import figures
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.results import MazeSettings, report
from protocols.delay_discounting.analysis.track import UNSEEN
from rig.analysis.common.style import save_all
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps
from tests.protocols.delay_discounting.analysis.rat_flags import walking

OF_A_GROUP = ("delays", "phases", "vte_by_lap", "vte_by_delay", "vte_by_phase", "vte_by_neighbors")


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.analysis.common.style.DOTS_PER_INCH", 50)


def turning(found: Laps, seed: int) -> Laps:
    return replace(found, idphi=np.random.default_rng(seed).gamma(2, 3, found.trials))


def test_every_figure_is_a_picture_with_ink_on_it(tmp_path: Path) -> None:
    sessions = [turning(rat_laps(seed, large), seed) for large in (2, 4) for seed in range(5 * large, 5 * large + 2)]
    found = list(figures(report(sessions, MazeSettings()), sessions))
    ratios = [f"{ratio}_{name}" for ratio in ("2-1", "4-1") for name in ("prediction", *OF_A_GROUP)]
    groups = [*ratios, *(f"pooled_{name}" for name in OF_A_GROUP)]
    assert [name for name, _ in found] == ["sessions", "ratios", *groups]
    for path in save_all((entry for entry in found if not entry[0].startswith(("4-1", "pooled"))), tmp_path):
        pixels = imread(path)[..., :3]
        assert pixels.min() < 0.5
        assert 0.005 < np.mean(pixels.min(axis=2) < 0.9) < 0.9


@pytest.mark.parametrize("history", ["L", "LLLL", "LRlrLLRR"])
def test_odd_sessions_are_drawn_without_a_word(history: str, tmp_path: Path) -> None:
    sessions = [turning(laps(history), 1)]
    paths = save_all(figures(report(sessions, MazeSettings(min_laps=0)), sessions), tmp_path)
    assert {path.name for path in paths} >= {"sessions.png", "3-1_delays.png", "3-1_phases.png"}


def test_without_tracks_there_are_no_figures_of_turning(tmp_path: Path) -> None:
    sessions = [rat_laps(1)]
    names = [path.name for path in save_all(figures(report(sessions, MazeSettings()), sessions), tmp_path)]
    assert names == ["sessions.png", "3-1_prediction.png", "3-1_delays.png", "3-1_phases.png"]


def test_when_all_are_excluded_their_laps_are_drawn(tmp_path: Path) -> None:
    sessions = [laps(""), laps("LR" * 5)]
    assert [path.name for path in save_all(figures(report(sessions, MazeSettings()), sessions), tmp_path)] == [
        "sessions.png"
    ]


def test_tracked_sessions_are_drawn_with_their_paths_and_sessions_that_drop_out_with_their_number(
    tmp_path: Path,
) -> None:
    tracked = [walking(seed)[0] for seed in (1, 2)]
    short = turning(laps("LRRLR" * 12, "R9_1"), 3)
    sessions = [*tracked, short]
    found = figures(report(sessions, MazeSettings()), sessions)
    kinds = ("paths", "delays", "phases")
    paths = save_all(((name, figure) for name, figure in found if name.endswith(kinds)), tmp_path)
    assert "paths.png" in {path.name for path in paths}


def test_a_session_whose_passes_are_all_lost_has_no_paths(tmp_path: Path) -> None:
    lost = turning(laps("LR" * 30), 1).with_passes([UNSEEN] * 60)
    assert "paths.png" not in {
        path.name for path in save_all(figures(report([lost], MazeSettings()), [lost]), tmp_path)
    }
