"""Draws come from streams named after what they decide: other draws do not change them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from protocols.two_armed_bandit.subjects.random_choice import RandomMouse
from protocols.two_armed_bandit.subjects.rflr import RflrMouse
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.task.random_streams import session_seed
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, bad_link, nose_pokes, run_with_faults
from tests.rules.probe_task import ProbeTask, noted, run_plot
from tests.session_specs import task_spec


class Gambler(Model):
    """Draws all the time, and pokes now and then."""

    async def live(self, body: Body) -> None:
        while True:
            await body.wait(0.05 + 0.3 * body.random.random())
            place = ("left", "center", "right")[int(3 * body.random.random())]
            body.enter(place)
            await body.wait(0.02)
            body.leave(place)


async def draws(self: ProbeTask) -> None:
    for _ in range(3):
        poke = await self.first(self.box.left.poked, self.box.center.poked, self.box.right.poked, within=0.4)
        self.note(said=self.stream("reward").random())
        if poke is not None:
            self.stream(f"other.{poke.source}").random()


def drawn(seed: int = 1) -> list[float]:
    stream = random.Random(f"{seed}/reward")
    return [stream.random() for _ in range(3)]


def test_what_a_task_draws_follows_from_the_seed_and_the_streams_name() -> None:
    assert noted(run_plot(draws)) == drawn()


@pytest.mark.parametrize("seed", range(3))
def test_another_subject_changes_nothing_that_the_task_draws(seed: int) -> None:
    assert noted(run_plot(draws, model=Gambler(), seed=seed)) == drawn()


def test_a_bad_link_changes_nothing_that_the_task_draws() -> None:
    assert noted(run_plot(draws, nose_pokes((1_000_000, "left", 50_000)), faults=bad_link(2))) == drawn()


def blocks(harness: FaultHarness) -> dict[tuple[int, int], tuple[Any, ...]]:
    """What the task decided of every trial that was completed, whatever the subject did in it."""
    done = [row for row in harness.rows if row["outcome"] in ("rewarded", "unrewarded")]
    return {(row["block"], row["trial_in_block"]): (row["high_side"], row["flipped_after"]) for row in done}


def test_two_mice_of_the_bandit_meet_the_same_blocks() -> None:
    script = task_spec(TwoArmedBandit, {"q_stay": 0.7, "iti_min_s": 0.2}, {"session_s": 60, "max_rewards": 1000})
    one = blocks(run_with_faults(script, model=RandomMouse(RandomMouse.Params()), seed=3))
    other = blocks(run_with_faults(script, model=RflrMouse(RflrMouse.Params()), seed=4))
    shared = one.keys() & other.keys()
    assert len(shared) > 8
    assert {key: one[key] for key in shared} == {key: other[key] for key in shared}


def test_the_same_session_is_the_same_journal_to_the_byte() -> None:
    script = task_spec(TwoArmedBandit, {"iti_min_s": 0.2}, {"session_s": 20})
    first, second = (run_with_faults(script, model=Gambler(), seed=5, faults=bad_link(1)) for _ in range(2))
    assert first.raw == second.raw
    assert run_with_faults(script, model=Gambler(), seed=6).raw != first.raw


def test_a_session_of_a_campaign_can_be_run_alone() -> None:
    """Its seed follows from the campaign's, the subject and its own number, and stands in its header."""
    seed = session_seed(7, "mouse 3", 12)
    assert seed == session_seed(7, "mouse 3", 12)
    assert (
        len({seed, session_seed(7, "mouse 3", 13), session_seed(7, "mouse 4", 12), session_seed(8, "mouse 3", 12)}) == 4
    )
    assert run_with_faults(task_spec(TwoArmedBandit, stop={"session_s": 1}, seed=seed)).journal[0].seed == seed
