from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from protocols.two_armed_bandit.analysis import landscape
from protocols.two_armed_bandit.analysis.condition_figures import weights_by_condition
from protocols.two_armed_bandit.analysis.figures import figures
from protocols.two_armed_bandit.analysis.results import BanditResults, report
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from rig.analysis.common.style import save_all
from tests.protocols.two_armed_bandit.made import session


@pytest.fixture(scope="module")
def found() -> BanditResults:
    made = simulate(np.full(4, 0.78), np.full(4, 2.05), np.full(4, 1.43), TaskCondition(0.8, 0.2), 120, 1)
    sessions = [
        replace(
            session("L" * 120, name=f"m{row}_80-20"),
            choice=made.choice[row].astype(np.int8),
            reward=made.reward[row].astype(np.int8),
            high=made.high[row].astype(np.int8),
        )
        for row in range(4)
    ]
    return report(sessions, BanditSettings())


@pytest.fixture(autouse=True)
def few_simulated_sessions_and_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landscape, "SESSIONS", 2)
    monkeypatch.setattr("rig.analysis.common.style.DOTS_PER_INCH", 50)


def test_every_figure_is_a_picture_with_ink_on_it(found: BanditResults, tmp_path: Path) -> None:
    paths = save_all(figures(found, [session("LLRr" * 30)]), tmp_path)
    names = ("example", "course", "times", "position", "words", "likelihood", "confusion", "models", "landscape")
    assert [path.name for path in paths] == [f"80-20_{name}.png" for name in names]
    for path in paths:
        pixels = imread(path)[..., :3]
        assert min(pixels.shape[:2]) > 500 // 3  # 500 of the usual dots
        assert 0.005 < (pixels < 0.9).any(axis=2).mean() < 0.9


def test_parameters_of_two_conditions_are_drawn_in_one_panel(found: BanditResults) -> None:
    own = found.groups["80-20"]
    figure = weights_by_condition({"80-20": own, "90-10": replace(own, name="90-10")})
    assert figure is not None
    (axes,) = figure.axes
    assert [text.get_text()[0] for text in axes.get_xticklabels()] == ["α", "β", "τ"]
    assert weights_by_condition({"80-20": own}) is None


def test_without_fits_what_was_observed_is_still_drawn(tmp_path: Path) -> None:
    only = report([session("LLRrLlLLLRR")], BanditSettings(fits=False))
    names = ("example", "course", "times", "position", "words")
    drawn = save_all(figures(only, [session("LLRrLlLLLRR")]), tmp_path)
    assert [path.name for path in drawn] == [f"80-20_{name}.png" for name in names]


def test_a_session_of_one_trial_is_drawn(tmp_path: Path) -> None:
    names = ("example", "course", "times", "position", "likelihood", "confusion")
    paths = save_all(figures(report([session("L")], BanditSettings()), [session("L")]), tmp_path)
    assert {path.name for path in paths} == {f"80-20_{name}.png" for name in names}
