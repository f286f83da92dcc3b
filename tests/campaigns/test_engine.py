"""The engine of campaigns: chains in order, in this process and in several, killed workers, and stops."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.campaigns.engine import Chain, InProcessEngine

slow = pytest.mark.slow


class Step(NamedTuple):
    chain: int
    number: int
    length: int


def worked(step: Step) -> Step:
    return step


def following(step: Step) -> Step | None:
    return None if step.number == step.length else step._replace(number=step.number + 1)


def chains_of(lengths: list[int]) -> list[Chain[Step, Step]]:
    return [Chain(Step(chain, 1, length), following) for chain, length in enumerate(lengths)]


def steps_of(lengths: list[int]) -> list[Step]:
    return [Step(chain, number, length) for chain, length in enumerate(lengths) for number in range(1, length + 1)]


@given(st.lists(st.integers(1, 5), max_size=6))
def test_in_this_process_chains_run_one_after_the_other(lengths: list[int]) -> None:
    assert list(InProcessEngine().run(worked, chains_of(lengths))) == steps_of(lengths)
