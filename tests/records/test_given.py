"""What left the valves, by the journal: as the session's own count, and as the world saw it."""

import pytest

from rig.core.actions import Amount
from rig.core.events import Started
from rig.records.given import gifts
from sim_hardware.wire import Faults
from tests.records.journals import Book
from tests.session.stage import Stage, play, poke, script_for, setting

ARM = "arm 3 until 900: left.beam+ pulse left.valve 40000 (2.5 ul); right.beam+ nothing; centre.beam- cancel"
DROP = "pulse left.valve 40000 (2.5 ul)"


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    return book


def given(book: Book) -> list[float]:
    return [gift.ul for gift in gifts(book.lines)]


def test_a_reflex_that_fired_at_a_paying_member_gave_a_drop(book: Book) -> None:
    book.command(1, ARM, "left.light on")
    assert given(book) == []
    book.edge("left.beam", 1, fired=3)
    assert given(book) == [2.5]


@pytest.mark.parametrize(("channel", "level"), [("right.beam", 1), ("centre.beam", 0), ("left.beam", 0)])
def test_a_reflex_that_fired_at_another_member_gave_nothing(book: Book, channel: str, level: int) -> None:
    book.command(1, ARM)
    book.edge(channel, level, fired=3)
    assert given(book) == []


def test_an_edge_that_fired_nothing_gave_nothing(book: Book) -> None:
    book.command(1, ARM)
    book.edge("left.beam", 1)
    assert given(book) == []


def test_a_group_without_an_end_and_a_group_armed_anew_are_read(book: Book) -> None:
    book.command(1, ARM)
    book.command(2, "arm 3: left.beam+ pulse left.valve 16000 (1 ul); right.beam+ pulse right.valve 20000 (1e-05 ul)")
    book.edge("left.beam", 1, fired=3)
    book.command(3, "arm 4: right.beam+ pulse right.valve 20000 (12.25 ul)")
    book.edge("right.beam", 1, fired=4)
    assert given(book) == [1.0, 12.25]


def test_an_order_counts_once_the_board_has_executed_it(book: Book) -> None:
    book.command(1, "left.light off", DROP)
    book.command(2, "pulse right.valve 1000 (1 ul)")
    assert given(book) == []
    book.done(1)
    assert given(book) == [2.5]
    book.time(2)
    assert given(book) == [2.5, 1.0], "the time answer says what was executed, where the acknowledgement was lost"
    book.done(2)
    book.time(2)
    assert given(book) == [2.5, 1.0], "and neither counts it twice"


def test_a_pulse_that_is_no_payment_is_no_drop(book: Book) -> None:
    book.command(1, "pulse left.light 40000", "train left.valve 1 2 3")
    book.done(1)
    assert given(book) == []


def test_an_order_that_the_board_refused_is_no_drop(book: Book) -> None:
    book.command(1, "left.light on", DROP, "pulse right.valve 1000 (1 ul)")
    book.refused(1, 1)
    book.done(1)
    assert given(book) == [1.0]


def test_after_a_lease_numbers_begin_anew_and_what_was_not_executed_never_is(book: Book) -> None:
    book.command(1, DROP)
    book.command(2, "pulse left.valve 16000 (1 ul)")
    book.lease(2, executed=1)
    assert given(book) == [2.5]
    book.command(3, DROP)  # made in ignorance of the lease: never sent
    book.command(1, "pulse left.valve 20000 (4 ul)", era=1)
    book.done(1)
    book.time(3)
    assert given(book) == [2.5, 4.0]


def counted(stage: Stage) -> None:
    openings = len(stage.openings("left")) + len(stage.openings("right"))
    found = [gift.ul for gift in gifts(stage.journal)]
    assert (len(found), sum(found)) == (stage.footer["rewards"], stage.footer["ul"])
    assert len(found) == openings
    assert openings >= 3


@pytest.mark.parametrize("seed", range(5))
def test_the_drops_of_a_session_are_those_of_its_footer_and_of_the_world(seed: int) -> None:
    rate = (0, 1e-4, 1e-3)[seed % 3]
    faults = Faults(0.003, 0.004, flip=rate, drop=rate, double=rate, seed=seed)
    pokes = []
    for trial in range(8):
        at_s = 2 + 4 * trial
        side = "left" if trial % 2 else "right"
        pokes += [poke("centre", at_s, 0.1), poke(side, at_s + (0.12 if seed % 2 else 0.5), 0.3)]

    def direct(stage: Stage) -> None:
        stage.session.on_opened = lambda opened: [
            stage.sim.board._clock.call_later(at_s, stage.session.request, "reward left") for at_s in (4.51, 12.3, 20)
        ]

    counted(play(setting(p_high=1, iti_min_s=0.5, stop_session_s=40), script_for(*pokes), faults=faults, direct=direct))


def test_a_meal_was_given_when_its_sequence_started_and_not_when_its_countdown_did(book: Book) -> None:
    book.command(1, "load 2: +0 train left_feeder 50000 500000 3 (3 pellets)")
    book.command(2, "load 1: +0 ramp speaker 1350 -175 100000 1000000 3; +2000000 start 2", "start 1")
    book.event(Started(5, 1, 1))
    assert list(gifts(book.lines)) == []
    book.event(Started(2_000_005, 2, 2))
    assert list(gifts(book.lines)) == [Amount(pellets=3)]
    book.command(3, "pulse left_feeder 50000 (1 pellet)")
    book.done(3)
    assert list(gifts(book.lines)) == [Amount(pellets=3), Amount(pellets=1)]


def test_a_hopper_gave_seconds_of_access(book: Book) -> None:
    book.command(1, "pulse hopper.hopper 3000000 (3 s)", "pulse hopper.light 3000000")
    book.done(1)
    assert list(gifts(book.lines)) == [Amount(access_s=3)]
