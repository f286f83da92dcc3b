import pytest

from rig.core.actions import Amount, Arm, Disarm, Load, Payment, Pulse, Ramp, Start, Stop, Train
from rig.core.errors import TaskError
from rig.core.given import Minutes
from rig.core.purse import Ceilings, Gift, Purse


def drop(ul=2.5):
    return Payment(Pulse("left.valve", 40_000), "left", ul)


def gift(status="open", batch=1, order=0, ul=2.5):
    return Gift(drop(ul), "host", 0, status, batch, order)


def purse(max_rewards=None, max_ul=None, max_pellets=None):
    return Purse(Ceilings(max_rewards, max_ul, max_pellets))


def test_without_ceilings_there_is_always_room():
    money = purse()
    for _ in range(100):
        money.give(gift("sure"))
    assert money.allows(Amount(1e6))
    assert not money.exhausted


def test_the_last_drop_that_fits_is_allowed_and_the_next_is_not():
    money = purse(max_rewards=2)
    money.give(gift("sure"))
    assert money.allows(Amount(2.5))
    money.give(gift("sure"))
    assert not money.allows(Amount(2.5))
    assert money.exhausted


@pytest.mark.parametrize(("max_ul", "drops"), [(7.4, 2), (7.5, 3), (7.6, 3)])
def test_a_ceiling_in_microlitres_is_never_passed(max_ul, drops):
    money = purse(max_ul=max_ul)
    while money.allows(Amount(2.5)):
        money.give(gift("sure"))
    assert money.rewards == drops
    money.largest = Amount(2.5)
    assert money.exhausted


def test_sums_of_volumes_that_no_binary_number_meets_still_fill_the_ceiling():
    money = purse(max_ul=6.6)
    for _ in range(3):
        assert money.allows(Amount(2.2))
        money.give(gift("sure", ul=2.2))
    assert not money.allows(Amount(2.2))


def test_a_promise_takes_room_until_it_is_released():
    money = purse(max_rewards=2, max_ul=10)
    money.promise(1, Amount(8))
    assert money.allows(Amount(2))
    assert not money.allows(Amount(2.5))
    money.promise(2, Amount(1))
    assert not money.allows(Amount(0.5))
    money.release(1)
    money.release(1)
    assert money.allows(Amount(2.5))


def test_a_purse_is_exhausted_by_what_was_given_not_by_what_is_promised():
    money = purse(max_rewards=1)
    money.promise(1, Amount(2.5))
    assert not money.exhausted


def test_a_gift_is_open_until_its_batch_has_been_executed():
    money = purse()
    early, late = gift(batch=1), gift(batch=2)
    money.give(early)
    money.give(late)
    money.settle(1)
    assert (early.status, late.status, money.open) == ("sure", "open", [late])
    money.settle(2)
    assert (late.status, money.open, money.rewards, money.given.ul) == ("sure", [], 2, 5.0)


def test_a_refused_gift_is_taken_back_and_no_other():
    money = purse(max_rewards=2)
    gifts = [gift(batch=1, order=0), gift(batch=1, order=1)]
    for one in gifts:
        money.give(one)
    money.refuse(1, 1)
    money.refuse(2, 0)
    assert [one.status for one in gifts] == ["open", "refused"]
    assert (money.rewards, money.given.ul) == (1, 2.5)
    assert money.allows(Amount(2.5))


def test_when_an_epoch_ends_what_was_not_executed_never_will_be():
    money = purse()
    done, undone = gift(batch=3), gift(batch=4)
    money.give(done)
    money.give(undone)
    money.promise(1, Amount(5))
    money.end_epoch(3)
    assert (done.status, undone.status) == ("sure", "refused")
    assert (money.rewards, money.given.ul, money.open, money.promised) == (1, 2.5, [], {})


def test_what_nobody_can_know_is_counted_as_given_and_as_in_doubt():
    money = purse()
    unknown = gift()
    money.give(unknown)
    money.promise(1, Amount(5))
    money.lose_sight(9)
    assert unknown.status == "in_doubt"
    assert (money.in_doubt, money.rewards, money.given.ul) == (2, 2, 7.5)
    assert (money.open, money.promised) == ([], {})
    money.lose_sight(9)
    assert (money.in_doubt, money.rewards) == (2, 2)


# --- pellets, and what sequences pay --------------------------------------------------------------------------

PELLETS = Payment(Train("left_feeder", 50_000, 500_000, 3), "left_feeder", pellets=3)
COUNTDOWN, MEAL = 1, 2


def maze(**ceilings):
    """A purse that knows a countdown of five seconds, and the meal that it leads to."""
    money = purse(**ceilings)
    money.follow(Load(MEAL, ((0, PELLETS),)))
    tones = Ramp("speaker", 1875, -175, 100_000, 1_000_000, 6)
    money.follow(Load(COUNTDOWN, ((0, tones), (5_000_000, Start(MEAL)))))
    return money


def test_a_ceiling_in_pellets_is_never_passed():
    money = purse(max_pellets=7)
    while money.allows(PELLETS.amount):
        money.give(Gift(PELLETS, "board", 0, "sure"))
    money.largest = PELLETS.amount
    assert (money.given, money.exhausted) == (Amount(pellets=6), True)


def test_a_meal_falls_until_its_last_pellet():
    money = purse()
    money.give(Gift(PELLETS, "board", 0, "sure"))
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
    assert (meal.payment, meal.by, meal.t_us, meal.status) == (PELLETS, "board", 5_000_007, "sure")
    assert (money.given, money.rewards, money.promised) == (Amount(pellets=3), 1, {})


@pytest.mark.parametrize("order", [Stop(COUNTDOWN), Load(COUNTDOWN, ())])
def test_a_countdown_that_is_stopped_or_loaded_anew_owes_nothing(order):
    money = maze()
    money.follow(Start(COUNTDOWN))
    money.follow(order)
    assert (money.promised, money.rewards) == ({}, 0)


def test_a_meal_may_start_by_itself_while_another_countdown_runs():
    money = maze()
    money.follow(Load(3, ((0, Payment(Train("right_feeder", 50_000, 500_000, 1), "right_feeder", pellets=1)),)))
    money.follow(Start(COUNTDOWN))
    assert len(money.started(3, 9)) == 1
    assert money.promised == {-COUNTDOWN: Amount(pellets=3)}


def test_what_a_sequence_pays_later_than_at_its_start_is_refused():
    with pytest.raises(TaskError, match="make it the start of a sequence of its own"):
        purse().follow(Load(1, ((5, PELLETS),)))


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
    money = purse(max_rewards=1)
    money.promise(1, Amount(2.5))
    money.address([Disarm(1)], 5)
    money.settle(4)
    assert not money.allows(Amount(2.5))
    money.settle(5)
    assert money.allows(Amount(2.5))


def test_a_group_that_is_armed_again_outlives_an_earlier_disarming():
    money = purse()
    money.promise(1, Amount(2.5))
    money.address([Disarm(1)], 5)
    money.address([Arm(1, None, ())], 6)
    money.settle(6)
    assert money.may_fall == [Amount(2.5)]


def test_gifts_stand_in_their_minutes_and_what_is_in_doubt_at_the_latest():
    money = purse()
    money.minutes = Minutes("2026-11-21T23:59:30")
    money.give(Gift(drop(), "host", 29_999_999, "sure"))
    money.give(Gift(drop(), "host", 30_000_000, "sure"))
    refused, unknown = gift(batch=2), gift(batch=1)
    money.give(refused)
    money.give(unknown)
    money.revoke(refused)
    money.promise(1, Amount(5))
    money.lose_sight(200_000_000)
    assert money.minutes.rows() == [[0, 2.5, 0, 0], [1, 2.5, 0, 0], [3, 7.5, 0, 0]]
