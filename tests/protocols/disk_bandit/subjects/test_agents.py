"""The agents at the eight disks: what an idea alone does."""

from collections import Counter
from typing import Any, cast

import pytest

from protocols.disk_bandit.subjects.agents import MeliorationParams, MeliorationPolicy, RichestDiskPolicy, UniformPolicy
from sim_hardware.driver import make_model
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec
from tests.sim_hardware.models.still import RING, TEST_VI_S, Still


def run(name: str, seed: int = 1, session_s: float = 900, **options: Any) -> FaultHarness:
    """Let an agent work at the test's intervals."""

    async def live(body: Body) -> None:
        await make_model(name, options).live(body)

    return run_harness(protocol_spec("disk_bandit", stop_session_s=session_s), live, seed=seed)


def pecks(harness: FaultHarness) -> Counter[float]:
    """How often it pecked the disk of each interval."""
    return Counter(row["vi_s"] for row in harness.rows if row["on_target"])


def test_greedy_pecks_nothing_but_the_richest_disk_that_is_there() -> None:
    still = Still(told={"vi_s": [27, 9, 81, 3, 243, 729, 2187, 6561]})
    policy, body = still.asks(RichestDiskPolicy()), cast(Body, still)
    assert [policy.choose(body, RING), policy.choose(body, (0, 1, 2)), policy.choose(body, (6, 7))] == [3, 1, 6]
    assert set(pecks(run("greedy"))) == {3}


def test_greedy_takes_the_likeliest_where_there_are_probabilities_and_any_where_nothing_is_reported() -> None:
    assert (
        Still(told={"p_reward": [0.02, 0.61, 0.37]}).asks(RichestDiskPolicy()).choose(cast(Body, Still()), (0, 1, 2))
        == 1
    )
    assert Still().asks(RichestDiskPolicy()).choose(cast(Body, Still()), (4, 7)) == 4


def test_uniform_pecks_every_disk_alike() -> None:
    still = Still(told={"vi_s": TEST_VI_S})
    assert all(abs(share - 0.125) < 0.015 for share in still.shares(still.asks(UniformPolicy())))
    assert set(pecks(run("uniform"))) == set(TEST_VI_S)


def test_melioration_moves_to_where_pecks_earn_more_and_discards_no_place() -> None:
    still = Still()
    policy, body = MeliorationPolicy(MeliorationParams()), cast(Body, still)
    for _ in range(3000):
        place = policy.choose(body, RING)
        policy.update(place, paid=still.random.random() < (0.6 if place == 5 else 0.1))
    shares = still.shares(policy)
    assert shares[5] > 0.7
    assert min(shares) > 0.01


def test_melioration_learns_the_intervals_without_being_told() -> None:
    harness = run("melioration", session_s=3600, rate=1.0)
    late = Counter(row["vi_s"] for row in harness.rows[len(harness.rows) // 2 :] if row["on_target"])
    assert late[3] + late[9] > 0.5 * late.total() > 0


@pytest.mark.parametrize("name", ["greedy", "uniform", "melioration"])
def test_an_agent_eats_what_it_earns(name: str) -> None:
    rows = [row for row in run(name).rows if row["rewarded"]]
    assert len(rows) > 20
    assert all(row["eaten_s"] > 1.5 for row in rows)
