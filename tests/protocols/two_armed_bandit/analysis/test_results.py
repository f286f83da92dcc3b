import json
import math

import pytest
from hypothesis import given, settings

from protocols.two_armed_bandit.analysis.results import POOLED, report, selected
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from rig.analysis.common.arrays import plain
from tests.protocols.two_armed_bandit.made import histories, real_data, real_sessions, session

QUICK = BanditSettings(fits=False)


def test_one_condition_is_not_pooled_with_itself() -> None:
    assert list(report([session("LrL"), session("Lr", name="n")], QUICK).groups) == ["80-20"]


def test_several_conditions_are_reported_apart_and_pooled() -> None:
    found = report([session("LrL"), session("Rl", name="n_70-30", odds=(0.7, 0.3))], QUICK)
    assert list(found.groups) == ["70-30", "80-20", POOLED]
    assert found.groups[POOLED].counts["trials"] == 5
    assert found.groups[POOLED].odds is None
    assert found.groups["80-20"].odds == (0.8, 0.2)
    assert [each.condition for each in found.sessions] == ["80-20", "70-30"]


def test_a_selection_is_named_and_empty_sessions_fall_out_of_it() -> None:
    assert BanditSettings().selection == "all"
    assert BanditSettings(skip_first=10).selection == "trim10"
    assert [each.trials for each in selected([session("LrL"), session("L")], 2)] == [1]


def test_without_fits_there_are_none() -> None:
    found = report([session("LrL")], QUICK)
    assert found.groups["80-20"].fits is None
    assert found.sessions[0].rflr is None


@settings(max_examples=25)
@given(histories)
def test_any_history_can_be_reported_as_strict_json(rows: list[str]) -> None:
    sessions = [session(row, name=f"m{place}_80-20") for place, row in enumerate(rows)]
    json.dumps(plain(report(sessions, QUICK)), allow_nan=False)


@pytest.mark.parametrize("history", ["L", "LLLLLLL", "lrlrlrlr", "LLRRLLRR", "llllllllll", "LrRlLLrRRl"])
def test_odd_sessions_are_fitted_without_a_word(history: str) -> None:
    found = report([session(history)], BanditSettings())
    json.dumps(plain(found), allow_nan=False)
    assert found.groups["80-20"].fits is not None


TABLE = """
baby_70-30 820 532 664 457 47 532 5 42 10 .0574 .0094 .1463 .8098 .6488 .4929 .517 1.7085 2.5 6.157 6
baby_80-20 762 548 665 313 32 547 4 28 16 .0420 .0073 .1308 .8727 .7192 .4422 .4755 1.7595 2.4 4.888 0
baby_90-10 721 608 674 465 23 608 2 21 6 .0319 .0033 .1875 .9348 .8433 .5011 .515 2.2855 2.94 3.584 2
mustard_70-30 646 354 397 503 87 354 14 73 10 .1349 .0395 .2509 .6146 .5480 .4791 .4985 1.905 2.8 7.832 0
mustard_80-20 618 454 536 191 32 453 3 29 9 .0519 .0066 .1768 .8673 .7346 .5347 .555 2.5855 3.4 4.16 3
mustard_90-10 644 498 543 368 49 498 9 40 14 .0762 .0181 .2759 .8432 .7733 .4489 .4605 2.117 2.8 3.126 26
sky_70-30 736 448 553 387 83 448 19 64 14 .1129 .0424 .2230 .7514 .6087 .4504 .492 1.671 2.69 17.742 22
sky_80-20 807 575 719 494 54 575 7 47 14 .0670 .0122 .2035 .8910 .7125 .4598 .501 1.664 2.3 2.959 5
sky_90-10 728 593 647 415 40 592 8 32 11 .0550 .0135 .2370 .8887 .8146 .4845 .5115 1.919 2.6 4.205 16
"""
"""Figures of nine real sessions, computed by another program."""

COUNTED = ("trials", "rewards", "high", "left", "switches", "after_reward", "switches_after_reward")
COUNTED += ("switches_after_none", "flips")  # type: ignore[assignment]
RATED = ("p_switch", "p_switch_after_reward", "p_switch_after_none", "p_high", "reward_rate")


@real_data
@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_real_sessions_have_the_figures_that_another_program_found(line: str) -> None:
    name, *words = line.split()
    values = [float(word) for word in words]
    (found,) = report(real_sessions(f"{name}.csv"), QUICK).sessions
    assert [found.counts[key] for key in COUNTED] == values[:9]
    assert [found.rates[key] for key in RATED] == pytest.approx(values[9:14], abs=5.1e-5)
    timing = found.timing
    times = (timing.center_to_side_s.mean, timing.center_to_side_s.median, timing.initiation_s.median)
    assert times == pytest.approx(values[14:17], abs=5.1e-5)
    assert timing.trial_duration_s.times.median == pytest.approx(values[17], abs=5e-3)
    assert found.tau.overall == pytest.approx(values[18], abs=1e-2)
    assert timing.trials_after_2400_s == values[19]


@real_data
@pytest.mark.parametrize(
    ("condition", "after_reward", "after_none"),
    [("80-20", 0.0089, 0.1708), ("90-10", 0.0112, 0.2372), ("70-30", 0.0285, 0.2069)],
)
def test_real_sessions_of_one_condition_are_pooled_within_sessions(
    condition: str, after_reward: float, after_none: float
) -> None:
    found = report(real_sessions(f"*_{condition}.csv"), QUICK).groups[condition].rates
    assert found["p_switch_after_reward"].value == pytest.approx(after_reward, abs=1e-4)
    assert found["p_switch_after_none"].value == pytest.approx(after_none, abs=1e-4)


@real_data
def test_real_sessions_are_reported_with_their_subjects_and_fits() -> None:
    found = report(real_sessions("*_80-20.csv"), BanditSettings()).groups["80-20"]
    assert (found.sessions, found.subjects) == (3, 3)
    assert found.rates["p_high"].by_subject.n == 3
    assert found.fits is not None
    comparison = found.fits.comparison
    assert (comparison.test, comparison.in_sample) == (("sky_80-20",), False)
    scores = {score.name: score for score in comparison.models}
    assert scores["rflr"].ll > scores["hmm_thompson"].ll > scores["random"].ll
    assert not math.isnan(found.tau_by_subject.sem)
