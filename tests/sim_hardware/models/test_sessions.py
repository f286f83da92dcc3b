"""Whole sessions of virtual mice, sixty of each: the rates and the times that were published (``make campaign``)."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from protocols.two_armed_bandit.subjects.hmm import HmmMouse, HmmParams
from protocols.two_armed_bandit.subjects.named import MICE
from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.records.journal.read import Row
from sim_hardware.models.base import Model
from tests.harness import run_harness
from tests.session_specs import task_spec

pytestmark = pytest.mark.campaign

SESSIONS = 60
LIMITS = {"session_s": 2400, "max_rewards": 800, "max_ul": 2000}
AS_RUN = {"iti_reference": "last_poke_entry"}


def sessions(make: Callable[[int], Model], count: int = SESSIONS, **params: Any) -> list[list[Row]]:
    """Let mice do sessions; return the rows of each."""
    return [
        run_harness(task_spec(TwoArmedBandit, params, LIMITS, seed=seed), model=make(seed), seed=seed).rows
        for seed in range(count)
    ]


def done(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["outcome"] in ("rewarded", "unrewarded")]


def reward_rate(found: list[list[Row]]) -> float:
    return statistics.fmean(row["rewarded"] for rows in found for row in done(rows))


def initiation(found: list[list[Row]]) -> float:
    """Give the median over sessions of the sessions' medians."""
    return statistics.median(
        statistics.median(row["initiation_s"] for row in rows if row["initiation_s"] is not None) for rows in found
    )


def switches(rows: list[Row]) -> list[bool]:
    sides = [row["choice"] for row in done(rows)]
    return [side != before for before, side in pairwise(sides)]


@pytest.mark.parametrize(
    ("reaction", "params", "median", "tolerance"),
    [("light", {}, 1.78, 0.15), ("last_poke", AS_RUN, 1.65, 0.12)],
    ids=["from withdrawal", "as run"],
)
def test_mice_earn_and_take_their_time_as_published(
    reaction: Any, params: dict[str, Any], median: float, tolerance: float
) -> None:
    found = sessions(lambda seed: RflrMouse(RflrParams(reaction=reaction)), **params)
    rewards = statistics.fmean(sum(row["rewarded"] for row in rows) for rows in found)
    assert 475 <= rewards <= 540
    assert reward_rate(found) == pytest.approx(0.686, abs=0.01)
    flights = [row["latency_s"] for rows in found for row in done(rows)]
    assert statistics.fmean(flights) == pytest.approx(0.475, abs=0.03)
    assert initiation(found) == pytest.approx(median, abs=tolerance)


@pytest.mark.parametrize(("policy", "reward"), [("greedy", 0.745), ("thompson", 0.714)])
def test_observers_earn_what_the_paper_says(policy: Any, reward: float) -> None:
    assert reward_rate(sessions(lambda seed: HmmMouse(HmmParams(policy=policy)))) == pytest.approx(reward, abs=0.01)


@pytest.mark.parametrize(
    ("p", "condition", "greedy", "mouse"), [(0.9, "90-10", 0.856, 0.781), (0.7, "70-30", 0.639, 0.588)]
)
def test_the_other_conditions_pay_what_the_paper_says(p: float, condition: Any, greedy: float, mouse: float) -> None:
    assert reward_rate(sessions(lambda seed: HmmMouse(HmmParams(p=p)), p_high=p)) == pytest.approx(greedy, abs=0.012)
    found = sessions(lambda seed: RflrMouse(RflrParams(set=condition)), p_high=p)
    assert reward_rate(found) == pytest.approx(mouse, abs=0.012)


def test_named_mice_with_their_individuality_are_as_unlike_as_real_ones() -> None:
    names: list[Any] = list(MICE)
    found = sessions(lambda seed: RflrMouse(RflrParams(mouse=names[seed % 6], individuality=True)))
    p_high = [statistics.fmean(row["choice"] == row["high_side"] for row in done(rows)) for rows in found]
    assert statistics.stdev(p_high) == pytest.approx(0.068, abs=0.02)
    changed = [switches(rows) for rows in found]
    assert statistics.fmean(value for values in changed for value in values[:9]) == pytest.approx(0.25, abs=0.06)
    assert statistics.fmean(value for values in changed for value in values[19:39]) == pytest.approx(0.08, abs=0.03)
