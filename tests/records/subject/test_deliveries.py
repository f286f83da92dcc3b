"""What was given, by the reward lines of a journal: as the session's own count, and as the world saw it."""

import pytest

from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.kinds import RewardLine
from rig.core.model.actions import Amount
from sim_hardware.link_model import LinkFaults
from tests.harness import FaultHarness, poke, run_harness, scripted_subject
from tests.records.journals import Book
from tests.session_specs import protocol_spec

NONE = (0, Amount())


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    return book


def given(book: Book) -> DeliveredRewards:
    following = DeliveredRewards()
    for line in book.lines:
        following.take(line)
    return following


@pytest.mark.parametrize("status", ["delivered", "unconfirmed", "pending"])
def test_what_was_or_may_have_been_given_counts_once_however_many_lines_it_has(book: Book, status: str) -> None:
    book.gave(1, "pending")
    book.gave(1, "pending")
    book.gave(1, status)
    assert given(book).total == (1, Amount(2.5))
    assert given(book).delivered == ((1, Amount(2.5)) if status == "delivered" else NONE)


@pytest.mark.parametrize("status", ["refused", "cancelled"])
def test_what_was_refused_or_cancelled_counts_nothing(book: Book, status: str) -> None:
    book.gave(1, "pending")
    book.gave(1, status)
    assert given(book).total == given(book).uncertain == NONE


def test_of_a_reward_the_last_amount_counts(book: Book) -> None:
    book.gave(1, "pending", Amount(5))
    book.gave(1, "delivered", Amount(2.5))
    book.gave(2, "pending", Amount(5))
    book.gave(2, "delivered", Amount(pellets=3))
    book.gave(3, "pending", Amount(access_s=1.5))
    assert given(book).total == (3, Amount(2.5, 3, 1.5))
    assert given(book).uncertain == (1, Amount(access_s=1.5))


def test_what_is_pending_does_not_become_less_by_a_line_that_says_less(book: Book) -> None:
    book.gave(1, "pending", Amount(5))
    book.gave(1, "pending", Amount(2.5))
    assert given(book).total == (1, Amount(5))


def test_a_large_amount_that_is_taken_back_takes_nothing_of_the_others(book: Book) -> None:
    large, small = Amount(1e12), Amount(0.1)
    book.gave(1, "pending", large)
    book.gave(2, "pending", small)
    book.gave(1, "refused", large)
    assert given(book).total == (1, small)
    book.gave(2, "refused", small)
    assert given(book).total == NONE


def test_a_reward_stands_in_its_minute_and_what_is_pending_at_the_latest(book: Book) -> None:
    book._t_us = 59_990_000
    book.gave(1)
    book._t_us = 60_000_000
    book.gave(2)
    book.gave(3, "pending")
    assert given(book).rows() == [(0, 2.5, 0, 0), (1, 2.5, 0, 0), (16, 2.5, 0, 0)]


def test_after_a_power_cut_at_least_the_allowance_counts(book: Book) -> None:
    book.gave(1)
    book.line("allowance", rewards=9, ul=18.0, pellets=0, access_s=0.0)
    following = DeliveredRewards(went_down=True)
    for line in book.lines:
        following.take(line)
    assert following.total == (9, Amount(18))
    assert given(book).total == (1, Amount(2.5))


def counted(harness: FaultHarness) -> None:
    openings = len(harness.openings("left.valve")) + len(harness.openings("right.valve"))
    following = DeliveredRewards()
    for line in harness.journal:
        following.take(line)
    assert following.total == following.delivered == (harness.footer.rewards, Amount(harness.footer.ul))
    assert following.total.rewards == openings
    assert openings >= 3


@pytest.mark.parametrize("seed", range(5))
def test_the_drops_of_a_session_are_those_of_its_footer_and_of_the_world(seed: int) -> None:
    rate = (0, 1e-4, 1e-3)[seed % 3]
    faults = LinkFaults(0.003, 0.004, flip=rate, drop=rate, double=rate, seed=seed)
    pokes = []
    for trial in range(8):
        at_s = 2 + 4 * trial
        side = "left" if trial % 2 else "right"
        pokes += [poke("center", at_s, 0.1), poke(side, at_s + (0.12 if seed % 2 else 0.5), 0.3)]

    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: [
            harness.rig.board._clock.call_later(at_s, harness.session.request, "reward left")
            for at_s in (4.51, 12.3, 20)
        ]

    counted(
        run_harness(
            protocol_spec(p_high=1, iti_min_s=0.5, stop_session_s=40),
            scripted_subject(*pokes),
            faults=faults,
            arrange=arrange,
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_wherever_a_journal_is_cut_it_counts_at_least_what_had_left_the_valves(seed: int) -> None:
    rate = (0, 1e-3)[seed % 2]
    faults = LinkFaults(0.003, 0.004, flip=rate, drop=rate, double=rate, seed=seed)
    pokes = []
    for trial in range(6):
        at_s = 2 + 4 * trial
        pokes += [poke("center", at_s, 0.1), poke("left" if trial % 2 else "right", at_s + 0.3, 0.3)]
    harness = run_harness(
        protocol_spec(p_high=1, iti_min_s=0.5, stop_session_s=30), scripted_subject(*pokes), faults=faults
    )
    openings = [t_us for side in ("left", "right") for t_us, _ in harness.openings(f"{side}.valve")]
    following = DeliveredRewards()
    for line in harness.journal:
        following.take(line)
        if not isinstance(line, RewardLine):
            truly = sum(t_us < line.t_us for t_us in openings)
            assert truly <= following.total.rewards <= truly + 2, "at most a drop that falls just now, and a port armed"
    assert following.total == (len(openings), Amount(2.5 * len(openings)))
