import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.stability import stability
from protocols.two_armed_bandit.analysis.times import by_history
from tests.protocols.two_armed_bandit.made import session


def test_quarters_hold_all_trials_and_a_pair_counts_with_its_second() -> None:
    found = stability([session("LLLLRRRRLLLLrrrr")])
    assert [part.trials for part in found.quarters] == [4, 4, 4, 4]
    assert [part.rates["p_switch"] for part in found.quarters] == [0, 0.25, 0.25, 0.25]
    assert [part.rates["reward_rate"] for part in found.quarters] == [1, 1, 1, 0]


def test_the_first_trials_are_counted_from_the_session_and_not_from_the_selection() -> None:
    whole = session("LR" * 30)
    assert [part.name for part in stability([whole]).early][:2] == ["trials 2 to 11", "trials 12 to 21"]
    trimmed = stability([whole.without_first(11)])
    assert trimmed.early[0].name == "trials 12 to 21"
    assert trimmed.early[0].trials == 10


def test_long_trials_are_breaks() -> None:
    duration = np.array([2.0, 2.0, 30.0, np.nan])
    quarters = stability([session("LLLL", duration_s=duration)]).quarters
    assert [part.breaks for part in quarters[:3]] == [0, 0, 1]
    assert np.isnan(quarters[3].breaks)


def test_a_trend_is_the_mean_slope_of_subjects_with_three_sessions() -> None:
    histories = {"a": ("LLLLLLLLLR", "LLLLLLLLRR", "LLLLLLLRRR"), "b": ("LLLLLLLLLL", "RRRRRRRRRR")}
    made = [
        session(history, name=f"{subject}_{number}")
        for subject, each in histories.items()
        for number, history in enumerate(each)
    ]
    found = stability(made).trends["p_high"]
    assert (found.slope.n, found.slope.mean) == (1, pytest.approx(-0.1))
    assert np.isnan(found.slope.sem)
    assert found.between > 0


def test_sessions_of_several_conditions_have_no_trend() -> None:
    made = [session("LLR"), session("LLR", odds=(0.9, 0.1), name="m_90-10")]
    assert stability(made).trends == {}


def test_times_are_distinguished_by_the_trial_before() -> None:
    found = by_history([session("LlRr", latency_s=np.array([9.0, 1.0, 2.0, 4.0]))]).center_to_side_s
    assert {name: (times.n, times.median) for name, times in found.items() if times.n} == {
        "after reward": (2, 2.5),
        "after none": (1, 2.0),
        "repeat after reward": (2, 2.5),
        "switch after none": (1, 2.0),
    }
