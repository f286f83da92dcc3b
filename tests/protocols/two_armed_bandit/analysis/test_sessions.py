import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.sessions import BY_CENTER, MIXED, of_decisions, of_rows
from protocols.two_armed_bandit.tables.decisions import Decision
from rig.core.errors import ConfigError
from tests.protocols.two_armed_bandit.made import session


def decision(time_s: float, **fields: object) -> Decision:
    usual = {"since_last_poke_s": 1.5, "center_to_side_s": 0.4, "side": "left", "p_right": 0.2, "p_left": 0.8}
    return Decision(**(usual | {"decision_s": time_s, "reward": 1} | fields))  # type: ignore[arg-type]


def row(trial: int, outcome: str, choice: str = "left", **fields: object) -> dict[str, object]:
    start = 10.0 * trial
    usual = {"t_center_in": start, "t_side_in": start + 0.5, "latency_s": 0.5, "initiation_s": 2.0, "p_left": 0.8}
    return usual | {"outcome": outcome, "choice": choice, "p_right": 0.2, "high_side": "left"} | fields


def test_a_file_of_decisions_becomes_signs_and_times() -> None:
    made = of_decisions("m_80-20", "m", [decision(11.1), decision(14.2, side="right", reward=0)])
    assert made.choice.tolist() == [1, -1]
    assert made.reward.tolist() == [1, 0]
    assert made.high.tolist() == [1, 1]
    assert made.condition == "80-20"
    assert made.duration_s[0] == pytest.approx(3.1)
    assert np.isnan(made.duration_s[1])


def test_the_placeholder_of_a_first_row_is_no_initiation() -> None:
    made = of_decisions("m", "m", [decision(1, since_last_poke_s=0), decision(4, since_last_poke_s=0), decision(7)])
    np.testing.assert_array_equal(made.initiation_s, [np.nan, 0, 1.5])


def test_probabilities_that_change_by_more_than_a_swap_are_a_mixed_condition() -> None:
    assert of_decisions("m", "m", [decision(1), decision(4, p_left=0.2, p_right=0.8)]).condition == "80-20"
    assert of_decisions("m", "m", [decision(1), decision(4, p_left=0.7)]).condition == MIXED


def test_trials_that_were_not_completed_are_left_out_before_anything_else() -> None:
    outcomes = ("rewarded", "omission", "aborted", "unrewarded", "interrupted")
    made = of_rows("s", "m", [row(place, outcome) for place, outcome in enumerate(outcomes)])
    assert made.reward.tolist() == [1, 0]
    np.testing.assert_array_equal(made.duration_s, [30, np.nan])
    assert made.duration_from == BY_CENTER


def test_times_of_a_table_that_are_missing_or_no_numbers_are_unknown() -> None:
    made = of_rows("s", "m", [row(0, "rewarded", initiation_s=None, latency_s=float("inf"))])
    assert np.isnan(made.initiation_s[0])
    assert np.isnan(made.latency_s[0])


@pytest.mark.parametrize("wrong", [{"choice": "up"}, {"high_side": None}, {"latency_s": "soon"}])
def test_a_row_that_cannot_be_understood_is_named_with_its_session(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"^s/1: a row of its trial table"):
        of_rows("s/1", "m", [row(0, "rewarded") | wrong])


def test_dropping_the_first_trials_drops_them_everywhere_and_remembers_how_many() -> None:
    cut = session("LLrR").without_first(3)
    assert cut.trials == 1
    assert cut.skipped == 3
    assert cut.time_s.tolist() == [9.0]
    assert session("Lr").without_first(9).trials == 0


def test_two_sessions_share_a_fingerprint_only_when_they_are_the_same() -> None:
    assert session("Lr", name="a").fingerprint == session("Lr", name="b").fingerprint
    assert session("Lr").fingerprint != session("LR").fingerprint
