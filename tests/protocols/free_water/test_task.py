"""Free water, poke by poke, in virtual time."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from protocols.free_water.task import Params
from rig.core.clock import running
from rig.session.replay import replay_lines
from tests.harness import FaultHarness, Pokes, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec

CONFIRM_US = 100


def run(*pokes: Pokes, stop_session_s: float = 20, arrange: Any = None, **values: Any) -> FaultHarness:
    prepared = protocol_spec("free_water", stop_session_s=stop_session_s, **values)
    script = scripted_subject(*pokes)
    return run_harness(prepared, script, arrange=arrange or (lambda harness: None))


def test_every_poke_at_a_side_is_paid_by_the_board() -> None:
    harness = run(poke("left", 2.0), poke("right", 4.0))
    assert harness.rows == [
        {
            "trial": 1,
            "t_in": 2.0,
            "choice": "left",
            "outcome": "rewarded",
            "delivered_by": "board",
            "reward_ul": 2.5,
            "rewarded": 1,
        },
        {
            "trial": 2,
            "t_in": 4.0,
            "choice": "right",
            "outcome": "rewarded",
            "delivered_by": "board",
            "reward_ul": 2.5,
            "rewarded": 1,
        },
    ]
    assert harness.openings("left.valve") == [(2_000_000 + CONFIRM_US, 40_000)]
    assert harness.openings("right.valve") == [(4_000_000 + CONFIRM_US, 40_000)]


def test_the_center_pays_nothing() -> None:
    harness = run(poke("center", 2.0))
    assert harness.rows == []
    assert harness.footer["rewards"] == 0


def test_after_a_drop_there_is_a_pause() -> None:
    harness = run(poke("left", 2.0), poke("left", 2.9), poke("right", 2.95), poke("left", 3.2))
    assert [row["t_in"] for row in harness.rows] == [2.0, 3.2]
    assert [(name, t_us / 1e6) for name, t_us in harness.states[1:3]] == [("pause", 2.0), ("wait", 3.0)]


def test_a_poke_at_the_very_end_of_the_pause_is_not_paid_and_the_next_microsecond_is() -> None:
    assert len(run(poke("left", 2.0), poke("right", 3.0)).rows) == 1
    assert len(run(poke("left", 2.0), poke("right", 3.000_001)).rows) == 2


def test_a_nose_that_stays_is_paid_once() -> None:
    harness = run(poke("left", 2.0, 10.0))
    assert len(harness.rows) == len(harness.openings("left.valve")) == 1


def test_there_may_be_no_pause() -> None:
    harness = run(poke("left", 2.0), poke("right", 2.05), pause_s=0)
    assert [row["choice"] for row in harness.rows] == ["left", "right"]
    assert harness.footer["rewards"] == 2


def test_two_ports_within_one_drop_give_one_for_their_valves_lock_each_other_out() -> None:
    harness = run(poke("left", 2.0), poke("right", 2.002), pause_s=0)
    assert [(row["choice"], row["outcome"]) for row in harness.rows] == [("left", "rewarded"), ("right", "withheld")]
    assert len(harness.openings("left.valve")) == harness.footer["rewards"] == 1
    assert harness.openings("right.valve") == []


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_drop_that_the_board_refuses_is_withheld_and_not_counted(side: str) -> None:
    def drop_by_hand(harness: FaultHarness) -> None:
        running().call_at(1.99, harness.session.request, f"reward {side}")

    harness = run(poke(side, 2.0), arrange=drop_by_hand)
    assert [(row["outcome"], row["reward_ul"]) for row in harness.rows] == [("withheld", 0)]
    assert len(harness.openings(f"{side}.valve")) == harness.footer["rewards"] == 1
    assert harness.footer["refusals"] == {"busy": 1}


def test_the_limit_ends_the_session() -> None:
    harness = run(*(poke("left", 2.0 + 2 * n) for n in range(5)), stop_max_rewards=2)
    assert (harness.footer["reason"], len(harness.openings("left.valve"))) == ("reward_limit", 2)


def test_the_session_may_end_in_the_pause() -> None:
    harness = run(poke("left", 2.0), stop_session_s=2.5)
    assert (harness.footer["reason"], harness.footer["t"], len(harness.rows)) == ("time_limit", 2_500_000, 1)


@pytest.mark.parametrize("values", [{"reward_ul": 0.1}, {"reward_ul": 10.1}, {"pause_s": -1}, {"pause": 1}])
def test_a_parameter_outside_its_bounds_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Params(**values)


@given(
    st.lists(st.tuples(st.integers(1, 900_000), st.sampled_from(["left", "center", "right"])), max_size=50),
    st.sampled_from([0, 0.02, 0.5]),
)
@settings(max_examples=30)
def test_whatever_the_animal_does_the_books_balance(steps: list[tuple[int, str]], pause_s: float) -> None:
    moves, inside, at_us = [], set(), 0
    for wait_us, place in steps:
        at_us += wait_us
        inside ^= {place}
        moves.append((at_us / 1e6, place, int(place in inside)))
    harness = run_harness(
        protocol_spec("free_water", pause_s=pause_s, stop_session_s=30, stop_max_ul=30), scripted_subject(moves)
    )
    given_now = len(harness.openings("left.valve")) + len(harness.openings("right.valve"))
    assert given_now == harness.footer["rewards"] == sum(row["outcome"] == "rewarded" for row in harness.rows) <= 12
    assert harness.footer["ul"] == pytest.approx(2.5 * given_now)
    assert harness.on_at_the_end() == []
    assert replay_lines(harness.journal)[1] is None
