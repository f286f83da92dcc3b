"""A pigeon at the eight disks: what it chooses, and in whole sessions when and where it pecks.

Statistical bounds lie six standard errors out, so they hold for any seed.
"""

import math
from itertools import groupby, pairwise
from typing import Any, cast

import pytest

from protocols.disk_bandit.subjects.disk_choice import CENTER
from protocols.disk_bandit.subjects.luce import LucePolicy
from protocols.disk_bandit.subjects.pigeon import (
    BLOCK_S,
    CARRIED,
    CURRENT,
    PACE,
    THETA,
    PigeonParams,
    block_at,
    policy_of,
)
from protocols.disk_bandit.subjects.pigeon_parameters import traits_of
from sim_hardware.driver import make_model
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec
from tests.sim_hardware.models.still import RING, TEST_VI_S, Still

PLAIN = {"location_bias": 0.0, "theta_scale": 1.0, "likes_vi_s": 0.0, "p_leave": 0.5, "carry_over": 0.0}
NEVER_PAID = "[" + ", ".join(["1000000"] * 8) + "]"
HOPPER = "hopper.hopper"


def luce(**options: Any) -> LucePolicy:
    return policy_of(PigeonParams(**{**PLAIN, **options}))


def expected(*logits: float) -> list[float]:
    weights = [math.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def near(shares: list[float], chances: list[float], count: int = 20_000) -> bool:
    return all(abs(share - p) < 6 * math.sqrt(p * (1 - p) / count) for share, p in zip(shares, chances, strict=True))


# --- what it chooses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [0, 2, 5, 11])
def test_it_draws_disks_by_todays_rates_and_by_those_of_the_session_before(block: int) -> None:
    before = TEST_VI_S[3:] + TEST_VI_S[:3]
    still = Still(told={"vi_s": TEST_VI_S, "prev_vi_s": before})
    still.now_s = block * BLOCK_S + 1
    logits = [
        -CURRENT[block] * math.log(now) - CARRIED[block] * math.log(then)
        for now, then in zip(TEST_VI_S, before, strict=True)
    ]
    assert near(still.shares(still.asks(luce())), expected(*logits))


@pytest.mark.parametrize(("block", "carried"), [(0, CARRIED[0]), (3, CARRIED[3] - 0.8 * THETA[3])])
def test_a_bird_that_avoids_what_was_good_the_day_before_does_so_from_the_second_block_on(
    block: int, carried: float
) -> None:
    before = TEST_VI_S[3:] + TEST_VI_S[:3]
    still = Still(told={"vi_s": TEST_VI_S, "prev_vi_s": before})
    still.now_s = block * BLOCK_S + 1
    logits = [
        -CURRENT[block] * math.log(now) - carried * math.log(then) for now, then in zip(TEST_VI_S, before, strict=True)
    ]
    assert near(still.shares(still.asks(luce(carry_over=-0.8))), expected(*logits))


def test_what_a_place_was_before_it_came_back_is_as_good_as_the_others_were() -> None:
    before = [None, *TEST_VI_S[1:]]
    still = Still(told={"vi_s": TEST_VI_S, "prev_vi_s": before})
    mean = sum(math.log(vi_s) for vi_s in TEST_VI_S[1:]) / 7
    logits = [
        -CURRENT[0] * math.log(now) - CARRIED[0] * (mean if then is None else math.log(then))
        for now, then in zip(TEST_VI_S, before, strict=True)
    ]
    assert near(still.shares(still.asks(luce())), expected(*logits))


def test_probabilities_are_worth_their_logarithms() -> None:
    p = (0.61, 0.37, 0.22, 0.14, 0.08, 0.05, 0.03, 0.02)
    still = Still(told={"p_reward": p, "prev_vi_s": TEST_VI_S})
    assert near(still.shares(still.asks(luce())), expected(*[CURRENT[0] * math.log(chance) for chance in p]))


def test_without_schedules_only_the_places_matter() -> None:
    policy = luce(location_bias=1.0, subject="P1")
    still = Still()
    shares = still.shares(still.asks(policy))
    assert near(shares, expected(*[THETA[0] * liking for liking in policy.preferences[:CENTER]]))
    assert shares[5] > shares[0]


def test_a_bird_like_cosmo_pecks_the_second_richest_most() -> None:
    still = Still(told={"vi_s": TEST_VI_S})
    still.now_s = 5 * BLOCK_S
    shares = still.shares(still.asks(luce(likes_vi_s=9.0)))
    assert max(shares) == shares[1]
    assert near(shares, expected(*[-CURRENT[5] * abs(math.log(vi_s / 9)) for vi_s in TEST_VI_S]))


def test_a_disk_that_has_paid_is_left_now_and_then_and_returned_to_when_a_quarter_of_its_interval_has_passed() -> None:
    still = Still(told={"vi_s": TEST_VI_S})
    policy, body = still.asks(luce()), cast(Body, still)
    left = 0
    for _ in range(1000):
        now_s = still.now_s
        if policy.changeover(body, 2):
            left += 1
            still.now_s = now_s + 6.7
            assert 2 not in {policy.choose(body, RING) for _ in range(20)}
            assert not policy.is_return_due(body)
            still.now_s = now_s + 6.8
            assert policy.is_return_due(body)
            assert policy.choose(body, RING) == 2
            assert not policy.is_return_due(body)
    assert abs(left - 500) < 6 * math.sqrt(250)
    usual = expected(*[-CURRENT[block_at(still.now_s)] * math.log(vi_s) for vi_s in TEST_VI_S])
    assert near(still.shares(policy), usual)


def test_when_all_have_paid_it_returns_to_the_one_that_is_due_first() -> None:
    still = Still(told={"vi_s": TEST_VI_S})
    policy, body = still.asks(luce(p_leave=1.0)), cast(Body, still)
    assert all(policy.changeover(body, place) for place in (4, 1, 2))
    assert [policy.choose(body, (1, 2, 4)), policy.choose(body, (2, 4))] == [1, 2]


def test_what_was_left_and_is_gone_is_no_matter() -> None:
    still = Still(told={"vi_s": TEST_VI_S})
    policy, body = still.asks(luce(p_leave=1.0)), cast(Body, still)
    policy.changeover(body, 0)
    still.now_s = 9.0
    assert set(RING[1:]) >= {policy.choose(body, RING[1:]) for _ in range(100)}


def test_a_place_without_an_interval_is_not_left() -> None:
    still = Still(told={"p_reward": [0.61] * 8})
    assert not still.asks(luce(p_leave=1.0)).changeover(cast(Body, still), 0)


def test_the_last_block_lasts() -> None:
    assert [block_at(now_s) for now_s in (0, 299.9, 300, 3599, 3600, 9999)] == [0, 0, 1, 11, 11, 11]


# --- what it does in a session ------------------------------------------------------------------------------


def run(
    seed: int = 1, cut: frozenset[str] = frozenset(), set: dict[str, Any] | None = None, **options: Any
) -> FaultHarness:
    """Let a bird work."""
    prepared = protocol_spec("disk_bandit", **{"stop_session_s": 900, **(set or {})})

    async def live(body: Body) -> None:
        await make_model("pigeon", {"subject": "P4", **options}).live(body)

    return run_harness(prepared, live, seed=seed, cut=cut, loop=lambda: VirtualLoop(t_max=5000))


def hopper(harness: FaultHarness) -> list[tuple[float, float]]:
    """From when until when the hopper was up, in seconds."""
    changes = [(t_us / 1e6, level) for t_us, level in harness.changes(HOPPER)]
    return [(up_s, down_s) for (up_s, up), (down_s, _) in pairwise(changes) if up]


def test_it_pecks_at_its_pace_as_long_as_nothing_pays() -> None:
    harness = run(set={"vi_s": NEVER_PAID, "stop_session_s": 3600}, rate=2.0)
    counts = [0] * 12
    for row in harness.rows:
        counts[row["block"] - 1] += 1
    for count, pace in zip(counts, PACE, strict=True):
        due = 2.0 * pace * BLOCK_S
        assert abs(count - due) < 6 * math.sqrt(due * 2)  # pecks come in bouts of 1 / (1 - repeat)


def test_bouts_leave_the_shares_of_the_disks_as_they_are() -> None:
    pecks, repeat = 0, PigeonParams().repeat
    found = [0] * 8
    for seed in range(2):
        rows = [
            row for row in run(seed, set={"vi_s": NEVER_PAID}, rate=3.0, location_bias=1.0).rows if row["on_target"]
        ]
        bouts = [len([*bout]) for _, bout in groupby(row["disk"] for row in rows)]
        # One bout may follow another on the same disk, which makes them longer.
        assert sum(bouts) / len(bouts) > 1 / (1 - repeat)
        for row in rows:
            found[row["disk"]] += 1
            pecks += 1
    preferences = policy_of(PigeonParams(subject="P4")).preferences[:8]
    chances = [
        sum(pace * share for pace, share in zip(PACE[:3], shares, strict=True)) / sum(PACE[:3])
        for shares in zip(
            *[expected(*[traits_of("P4").theta * THETA[block] * at for at in preferences]) for block in range(3)],
            strict=True,
        )
    ]
    for count, p in zip(found, chances, strict=True):
        error = math.sqrt(p * (1 - p) / pecks * (1 + repeat) / (1 - repeat))  # pecks of a bout are not independent
        assert abs(count / pecks - p) < 6 * error


def test_it_eats_what_it_has_earned_and_comes_back_after_a_pause() -> None:
    harness = run(p_late=0.0)
    meals = hopper(harness)
    assert len(meals) > 30
    assert all(1.5 < row["eaten_s"] < 3.0 for row in harness.rows if row["rewarded"])
    pecks = [row["t"] for row in harness.rows]
    for _, down_s in meals[:-1]:
        after_s = min(t for t in pecks if t > down_s) - down_s
        assert 1.0 <= after_s < 2.001


def test_it_misses_the_disks_sometimes_and_is_late_for_the_hopper_sometimes() -> None:
    rows = run().rows
    share = {
        "beside": sum(not row["on_target"] for row in rows if row["phase"] == "respond") / len(rows),
        "margin": sum(row["in_margin"] for row in rows) / len(rows),
        "late": sum(row["phase"] == "reward" for row in rows) / sum(row["rewarded"] for row in rows),
    }
    assert 0.003 < share["beside"] < 0.05
    assert 0.02 < share["margin"] < 0.12
    assert 0.02 < share["late"] < 0.25


@pytest.mark.parametrize("wire", ["screen.picture", "screen.touch"])
def test_it_acts_only_through_its_eyes_and_its_beak(wire: str) -> None:
    harness = run(cut=frozenset({wire}))
    assert harness.rows == []
    assert hopper(harness) == []


def test_with_the_hopper_stuck_it_goes_on_pecking_for_nothing() -> None:
    harness = run(cut=frozenset({HOPPER}))
    assert len(harness.rows) > 100
    assert {row["eaten_s"] for row in harness.rows if row["rewarded"]} == {0.0}


def test_on_an_off_day_it_does_not_peck() -> None:
    assert run(p_off_day=1.0).rows == []


def test_a_disk_in_the_middle_is_pecked_the_sooner_the_longer_it_has_been_here() -> None:
    def latencies(days: int) -> list[float]:
        stages = [run(seed, set={"schedule": "autoshaping", "stop_session_s": 3600}, days=days) for seed in (1, 2)]
        return [row["latency_s"] for harness in stages for row in harness.rows if row["rewarded"]]

    first, later = latencies(0), latencies(5)
    assert sum(first) / len(first) > 3 * sum(later) / len(later)
    assert sum(latency < 20 for latency in later) >= 0.8 * len(later)
    assert len(later) == 80


def test_the_same_seed_is_the_same_session_and_another_is_not() -> None:
    assert run(3).rows == run(3).rows != run(4).rows
