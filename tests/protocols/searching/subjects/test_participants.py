"""What each participant does, and the parameters that it may have."""

import statistics
import sys
from itertools import pairwise
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from protocols.searching.grids.choice_rules import Strategy
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import GRID, RISKY_GRID, RISKY_LINE
from protocols.searching.subjects import participants
from protocols.searching.subjects.parameters import UCB_SETS, LocalSearchParams, OptionParams, UcbParams
from protocols.searching.subjects.participant import GridParticipant
from protocols.searching.subjects.seen import Tiles
from rig.core.errors import ConfigError
from sim_hardware.driver import make_model
from tests.protocols.searching.subjects.screen_game import ScreenGame, play, slope

AnyParticipant = GridParticipant[Any]
TILES = Grid(11, 11)
ALL = [
    participants.RandomClicker,
    participants.WinStay,
    participants.LocalSearch,
    participants.VarianceGreedy,
    participants.MeanGreedy,
    participants.UpperConfidence,
    participants.LowerConfidence,
    participants.ProbabilityOfSafety,
    participants.ProbabilityOfImprovement,
    participants.OptionLearner,
]


def made(kind: type[AnyParticipant], **params: Any) -> AnyParticipant:
    """A participant with parameters by name."""
    return kind(kind.Params.model_validate(params))


@pytest.mark.parametrize("kind", ALL)
def test_each_plays_to_the_end_on_a_grid_and_on_a_line(kind: type[AnyParticipant]) -> None:
    on_grid = play(made(kind), ScreenGame([slope(Grid(5, 4))] * 2, clicks=6))
    assert len(on_grid.clicked) == 12
    on_line = play(made(kind), ScreenGame([slope(Grid(21), 9.5)], clicks=6))
    assert len(on_line.clicked) == 6


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_an_option_learner_has_every_strategy(strategy: str) -> None:
    game = play(made(participants.OptionLearner, strategy=strategy), ScreenGame([slope(Grid(5, 4))], clicks=6))
    assert len(game.clicked) == 6


def columns(kind: type[AnyParticipant], clicks: int = 15, **params: Any) -> list[int]:
    """The columns of the clicks at a slope, of which only the best tile is known."""
    game = play(made(kind, **params), ScreenGame([slope(TILES)], clicks=clicks, seed=5))
    return [place[0] for _, _, place in game.clicked]


def test_the_mean_greedy_stay_on_top_and_the_variance_greedy_go_everywhere() -> None:
    assert statistics.fmean(columns(participants.MeanGreedy, tau=0.02)) > 9
    assert statistics.fmean(columns(participants.VarianceGreedy, tau=0.02)) < 7


def test_the_local_variant_makes_smaller_steps() -> None:
    def step(name: str) -> float:
        return statistics.fmean(abs(u - x) for x, u in pairwise(columns(participants.UpperConfidence, 40, set=name)))

    assert step("wu2017-local") < step("wu2017")


def test_the_careful_survive_longer_than_the_random_above_a_line() -> None:
    def survived(kind: type[AnyParticipant], **params: Any) -> float:
        games = [
            play(made(kind, **params), ScreenGame([slope(Grid(21), 9.5)], clicks=10, threshold=6.5, seed=seed))
            for seed in range(10)
        ]
        return statistics.fmean(len(game.clicked) for game in games)

    careful = survived(participants.ProbabilityOfSafety, set="line", tau=0.02)
    assert careful > 8 > 4 > survived(participants.RandomClicker)


def test_the_careful_may_take_chances_where_nothing_can_be_lost() -> None:
    def places(threshold: float | None) -> int:
        person = made(participants.ProbabilityOfSafety, set="line", tau=0.02, safe_tau_ratio=50)
        game = play(person, ScreenGame([slope(Grid(21), 9.5)], clicks=10, threshold=threshold))
        return len({place for _, _, place in game.clicked})

    assert places(threshold=6.5) < 6 < places(threshold=None)


def test_a_grid_is_risky_once_it_has_shown_a_line() -> None:
    person = made(participants.RandomClicker)

    def scale(grid: Grid, threshold: float | None = None) -> object:
        return person._scale(Tiles(grid, {}, {}, threshold, False))

    assert scale(TILES) is GRID
    assert scale(TILES, 50.0) is RISKY_GRID
    assert scale(TILES) is RISKY_GRID
    assert scale(Grid(21)) is RISKY_LINE
    asked = made(participants.RandomClicker, rewards="risky_grid")
    assert asked._scale(Tiles(Grid(21), {}, {}, None, False)) is RISKY_GRID


@pytest.mark.parametrize("name", UCB_SETS)
def test_a_set_fills_in_parameters_and_others_override_it(name: str) -> None:
    plain = UcbParams.model_validate({"set": name})
    assert {key: getattr(plain, key) for key in UCB_SETS[name]} == UCB_SETS[name]
    assert UcbParams.model_validate({"set": name, "tau": 3}).tau == 3


def test_the_medians_are_the_defaults() -> None:
    medians = UcbParams(set="wu2017")
    assert UcbParams().model_copy(update={"set": "wu2017"}) == medians
    assert LocalSearchParams().model_copy(update={"set": "wu2017"}) == LocalSearchParams(set="wu2017")


def test_a_set_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match=r"--param set: .*'wu2017'.*'wu2017-wide'.*'line'"):
        make_model("gp_ucb", {"set": "wu"})


@pytest.mark.parametrize("kind", ALL)
def test_every_set_is_named_and_has_parameters_of_the_model(kind: type[AnyParticipant]) -> None:
    params = kind.Params
    sets = getattr(params, "sets", {})
    assert ("set" in params.model_fields) == bool(sets)
    for name, values in sets.items():
        assert params.model_validate({"set": name}).model_dump().items() >= values.items()


@pytest.mark.parametrize("strategy", ["lcb", "pos", "poi"])
def test_strategies_of_the_risky_task_have_no_local_variant(strategy: str) -> None:
    with pytest.raises(ValidationError, match="wanted strategy vg, mg or ucb"):
        OptionParams.model_validate({"strategy": strategy, "local": True})


def test_without_scipy_the_missing_extra_is_told_before_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "protocols.searching.grids.gaussian_process", None)
    with pytest.raises(ConfigError, match=r"pip install 'behavior-rig\[analysis\]'"):
        made(participants.UpperConfidence)
    made(participants.OptionLearner)
