"""What a journal says of the openings that its rewards caused, or may have caused."""

from __future__ import annotations

import pytest

from rig.core.journal.kinds import BatchDone, RewardLine
from rig.core.model.actions import CANCEL, Amount, Arm, Load, Pulse, RewardAction, Start, Train
from rig.core.model.events import BoardTime, Edge, LeaseExpired, Overflow
from rig.core.model.line import Line
from rig.core.model.reward import Reward, RewardStatus
from rig.records.openings.expected import MAX_DELAY_US, ExpectedOpenings
from rig.records.openings.match import Expected, Way
from tests.records.journals import Book

DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
LARGE = RewardAction(Pulse("right.valve", 80_000), "right", 5.0)
MEAL = RewardAction(Train("feeder.feeder", 30_000, 400_000, 3), "feeder", pellets=3)
LEFT = Way("left.valve", 40_000, "left", Amount(ul=2.5))
RIGHT = Way("right.valve", 80_000, "right", Amount(ul=5.0))
ARMED = Arm(7, None, (("left.beam", 1, DROP), ("right.beam", 1, LARGE), ("center.beam", 1, CANCEL)))


def order(book: Book, number: int, status: str = "pending", batch: int = 3, place: int = 1) -> None:
    known = Reward(Amount(2.5), "left", "host", book._now(), "order", RewardStatus(status), number)
    known.batch, known.order = batch, place
    book.reward(known)


def reflex(book: Book, number: int, status: str = "pending", ul: float = 5.0) -> None:
    source = "right" if ul == 5.0 else "left"
    book.reward(Reward(Amount(ul), source, "board", book._now(), "reflex", RewardStatus(status), number, group=7))


def followed(book: Book) -> ExpectedOpenings:
    found = ExpectedOpenings()
    for line in book.lines:
        found.take(line)
    return found


def only(book: Book) -> Expected:
    (found,) = followed(book).expected()
    return found


def t_of(book: Book, kind: type[Line]) -> int:
    return next(line.t_us for line in reversed(book.lines) if isinstance(line, kind))


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    return book


# --- orders ---------------------------------------------------------------------------------------------------


def test_an_order_whose_line_was_never_written_was_never_sent(book: Book) -> None:
    order(book, 1)
    assert followed(book).not_given == {1}
    book.command(3, CANCEL, DROP)
    assert followed(book).not_given == set()
    assert only(book).ways == (LEFT,)


def test_an_order_opens_after_the_last_answer_that_did_not_count_it(book: Book) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    assert only(book).from_us == t_of(book, RewardLine)
    book.time(2)
    # An edge says nothing of an order on its way.
    book.edge("left.beam", 1)
    assert (only(book).from_us, only(book).until_us) == (t_of(book, BoardTime), None)


def test_an_acknowledged_order_opens_at_its_stamp(book: Book) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    book.done(3)
    book.time(2)
    assert only(book).from_us == only(book).until_us == t_of(book, BatchDone)


def test_an_order_that_an_unread_answer_counts_has_opened_by_then(book: Book) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    book.time(3)
    assert only(book).until_us == t_of(book, BoardTime)


@pytest.mark.parametrize("place", [1, 255])
def test_an_order_that_an_unread_event_refuses_was_not_given(book: Book, place: int) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    book.refused(3, 0)
    assert followed(book).not_given == set()
    book.refused(3, place)
    assert followed(book).not_given == {1}


def test_a_confirmed_order_has_opened_between_its_order_and_its_confirmation(book: Book) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    book.time(3)
    order(book, 1, "delivered")
    found = only(book)
    assert (found.is_certain, found.ways, found.until_us) == (True, (LEFT,), t_of(book, BoardTime))


def test_a_refused_reward_is_expected_no_more(book: Book) -> None:
    order(book, 1)
    book.command(3, CANCEL, DROP)
    order(book, 1, "refused")
    assert followed(book).expected() == []


# --- reflexes and sequences -----------------------------------------------------------------------------------


def test_an_armed_reflex_may_have_fired_after_the_last_event(book: Book) -> None:
    reflex(book, 1)
    book.command(3, ARMED)
    book.edge("left.beam", 0)
    found = only(book)
    assert (found.ways, found.from_us, found.until_us) == ((LEFT, RIGHT), t_of(book, Edge), None)


def test_a_reflex_whose_edge_the_task_had_not_read_has_fired_at_it(book: Book) -> None:
    reflex(book, 1)
    book.command(3, ARMED)
    book.edge("left.beam", 1, fired=7)
    fired_us = t_of(book, Edge)
    book.edge("left.beam", 0)
    assert only(book).from_us == fired_us


@pytest.mark.parametrize("effects", [0, 1])
def test_lost_events_may_be_the_reflexs_own_if_they_say_so(book: Book, effects: int) -> None:
    reflex(book, 1)
    book.command(3, ARMED)
    armed_us = t_of(book, RewardLine)
    book.write(Overflow(book._now(), 3, 1, effects, book._next()))
    book.edge("left.beam", 0)
    edge_us = t_of(book, Edge)
    reflex(book, 1, "unconfirmed")
    assert only(book).from_us == (armed_us if effects else edge_us)


def test_an_expired_lease_ends_what_a_reflex_may_do(book: Book) -> None:
    reflex(book, 1)
    book.command(3, ARMED)
    book.lease(1, 3)
    assert only(book).until_us == t_of(book, LeaseExpired)
    assert followed(book).expirations == 1


def test_a_reflex_that_fired_opened_soon_after_its_edge_by_the_member_that_did_it(book: Book) -> None:
    reflex(book, 1)
    book.command(3, ARMED)
    book.edge("left.beam", 1, fired=7)
    reflex(book, 1, "delivered", 2.5)
    found = only(book)
    at_us = t_of(book, RewardLine)
    assert (found.ways, found.from_us, found.until_us) == ((LEFT,), at_us, at_us + MAX_DELAY_US)


def test_a_sequence_may_give_what_any_of_its_contents_gives_also_by_one_that_it_starts(book: Book) -> None:
    book.command(1, Load(2, ((0, MEAL),)))
    book.command(2, Load(1, ((0, DROP), (800_000, Start(2)))))
    book.reward(Reward(Amount(pellets=3), "feeder", "board", book._now(), "sequence", number=1, sequence=1))
    book.reward(Reward(Amount(2.5), "left", "board", book._now(), "sequence", number=2, sequence=1))
    book.command(3, Start(1))
    meal, drop = followed(book).expected()
    assert meal.ways == (Way("feeder.feeder", 30_000, "feeder", Amount(pellets=3), 3, 400_000),)
    assert drop.ways == (LEFT,)
    assert followed(book).not_given == set()


def test_a_reflex_that_starts_a_sequence_gives_what_that_gives(book: Book) -> None:
    book.command(1, Load(2, ((0, LARGE),)))
    reflex(book, 1)
    book.command(2, Arm(7, None, (("left.beam", 1, Start(2)),)))
    assert only(book).ways == (RIGHT,)


def test_sequences_that_start_each_other_without_end_take_no_longer_than_their_number(book: Book) -> None:
    numbers = range(1, 201)
    for number in numbers:
        book.command(number, Load(number, ((0, DROP), *((1, Start(other)) for other in numbers))))
    book.reward(Reward(Amount(2.5), "left", "board", book._now(), "sequence", number=1, sequence=1))
    assert only(book).ways == (LEFT,)
