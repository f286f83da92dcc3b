"""What left the valves, by the journal: as the session's own count, and as the world saw it."""

import pytest

from rig.core.actions import Amount
from rig.core.events import Overflow, Started
from rig.core.given import Given
from rig.records.given import rewards
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
    return [reward.ul for reward in rewards(book.lines)]


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


def test_an_order_is_sure_once_the_board_says_in_its_events_that_it_has_executed_it(book: Book) -> None:
    book.command(1, "left.light off", DROP)
    book.command(2, "pulse right.valve 1000 (1 ul)")
    assert given(book) == []
    book.done(1)
    assert given(book) == [], "a refusal may still be on its way"
    book.time(1)
    assert given(book) == [2.5]
    book.time(2)
    book.time(2)
    assert given(book) == [2.5, 1.0], "and none counts twice"


def test_a_pulse_that_is_no_payment_is_no_drop(book: Book) -> None:
    book.command(1, "pulse left.light 40000", "train left.valve 1 2 3")
    book.done(1)
    assert given(book) == []


def test_an_order_that_the_board_refused_is_no_drop(book: Book) -> None:
    book.command(1, "left.light on", DROP, "pulse right.valve 1000 (1 ul)")
    book.refused(1, 1)
    book.time(1)
    assert given(book) == [1.0]


def test_after_a_lease_numbers_begin_anew_and_what_was_not_executed_never_is(book: Book) -> None:
    book.command(1, DROP)
    book.command(2, "pulse left.valve 16000 (1 ul)")
    book.lease(2, executed=1)
    assert given(book) == [2.5]
    book.command(3, DROP)  # made in ignorance of the lease: never sent
    book.command(1, "pulse left.valve 20000 (4 ul)", era=1)
    book.time(3)
    assert given(book) == [2.5, 4.0]


def counted(stage: Stage) -> None:
    openings = len(stage.openings("left.valve")) + len(stage.openings("right.valve"))
    found = [reward.ul for reward in rewards(stage.journal)]
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
        stage.observer.opened = lambda opened: [
            stage.rig.board._clock.call_later(at_s, stage.session.request, "reward left") for at_s in (4.51, 12.3, 20)
        ]

    counted(play(setting(p_high=1, iti_min_s=0.5, stop_session_s=40), script_for(*pokes), faults=faults, direct=direct))


def test_a_meal_was_given_when_its_sequence_started_and_not_when_its_countdown_did(book: Book) -> None:
    book.command(1, "load 2: +0 train left_feeder 50000 500000 3 (3 pellets)")
    book.command(2, "load 1: +0 ramp speaker 1350 -175 100000 1000000 3; +2000000 start 2", "start 1")
    book.event(Started(5, 1, 1))
    assert list(rewards(book.lines)) == []
    book.event(Started(2_000_005, 2, 2))
    assert list(rewards(book.lines)) == [Amount(pellets=3)]
    book.command(3, "pulse left_feeder 50000 (1 pellet)")
    book.time(3)
    assert list(rewards(book.lines)) == [Amount(pellets=3), Amount(pellets=1)]


def test_a_hopper_gave_seconds_of_access(book: Book) -> None:
    book.command(1, "pulse hopper.hopper 3000000 (3 s)", "pulse hopper.light 3000000")
    book.time(1)
    assert list(rewards(book.lines)) == [Amount(access_s=3)]


# --- what is in doubt -----------------------------------------------------------------------------------------


def doubt(book: Book) -> tuple[int, Amount]:
    given = Given()
    for line in book.lines:
        given.take(line)
    return given.doubt


NONE = (0, Amount())
BOTH = "arm 1: left.beam+ pulse left.valve 40000 (2.5 ul); right.beam+ pulse right.valve 80000 (5 ul)"


def test_an_armed_group_may_have_given_its_largest_reward(book: Book) -> None:
    book.command(1, BOTH, "arm 2: left.beam- train left_feeder 50000 500000 3 (3 pellets)")
    assert doubt(book) == (2, Amount(5, 3))
    book.edge("left.beam", 0, fired=2)
    assert doubt(book) == (1, Amount(5))


def test_an_edge_of_a_member_ends_a_group_whatever_it_fired(book: Book) -> None:
    book.command(1, BOTH)
    book.edge("left.beam", 1)
    assert doubt(book) == NONE, "the board was busy, or refuses to arm over it"


def test_an_edge_of_no_member_or_before_the_arming_ends_no_group(book: Book) -> None:
    book.edge("left.beam", 1)
    book.command(1, BOTH)
    book.edge("left.beam", 0)
    assert doubt(book) == (1, Amount(5))


def test_a_group_that_the_board_refuses_over_a_newer_edge_gives_nothing(book: Book) -> None:
    seen = book._number
    book.edge("left.beam", 1)
    book._number = seen
    book.command(1, BOTH)
    assert doubt(book) == NONE, "the host will give that drop itself"


def test_a_group_is_over_when_the_boards_time_has_passed_its_end_and_not_before(book: Book) -> None:
    book.command(1, BOTH.replace("arm 1", "arm 1 until 4000"))
    book.edge("centre.beam", 1)
    book._t_us = 3000
    book.time(0)
    assert doubt(book) == (1, Amount(5))
    book.time(0)
    assert doubt(book) == NONE


def test_a_group_is_armed_until_the_board_says_in_its_events_that_it_was_disarmed(book: Book) -> None:
    book.command(1, BOTH)
    book.command(2, "disarm 1")
    book.time(1)
    book.done(2)
    assert doubt(book) == (1, Amount(5)), "an edge that fired it may still be on its way"
    book.time(2)
    assert doubt(book) == NONE


def test_a_group_armed_anew_outlives_the_disarming_of_its_number(book: Book) -> None:
    book.command(1, BOTH)
    book.command(2, "disarm 1", BOTH)
    book.command(3, "left.light on")
    book.time(3)
    assert doubt(book) == (1, Amount(5))


def test_a_refused_arming_and_a_refused_pulse_give_nothing(book: Book) -> None:
    book.command(1, BOTH, DROP)
    assert doubt(book) == (2, Amount(7.5))
    book.refused(1, 1)
    assert doubt(book) == (1, Amount(5))
    book.refused(1, 0)
    assert doubt(book) == NONE


def test_a_pulse_is_in_doubt_until_it_is_executed_or_the_lease_is_known_to_have_expired(book: Book) -> None:
    book.command(1, DROP)
    book.command(2, DROP, BOTH)
    assert doubt(book) == (3, Amount(10))
    book.lease(2, executed=1)
    assert doubt(book) == NONE
    assert given(book) == [2.5]


def test_what_was_on_its_way_or_armed_when_events_were_lost_stays_in_doubt_for_good(book: Book) -> None:
    book.command(1, BOTH, DROP)
    book.event(Overflow(9000, 3, 9))
    assert doubt(book) == (2, Amount(7.5))
    book.time(1)
    assert doubt(book) == (2, Amount(7.5))
    assert given(book) == []


MEAL = "load 2: +0 train left_feeder 50000 500000 3 (3 pellets)"
COUNTDOWN = "load 1: +0 ramp speaker 1350 -175 100000 1000000 3; +2000000 start 2"
OWED = (1, Amount(pellets=3))


@pytest.fixture
def maze(book: Book) -> Book:
    """A countdown that leads to a meal; it runs."""
    book.command(1, MEAL)
    book.command(2, COUNTDOWN)
    assert doubt(book) == NONE
    book.command(3, "start 1")
    return book


def started(book: Book, sequence: int, t_us: int) -> None:
    book._t_us = t_us
    book.event(Started(t_us, sequence, book._next()))


def test_a_sequence_that_may_start_another_owes_what_that_one_pays(maze: Book) -> None:
    assert doubt(maze) == OWED
    started(maze, 1, 10_000)
    assert doubt(maze) == OWED
    started(maze, 2, 2_010_000)
    assert doubt(maze) == NONE
    assert list(rewards(maze.lines)) == [Amount(pellets=3)]


def test_a_start_that_the_board_refused_owes_nothing(maze: Book) -> None:
    maze.refused(3, 0)
    assert doubt(maze) == NONE


def test_a_start_inside_a_sequence_whose_time_has_long_passed_was_refused(maze: Book) -> None:
    started(maze, 1, 10_000)
    maze._t_us = 2_500_000
    maze.time(3)
    assert doubt(maze) == OWED
    maze._t_us = 3_100_000
    maze.time(3)
    assert doubt(maze) == NONE


@pytest.mark.parametrize("order", ["stop 1", COUNTDOWN, "load 1: +0 speaker on"])
def test_a_sequence_owes_until_the_board_has_executed_what_stops_it(maze: Book, order: str) -> None:
    started(maze, 1, 10_000)
    maze.command(4, order)
    maze.done(4)
    assert doubt(maze) == OWED
    maze.time(4)
    assert doubt(maze) == NONE


def test_a_reflex_that_starts_or_stops_a_sequence_is_followed(book: Book) -> None:
    book.command(1, MEAL)
    book.command(2, COUNTDOWN)
    book.command(3, "arm 1: site.beam+ start 1", "arm 2: site.beam- stop 1")
    assert doubt(book) == OWED
    book.edge("site.beam", 1, fired=1)
    assert doubt(book) == OWED
    started(book, 1, 50_000)
    assert doubt(book) == OWED
    book.edge("site.beam", 0, fired=2)
    assert doubt(book) == NONE


def test_a_stop_that_was_executed_before_the_reflex_that_starts_makes_nothing_void(book: Book) -> None:
    book.command(1, MEAL)
    book.command(2, COUNTDOWN)
    book.command(3, "arm 1: site.beam+ start 1")
    book.command(4, "stop 1")
    book.edge("site.beam", 1, fired=1)
    started(book, 1, 50_000)
    book.time(4)
    assert doubt(book) == OWED


def test_sequences_that_start_each_other_are_counted_once(book: Book) -> None:
    book.command(1, "load 1: +0 pulse left.valve 1000 (1 ul); +5 start 2")
    book.command(2, "load 2: +5 start 1")
    book.command(3, "start 2")
    assert doubt(book) == (1, Amount(1))


@pytest.mark.parametrize("seed", range(4))
def test_wherever_a_journal_is_cut_it_counts_at_least_what_had_left_the_valves(seed: int) -> None:
    rate = (0, 1e-3)[seed % 2]
    faults = Faults(0.003, 0.004, flip=rate, drop=rate, double=rate, seed=seed)
    pokes = []
    for trial in range(6):
        at_s = 2 + 4 * trial
        pokes += [poke("centre", at_s, 0.1), poke("left" if trial % 2 else "right", at_s + 0.3, 0.3)]
    stage = play(setting(p_high=1, iti_min_s=0.5, stop_session_s=30), script_for(*pokes), faults=faults)
    openings = [t_us for side in ("left", "right") for t_us, _ in stage.openings(f"{side}.valve")]
    following = Given()
    for line in stage.journal:
        following.take(line)
        truly = sum(t_us < line["t"] for t_us in openings)
        assert truly <= following.total.rewards <= truly + 2, "at most a drop that falls just now, and a port armed"
    assert following.total == (len(openings), Amount(2.5 * len(openings)))
