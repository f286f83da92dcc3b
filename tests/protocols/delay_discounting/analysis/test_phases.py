import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.delay_discounting.analysis.phases import (
    EXPLOITATION,
    INVESTIGATION,
    PHASES,
    RULES,
    TITRATION,
    Rule,
    phases,
)
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps

ALTERNATING = "LR" * 50


def letters(history: str, rule: Rule) -> str:
    return "".join(PHASES[phase][0] for phase in phases(laps(history), rule))


def test_the_sliding_rule_judges_a_lap_by_the_five_around_it() -> None:
    assert letters("LRLRLRRRLRLRLR", "sliding") == "iiiii" + "tttt" + "eeeee"


def test_the_binned_rule_judges_five_laps_at_a_time() -> None:
    assert letters("LRLRL" + "RLLLR" + "LRLRL" + "RL", "binned") == "iiiii" + "ttttt" + "eeeee" + "ee"


def test_one_adjustment_alone_is_no_titration() -> None:
    assert set(letters("LRLLRLRLRR", "sliding")) == {"i"}


@pytest.mark.parametrize(("rule", "first"), [("sliding", 30), ("binned", 31)])
def test_without_titration_investigation_ends_before_lap_30(rule: Rule, first: int) -> None:
    found = phases(laps(ALTERNATING), rule)
    assert set(found[: first - 1]) == {INVESTIGATION}
    assert set(found[first - 1 :]) == {EXPLOITATION}


def test_titration_after_lap_30_ends_no_investigation() -> None:
    found = phases(laps("LR" * 20 + "LLL" + "RL" * 10), "sliding")
    assert found[30] == EXPLOITATION
    assert set(found[40:44]) == {TITRATION}


@given(st.text("LRlr", max_size=60), st.sampled_from(RULES))
def test_every_lap_of_every_session_has_one_phase_and_investigation_never_comes_back(history: str, rule: Rule) -> None:
    found = phases(laps(history), rule)
    assert found.size == len(history)
    others = np.flatnonzero(found != INVESTIGATION)
    assert others.size == 0 or not (found[others[0] :] == INVESTIGATION).any()


@pytest.mark.parametrize(
    ("rule", "first_five", "tenth", "twentieth"), [("sliding", 0.85, 0.51, 0.25), ("binned", 0.91, 0.63, 0.35)]
)
def test_calibrated_rats_have_the_phases_that_another_program_found(
    rule: Rule, first_five: float, tenth: float, twentieth: float
) -> None:
    found = np.stack([phases(rat_laps(seed), rule) for seed in range(400)])
    assert np.mean(found[:, :5] == INVESTIGATION) == pytest.approx(first_five, abs=0.05)
    assert np.mean(found[:, 9] == INVESTIGATION) == pytest.approx(tenth, abs=0.06)
    assert np.mean(found[:, 19] == INVESTIGATION) == pytest.approx(twentieth, abs=0.07)
    assert np.mean(found[:, 70:75] == EXPLOITATION) == pytest.approx(0.89, abs=0.05)
