import pytest

from rig.core.actions import Amount, Arm, Disarm, Load, Pulse, Ramp, RewardAction, Start, Stop, Train
from rig.core.errors import TaskError
from rig.core.given import Minutes
from rig.core.rewards import Ceilings, Reward, RewardLedger, RewardStatus


def drop(ul=2.5):
    return RewardAction(Pulse("left.valve", 40_000), "left", ul)


def reward(status="pending", batch=1, order=0, ul=2.5):
    return Reward(drop(ul), "host", 0, status, batch, order)


def ledger(max_rewards=None, max_ul=None, max_pellets=None):
    return RewardLedger(Ceilings(max_rewards, max_ul, max_pellets))


def test_without_ceilings_there_is_always_room():
    money = ledger()
    for _ in range(100):
        money.give(reward("delivered"))
    assert money.allows(Amount(1e6))
    assert not money.exhausted


def test_the_last_drop_that_fits_is_allowed_and_the_next_is_not():
    money = ledger(max_rewards=2)
    money.give(reward("delivered"))
    assert money.allows(Amount(2.5))
    money.give(reward("delivered"))
    assert not money.allows(Amount(2.5))
    assert money.exhausted


@pytest.mark.parametrize(("max_ul", "drops"), [(7.4, 2), (7.5, 3), (7.6, 3)])
def test_a_ceiling_in_microlitres_is_never_passed(max_ul, drops):
    money = ledger(max_ul=max_ul)
    while money.allows(Amount(2.5)):
        money.give(reward("delivered"))
    assert money.rewards == drops
    money.largest = Amount(2.5)
    assert money.exhausted


def test_sums_of_volumes_that_no_binary_number_meets_still_fill_the_ceiling():
    money = ledger(max_ul=6.6)
    for _ in range(3):
        assert money.allows(Amount(2.2))
        money.give(reward("delivered", ul=2.2))
    assert not money.allows(Amount(2.2))


def test_a_promise_takes_room_until_it_is_released():
    money = ledger(max_rewards=2, max_ul=10)
    money.promise(1, Amount(8))
    assert money.allows(Amount(2))
    assert not money.allows(Amount(2.5))
    money.promise(2, Amount(1))
    assert not money.allows(Amount(0.5))
    money.release(1)
    money.release(1)
    assert money.allows(Amount(2.5))


def test_a_ledger_is_exhausted_by_what_was_given_not_by_what_is_promised():
    money = ledger(max_rewards=1)
    money.promise(1, Amount(2.5))
    assert not money.exhausted


def test_a_reward_is_pending_until_its_batch_has_been_executed():
    money = ledger()
    early, late = reward(batch=1), reward(batch=2)
    money.give(early)
    money.give(late)
    money.settle(1)
    assert (early.status, late.status, money.pending) == ("delivered", "pending", [late])
    money.settle(2)
    assert (late.status, money.pending, money.rewards, money.given.ul) == ("delivered", [], 2, 5.0)


def test_a_refused_reward_is_taken_back_and_no_other():
    money = ledger(max_rewards=2)
    rewards = [reward(batch=1, order=0), reward(batch=1, order=1)]
    for one in rewards:
        money.give(one)
    money.refuse(1, 1)
    money.refuse(2, 0)
    assert [one.status for one in rewards] == ["pending", "refused"]
    assert (money.rewards, money.given.ul) == (1, 2.5)
    assert money.allows(Amount(2.5))


def test_when_an_epoch_ends_what_was_not_executed_never_will_be():
    money = ledger()
    done, undone = reward(batch=3), reward(batch=4)
    money.give(done)
    money.give(undone)
    money.promise(1, Amount(5))
    money.end_epoch(3)
    assert (done.status, undone.status) == ("delivered", "refused")
    assert (money.rewards, money.given.ul, money.pending, money.promised) == (1, 2.5, [], {})


def test_what_nobody_can_know_is_counted_as_given_and_as_in_doubt():
    money = ledger()
    unknown = reward()
    money.give(unknown)
    money.promise(1, Amount(5))
    money.lose_sight(9)
    assert unknown.status == "unconfirmed"
    assert (money.unconfirmed, money.rewards, money.given.ul) == (2, 2, 7.5)
    assert (money.pending, money.promised) == ([], {})
    money.lose_sight(9)
    assert (money.unconfirmed, money.rewards) == (2, 2)


# --- pellets, and what sequences pay --------------------------------------------------------------------------

PELLETS = RewardAction(Train("left_feeder", 50_000, 500_000, 3), "left_feeder", pellets=3)
COUNTDOWN, MEAL = 1, 2


def maze(**ceilings):
    """A ledger that knows a countdown of five seconds, and the meal that it leads to."""
    money = ledger(**ceilings)
    money.follow(Load(MEAL, ((0, PELLETS),)))
    tones = Ramp("speaker", 1875, -175, 100_000, 1_000_000, 6)
    money.follow(Load(COUNTDOWN, ((0, tones), (5_000_000, Start(MEAL)))))
    return money


def test_a_ceiling_in_pellets_is_never_passed():
    money = ledger(max_pellets=7)
    while money.allows(PELLETS.amount):
        money.give(Reward(PELLETS, "board", 0, RewardStatus.DELIVERED))
    money.largest = PELLETS.amount
    assert (money.given, money.exhausted) == (Amount(pellets=6), True)


def test_a_meal_falls_until_its_last_pellet():
    money = ledger()
    money.give(Reward(PELLETS, "board", 0, RewardStatus.DELIVERED))
    assert money.falling_until_us == 1_050_000 + 50_000


def test_a_sequence_that_starts_another_is_worth_what_that_one_pays():
    money = maze()
    assert money.stakes.of(Start(COUNTDOWN)) == money.stakes.of(Start(MEAL)) == Amount(pellets=3)
    assert money.stakes.of(Start(7)) is money.stakes.of(Stop(MEAL)) is None


def test_a_countdown_that_runs_owes_its_meal_until_that_starts():
    money = maze(max_pellets=5)
    money.follow(Start(COUNTDOWN))
    assert not money.allows(PELLETS.amount)
    assert money.started(COUNTDOWN, 7) == []
    assert not money.allows(PELLETS.amount)
    (meal,) = money.started(MEAL, 5_000_007)
    assert (meal.action, meal.delivered_by, meal.t_us, meal.status) == (PELLETS, "board", 5_000_007, "delivered")
    assert (money.given, money.rewards, money.promised) == (Amount(pellets=3), 1, {})


@pytest.mark.parametrize("order", [Stop(COUNTDOWN), Load(COUNTDOWN, ())])
def test_a_countdown_that_is_stopped_or_loaded_anew_owes_nothing(order):
    money = maze()
    money.follow(Start(COUNTDOWN))
    money.follow(order)
    assert (money.promised, money.rewards) == ({}, 0)


def test_a_meal_may_start_by_itself_while_another_countdown_runs():
    money = maze()
    money.follow(Load(3, ((0, RewardAction(Train("right_feeder", 50_000, 500_000, 1), "right_feeder", pellets=1)),)))
    money.follow(Start(COUNTDOWN))
    assert len(money.started(3, 9)) == 1
    assert money.promised == {-COUNTDOWN: Amount(pellets=3)}


def test_what_a_sequence_pays_later_than_at_its_start_is_refused():
    with pytest.raises(TaskError, match="make it the start of a sequence of its own"):
        ledger().follow(Load(1, ((5, PELLETS),)))


def test_a_board_that_has_forgotten_its_sequences_owes_nothing():
    money = maze()
    money.follow(Start(COUNTDOWN))
    money.end_epoch(0)
    assert (money.promised, money.started(MEAL, 5)) == ({}, [])


# --- what may have fallen unseen ------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [Stop(COUNTDOWN), Load(COUNTDOWN, ())])
def test_a_countdown_may_still_pay_until_the_board_has_executed_what_stops_it(order):
    money = maze()
    money.follow(Start(COUNTDOWN))
    money.follow(order)
    assert money.may_fall == [Amount(pellets=3)]
    money.address([order], 4)
    money.settle(3)
    assert money.may_fall == [Amount(pellets=3)]
    money.settle(4)
    assert money.may_fall == []


def test_a_meal_that_started_before_its_countdown_was_stopped_is_counted_once():
    money = maze()
    money.follow(Start(COUNTDOWN))
    money.follow(Stop(COUNTDOWN))
    money.started(MEAL, 5)
    money.lose_sight(9)
    assert (money.rewards, money.given) == (1, Amount(pellets=3))


def test_a_sequence_that_starts_two_owes_the_second_when_the_first_has_paid():
    money = maze()
    money.follow(Load(3, ((0, PELLETS),)))
    money.follow(Load(4, ((1, Start(MEAL)), (2, Start(3)))))
    money.follow(Start(4))
    money.started(4, 1)
    assert money.may_fall == [Amount(pellets=6)]
    money.started(MEAL, 2)
    assert money.may_fall == [Amount(pellets=3)]
    money.started(3, 3)
    assert money.may_fall == []


def test_a_group_keeps_its_room_until_its_disarming_was_executed():
    money = ledger(max_rewards=1)
    money.promise(1, Amount(2.5))
    money.address([Disarm(1)], 5)
    money.settle(4)
    assert not money.allows(Amount(2.5))
    money.settle(5)
    assert money.allows(Amount(2.5))


def test_a_group_that_is_armed_again_outlives_an_earlier_disarming():
    money = ledger()
    money.promise(1, Amount(2.5))
    money.address([Disarm(1)], 5)
    money.address([Arm(1, None, ())], 6)
    money.settle(6)
    assert money.may_fall == [Amount(2.5)]


def test_rewards_stand_in_their_minutes_and_what_is_in_doubt_at_the_latest():
    money = ledger()
    money.minutes = Minutes("2026-11-21T23:59:30")
    money.give(Reward(drop(), "host", 29_999_999, "delivered"))
    money.give(Reward(drop(), "host", 30_000_000, "delivered"))
    refused, unknown = reward(batch=2), reward(batch=1)
    money.give(refused)
    money.give(unknown)
    money.revoke(refused)
    money.promise(1, Amount(5))
    money.lose_sight(200_000_000)
    assert money.minutes.rows() == [[0, 2.5, 0, 0], [1, 2.5, 0, 0], [3, 7.5, 0, 0]]
