"""What was given is the sum of the rewards' last lines, also where a correction decides an unconfirmed one."""

from __future__ import annotations

import pytest

from rig.core.journal.delivered import DeliveredRewards
from rig.core.model.actions import Amount
from rig.core.model.reward import RewardStatus

PENDING, DELIVERED, UNCONFIRMED = RewardStatus.PENDING, RewardStatus.DELIVERED, RewardStatus.UNCONFIRMED
MINUTE_US = 60_000_000


def unconfirmed() -> DeliveredRewards:
    """Return a session with one certain drop, and one in doubt that may have come 15 minutes later."""
    found = DeliveredRewards("2026-11-21T09:00:00")
    found.record(1, 1_000, DELIVERED, Amount(2.5))
    found.record(2, 2_000, PENDING, Amount(5.0))
    found.record(2, 15 * MINUTE_US, UNCONFIRMED, Amount(5.0))
    return found


def test_an_unconfirmed_reward_counts_at_its_latest_time() -> None:
    found = unconfirmed()
    assert (found.total.rewards, found.total.amount.ul, found.unconfirmed.rewards) == (2, 7.5, 1)
    assert found.rows() == [(0, 2.5, 0, 0.0), (15, 5.0, 0, 0.0)]


def test_a_correction_that_confirms_it_counts_the_true_amount_at_its_time() -> None:
    found = unconfirmed()
    found.record(2, MINUTE_US, DELIVERED, Amount(2.2))
    assert (found.total.rewards, found.unconfirmed.rewards) == (2, 0)
    assert found.total.amount.ul == pytest.approx(4.7)
    assert found.rows() == [(0, 2.5, 0, 0.0), (1, 2.2, 0, 0.0)]


@pytest.mark.parametrize("status", [RewardStatus.REFUSED, RewardStatus.CANCELLED])
def test_a_correction_that_refuses_it_takes_it_back(status: RewardStatus) -> None:
    found = unconfirmed()
    found.record(2, 2_000, status, Amount(5.0))
    assert (found.total.rewards, found.total.amount.ul, found.uncertain.rewards) == (1, 2.5, 0)
    assert found.rows() == [(0, 2.5, 0, 0.0)]


def test_minutes_are_those_of_the_clock_to_the_microsecond() -> None:
    rewards = DeliveredRewards("2026-11-21T09:00:30.000001")
    for number, t_us in enumerate((29_999_998, 29_999_999)):
        rewards.record(number, t_us, RewardStatus.DELIVERED, Amount(2.5))
    assert rewards.rows() == [(0, 2.5, 0, 0.0), (1, 2.5, 0, 0.0)]
