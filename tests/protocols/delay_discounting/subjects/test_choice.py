"""How a rat chooses, apart from a maze: the published figures that it was fitted to, and what it may know."""

import math
import random
import statistics
from collections import Counter
from typing import Any

import pytest

from protocols.delay_discounting.subjects.choice import SIDES, TitrationChoices, TitrationParams


def session(seed: int, pellets: int = 3, start_s: int = 10, **params: Any) -> tuple[list[int], list[str]]:
    """Run a hundred laps; give the delay in force in each, and the choices. The left side is the delayed one."""
    rat = TitrationChoices(TitrationParams(**params), random.Random(seed))
    delay_s, delays, choices = start_s, [], []
    for _ in range(100):
        side = rat.choose()
        delays.append(delay_s)
        choices.append(side)
        rat.update(side, delay_s if side == "left" else 1, pellets if side == "left" else 1)
        delay_s = delay_s + 1 if side == "left" else max(1, delay_s - 1)
    return delays, choices


def test_it_titrates_to_the_published_indifference_point_from_wherever_it_begins() -> None:
    points = [statistics.mean(session(seed, start_s=1 + seed % 30)[0][-20:]) for seed in range(600)]
    assert statistics.mean(points) == pytest.approx(7.4, abs=0.6)
    assert statistics.stdev(points) == pytest.approx(3.0, abs=0.5)


def test_it_investigates_by_alternating_then_adjusts_then_alternates() -> None:
    adjusts: Counter[int] = Counter()
    for seed in range(600):
        _, choices = session(seed, start_s=1 + seed % 30)
        for place in range(1, 100):
            adjusts[place // 10] += choices[place] == choices[place - 1]
    by_ten = [adjusts[place] / (600 * (9 if place == 0 else 10)) for place in range(10)]
    assert by_ten[0] < 0.24
    assert max(by_ten) == max(by_ten[1:3]) > 0.24
    assert statistics.mean(by_ten[8:]) == pytest.approx(0.11, abs=0.02)


def test_larger_rewards_are_waited_for_longer() -> None:
    def point(pellets: int) -> float:
        return statistics.mean(statistics.mean(session(seed, pellets)[0][-20:]) for seed in range(150))

    means = [point(pellets) for pellets in (1, 3, 5)]
    assert means == sorted(means)
    assert (means[2] - means[0]) / 4 == pytest.approx(2, abs=0.5)


def test_what_it_knows_is_what_it_has_heard_and_eaten() -> None:
    deaf, hearing = (
        TitrationChoices(TitrationParams(lapse=0, alternation=0, k_sd=0, side_bias=0), random.Random(1))
        for _ in range(2)
    )
    for _ in range(40):
        for rat, heard_s in ((deaf, 1), (hearing, 60)):
            rat.update("left", heard_s, 3)
            rat.update("right", 1, 1)
    assert Counter(deaf.choose() for _ in range(100)).most_common(1)[0][0] == "left"
    assert Counter(hearing.choose() for _ in range(100)).most_common(1)[0][0] == "right"


def test_a_lap_that_was_not_waited_out_leaves_it_what_it_knew_of_the_pellets() -> None:
    rat = TitrationChoices(TitrationParams(), random.Random(1))
    rat.update("left", 5, 3)
    rat.update("left", 6, None)
    assert (rat._pellets["left"], rat._delay_s["left"]) == (3, 7)


def test_it_says_when_it_adjusts() -> None:
    rat = TitrationChoices(TitrationParams(), random.Random(1))
    assert not any(rat.adjusts(side) for side in SIDES)
    for side in ("left", "left", "right", "right", "right"):
        rat.update(side, 1, 1)
    assert (rat.adjusts("right"), rat.adjusts("left"), rat.adjustment) == (True, False, 0.75)


def test_rats_that_are_individuals_differ_more_between_each_other_than_between_their_days() -> None:
    def ks(subject: str) -> list[float]:
        params = TitrationParams(subject=subject, individuality=True)
        return [TitrationChoices(params, random.Random(f"{subject}/{day}"))._k for day in range(60)]

    medians = [statistics.median(ks(f"R{number}")) for number in range(60)]
    assert ks("R1") == ks("R1") != ks("R2")
    assert statistics.stdev(math.log(median) for median in medians) == pytest.approx(0.15, abs=0.05)


def test_a_rat_prefers_a_side_for_a_day_and_no_side_over_many_days() -> None:
    shares = [session(seed, pellets=1, start_s=1)[1].count("left") for seed in range(300)]
    assert statistics.mean(shares) == pytest.approx(50, abs=3)
    unbiased = [session(seed, pellets=1, start_s=1, side_bias=0)[1].count("left") for seed in range(300)]
    assert statistics.stdev(shares) > 1.5 * statistics.stdev(unbiased)


def test_it_expects_the_delay_of_the_delayed_side_once_it_knows_that_side() -> None:
    rat = TitrationChoices(TitrationParams(), random.Random(1))
    rat.update("right", 1, 1)
    assert rat.delay_s is None
    rat.update("left", 6, 3)
    rat.update("right", 1, 1)
    assert rat.delay_s == 6
