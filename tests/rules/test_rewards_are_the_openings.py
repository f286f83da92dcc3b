"""Whatever happens to a session, its reward lines are the openings of the simulated chip, or in doubt and counted."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.model.actions import Action
from rig.core.task.states import Next, state
from sim_hardware.link_model import LinkFaults
from tests.harness import FaultHarness, nose_pokes, run_with_faults
from tests.rules.faults import inject
from tests.rules.pin_trace_oracle import a_cut_journal_counts_enough, rewards_are_the_openings
from tests.rules.port_tasks import CountdownTask
from tests.session_specs import Visit, task_spec

KINDS = (
    *("stop", "stop_now", "unplug", "reset", "stall"),
    *("block_input", "silence", "delay", "reward left", "reward right"),
)
BANDIT = {"p_high": 1, "p_low": 1, "allow_asymmetric": True, "choice_window_s": 0.3, "iti_min_s": 0.02}


class Countdowns(CountdownTask):
    """A poke at the left starts a countdown to a drop, a poke at the right stops it.

    Nothing else opens a valve: what a sequence orders of a busy valve is refused without a word, and is counted.
    """

    countdown_s = 0.05

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        self.begin_trial(Visit())
        left: tuple[tuple[str, int], Action] = (self.box.left.poked, self.countdown.start_action)
        right: tuple[tuple[str, int], Action] = (self.box.right.poked, self.countdown.stop_action)
        with self.reflex(left, right):  # type: ignore[arg-type]
            await self.first(self.box.left.poked, self.box.right.poked, within=0.4)
        await self.first(self.box.right.poked, within=0.1)
        if self.stream("stop").random() < 0.3:
            self.countdown.stop()
        self.end_trial()
        return self.here


TASKS = ((FreeWater, {"pause_s": 0.05}), (TwoArmedBandit, BANDIT), (Countdowns, {}))


def faulty(seed: int) -> FaultHarness:
    """Play a short session with pokes, a cable and up to three injected faults that follow from the seed."""
    draw = Random(seed)
    task, params = TASKS[seed % len(TASKS)]
    at_us, visits = 200_000, []
    while at_us < 2_500_000:
        place, us = draw.choice(("left", "center", "right", "left")), draw.choice((3_000, 20_000, 80_000))
        visits.append((at_us, place, us))
        at_us += us + draw.choice((1_000, 30_000, 150_000, 300_000))
    rate = draw.choice((0, 0, 1e-3, 5e-3))
    latency_s = draw.choice((0.0, 0.0005, 0.004, 0.06))
    kinds = KINDS[:-2] if task is Countdowns else KINDS
    injected = [
        (draw.uniform(0.1, 2.6), partial(inject, kind=draw.choice(kinds), amount=draw.choice((0.05, 0.4, 2.2))))
        for _ in range(draw.randint(0, 3))
    ]
    return run_with_faults(
        task_spec(task, params, {"session_s": 2.5}, seed),
        nose_pokes(*visits),
        *injected,
        faults=LinkFaults(latency_s, latency_s / 2, flip=rate, drop=rate, double=rate, seed=seed),
        t_max=120,
    )


def compare(seeds: range) -> Counter[str]:
    """Hold so many sessions' reward lines against the openings; count what became of the rewards."""
    found: Counter[str] = Counter()
    for seed in seeds:
        harness = faulty(seed)
        if harness.outcome is None:
            assert not harness.valve_openings, seed
            continue
        try:
            rewards_are_the_openings(harness)
            a_cut_journal_counts_enough(harness)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        found += Counter(line.status for line in harness.rewards)
        found += Counter(sessions=1, openings=len(harness.valve_openings))
    return found


def test_reward_lines_are_the_openings_or_in_doubt_and_counted() -> None:
    found = compare(range(45))
    assert found["delivered"] > 45
    assert found["unconfirmed"]
    assert found["cancelled"]
    assert found["delivered"] <= found["openings"] <= found["delivered"] + found["unconfirmed"]


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1_000, 11_000, 500))
def test_reward_lines_are_the_openings_or_in_doubt_and_counted_in_ten_thousand_sessions(first: int) -> None:
    print(dict(compare(range(first, first + 500))))  # noqa: T201
