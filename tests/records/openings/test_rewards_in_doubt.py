"""Which rewards of a journal are in doubt, and what on the board may have given them."""

from __future__ import annotations

import pytest

from rig.core.model.actions import CANCEL, Amount, Arm, Load, Pulse, RewardAction, Set, Start
from rig.core.model.events import Continued
from rig.core.model.reward import Reward, RewardStatus
from rig.records.openings.rewards_in_doubt import MAX_GIVEN, ActionKey, DoubtfulReward, RewardsInDoubt
from tests.records.journals import Book

DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
LARGE = RewardAction(Pulse("right.valve", 80_000), "right", 5.0)
ARMED = Arm(7, None, (("left.beam", 1, DROP), ("right.beam", 1, LARGE), ("center.beam", 1, CANCEL)))
ORDER: ActionKey = ("order", 3, 1)
LEFT: ActionKey = ("reflex", 7, ("left.beam", 1))
ENTRY: ActionKey = ("sequence", 2, 1)


def reward(book: Book, number: int, status: str = "pending", **cause: int) -> None:
    kind = {"batch": "order", "group": "reflex", "sequence": "sequence"}[next(iter(cause))]
    book.reward(Reward(Amount(2.5), "left", "board", book._now(), kind, RewardStatus(status), number, **cause))  # type: ignore[arg-type]


def followed(book: Book) -> RewardsInDoubt:
    found = RewardsInDoubt()
    for line in book.lines:
        found.take(line)
    return found


def only(book: Book) -> DoubtfulReward:
    (found,) = followed(book).rewards.values()
    return found


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    return book


def test_a_reward_is_in_doubt_until_it_was_given_or_not(book: Book) -> None:
    for number, status in enumerate(("pending", "unconfirmed", "delivered", "refused", "cancelled"), 1):
        reward(book, number, batch=3, order=number)
        reward(book, number, status, batch=3, order=number)
    assert followed(book).rewards.keys() == {1, 2}
    assert [source for _, source in followed(book).given] == ["left"]


def test_of_the_given_rewards_the_last_ones_are_kept(book: Book) -> None:
    for number in range(1, MAX_GIVEN + 10):
        reward(book, number, "delivered", batch=number, order=0)
    assert len(followed(book).given) == MAX_GIVEN
    assert followed(book).given[-1] == (book._t_us, "left")


def test_a_refusal_of_a_later_epoch_is_of_another_batch(book: Book) -> None:
    reward(book, 1, batch=3, order=0)
    book.command(3, DROP)
    book.lease(1, 3)
    book.refused(3, 0)
    assert followed(book).not_given == {}


# --- what may have given it -----------------------------------------------------------------------------------


def test_an_order_is_known_by_its_batch_and_its_place(book: Book) -> None:
    reward(book, 1, batch=259, order=1)
    book.command(259, CANCEL, DROP)
    assert only(book).may_be_of(ORDER), "the board counts batches modulo 256"
    assert not only(book).may_be_of(("order", 3, 0))
    assert not only(book).may_be_of(("sequence", 3, 1))
    assert followed(book).actions == {ORDER: DROP}


def test_a_reflex_is_known_by_its_group_and_gives_what_the_member_with_that_edge_gives(book: Book) -> None:
    reward(book, 1, group=7)
    book.command(3, ARMED)
    assert only(book).may_be_of(LEFT)
    assert not only(book).may_be_of(("reflex", 8, ("left.beam", 1)))
    assert not only(book).may_be_of(ENTRY), "none of its members starts a sequence"
    assert followed(book).actions == {LEFT: DROP, ("reflex", 7, ("right.beam", 1)): LARGE}


def test_a_reflex_that_starts_a_sequence_may_give_what_sequences_give(book: Book) -> None:
    reward(book, 1, group=7)
    book.command(3, Arm(7, None, (("left.beam", 1, Start(1)),)))
    assert only(book).may_be_of(ENTRY)
    assert not only(book).may_be_of(ORDER)


def test_an_entry_of_a_sequence_is_known_by_its_place_in_the_order_of_times(book: Book) -> None:
    book.command(3, Load(2, ((9_000, LARGE), (0, Set("left.light", True)), (9_000, DROP))))
    reward(book, 1, sequence=2, entry=1)
    assert only(book).may_be_of(ENTRY)
    assert not only(book).may_be_of(("sequence", 2, 2))
    assert followed(book).actions == {ENTRY: LARGE, ("sequence", 2, 2): DROP}


def test_what_is_ordered_later_under_the_same_cause_takes_its_place(book: Book) -> None:
    book.command(3, CANCEL, DROP)
    book.command(259, CANCEL, LARGE)
    assert followed(book).actions == {ORDER: LARGE}


# --- what the lines themselves decide -------------------------------------------------------------------------


def test_an_order_whose_line_was_never_written_was_never_sent(book: Book) -> None:
    reward(book, 1, batch=3, order=1)
    reward(book, 2, group=7)
    assert {number: line.status for number, line in followed(book).not_given.items()} == {
        1: RewardStatus.REFUSED,
        2: RewardStatus.CANCELLED,
    }
    book.command(3, CANCEL, DROP)
    assert followed(book).not_given.keys() == {2}
    book.command(4, ARMED)
    assert followed(book).not_given == {}


def test_a_sequence_may_be_started_by_a_reflex_and_needs_no_order(book: Book) -> None:
    reward(book, 1, sequence=2, entry=1)
    assert followed(book).not_given == {}


@pytest.mark.parametrize("place", [1, 255])
def test_an_order_that_an_unread_event_refuses_was_not_given(book: Book, place: int) -> None:
    reward(book, 1, batch=3, order=1)
    book.command(3, CANCEL, DROP)
    book.refused(3, 0)
    book.refused(4, 1)
    assert followed(book).not_given == {}
    book.refused(3, place)
    assert followed(book).not_given.keys() == {1}


def test_of_the_rewards_before_a_break_nothing_is_known(book: Book) -> None:
    reward(book, 1, batch=3, order=1)
    book.lease(1, 2)
    assert followed(book).expirations == 1
    book.write(Continued(book._now(), 1_000, "reset", restarted=False))
    reward(book, 1, "unconfirmed", batch=3, order=1)
    reward(book, 2, "pending", batch=1, order=0)
    found = followed(book)
    assert found.rewards.keys() == found.not_given.keys() == {2}
    assert found.expirations == 0
