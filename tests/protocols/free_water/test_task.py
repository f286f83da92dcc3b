"""Free water, poke by poke, in virtual time."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from protocols.free_water.task import Params
from rig.session.replay import replay_lines
from tests.harness import run_harness, scripted_subject
from tests.session_specs import protocol_spec


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
    assert given_now == harness.footer.rewards == sum(row["outcome"] == "rewarded" for row in harness.rows) <= 12
    assert harness.footer.ul == pytest.approx(2.5 * given_now)
    assert harness.on_at_the_end() == []
    assert replay_lines(harness.journal)[1] is None
