import pytest

from rig.core.actions import Payment, Pulse
from rig.core.purse import Ceilings, Gift, Purse


def drop(ul=2.5):
    return Payment(Pulse("left.valve", 40_000), "left", ul)


def gift(status="open", batch=1, order=0, ul=2.5):
    return Gift(drop(ul), "host", 0, status, batch, order)


def purse(max_rewards=None, max_ul=None):
    return Purse(Ceilings(max_rewards, max_ul))


def test_without_ceilings_there_is_always_room():
    money = purse()
    for _ in range(100):
        money.give(gift("sure"))
    assert money.allows(1e6)
    assert not money.exhausted


def test_the_last_drop_that_fits_is_allowed_and_the_next_is_not():
    money = purse(max_rewards=2)
    money.give(gift("sure"))
    assert money.allows(2.5)
    money.give(gift("sure"))
    assert not money.allows(2.5)
    assert money.exhausted


@pytest.mark.parametrize(("max_ul", "drops"), [(7.4, 2), (7.5, 3), (7.6, 3)])
def test_a_ceiling_in_microlitres_is_never_passed(max_ul, drops):
    money = purse(max_ul=max_ul)
    while money.allows(2.5):
        money.give(gift("sure"))
    assert money.rewards == drops
    money.largest_ul = 2.5
    assert money.exhausted


def test_sums_of_volumes_that_no_binary_number_meets_still_fill_the_ceiling():
    money = purse(max_ul=6.6)
    for _ in range(3):
        assert money.allows(2.2)
        money.give(gift("sure", ul=2.2))
    assert not money.allows(2.2)


def test_a_promise_takes_room_until_it_is_released():
    money = purse(max_rewards=2, max_ul=10)
    money.promise(1, 8)
    assert money.allows(2)
    assert not money.allows(2.5)
    money.promise(2, 1)
    assert not money.allows(0.5)
    money.release(1)
    money.release(1)
    assert money.allows(2.5)


def test_a_purse_is_exhausted_by_what_was_given_not_by_what_is_promised():
    money = purse(max_rewards=1)
    money.promise(1, 2.5)
    assert not money.exhausted


def test_a_gift_is_open_until_its_batch_has_been_executed():
    money = purse()
    early, late = gift(batch=1), gift(batch=2)
    money.give(early)
    money.give(late)
    money.settle(1)
    assert (early.status, late.status, money.open) == ("sure", "open", [late])
    money.settle(2)
    assert (late.status, money.open, money.rewards, money.ul) == ("sure", [], 2, 5.0)


def test_a_refused_gift_is_taken_back_and_no_other():
    money = purse(max_rewards=2)
    gifts = [gift(batch=1, order=0), gift(batch=1, order=1)]
    for one in gifts:
        money.give(one)
    money.refuse(1, 1)
    money.refuse(2, 0)
    assert [one.status for one in gifts] == ["open", "refused"]
    assert (money.rewards, money.ul) == (1, 2.5)
    assert money.allows(2.5)


def test_when_an_epoch_ends_what_was_not_executed_never_will_be():
    money = purse()
    done, undone = gift(batch=3), gift(batch=4)
    money.give(done)
    money.give(undone)
    money.promise(1, 5)
    money.end_epoch(3)
    assert (done.status, undone.status) == ("sure", "refused")
    assert (money.rewards, money.ul, money.open, money.promised) == (1, 2.5, [], {})


def test_what_nobody_can_know_is_counted_as_given_and_as_in_doubt():
    money = purse()
    unknown = gift()
    money.give(unknown)
    money.promise(1, 5)
    money.lose_sight()
    assert unknown.status == "in_doubt"
    assert (money.in_doubt, money.rewards, money.ul) == (2, 2, 7.5)
    assert (money.open, money.promised) == ([], {})
    money.lose_sight()
    assert (money.in_doubt, money.rewards) == (2, 2)
