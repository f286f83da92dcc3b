"""Functions at events of the board and of the screen, and at times, while one wait goes on."""

import pytest

from rig.core.engine.callbacks import Timer, Watch
from rig.core.engine.event_reader import ALARM, NOTICED, TIMEOUT
from rig.core.engine.interrupts import TrialAborted
from rig.core.journal.kinds import Command, Resumed
from rig.core.model.events import DISCONNECTED, Continued, Fault, Key, Request, ZoneEvent
from rig.core.model.line import kind_of
from rig.core.model.patterns import ScreenPattern
from tests.core.engine.engine_bench import LEFT, OFF, ON, RIGHT, EngineBench
from tests.core.engine.test_event_reader import ReaderBench, edge, time

KEY = ScreenPattern("screen.key")


@pytest.fixture
def bench():
    return EngineBench()


@pytest.fixture
def seen(bench):
    """What the functions were called with, each with the task time of the call."""
    called = []

    def see(event):
        called.append((event.t_us, bench.engine.time.task_now_us))

    bench.engine.callbacks.watch(Watch(frozenset([LEFT, KEY, ("home.zone", 1)]), see))
    return called


def test_a_wait_goes_on_after_events_of_all_sources(bench, seen):
    bench.engine.time.deadline_us = 1_000
    taken = bench.wait(
        [RIGHT],
        None,
        bench.edge(LEFT, 10),
        Key(20, "a", 20, 0),
        ZoneEvent(30, "home.zone", 1, 30, 0),
        bench.edge(RIGHT, 40),
    )
    assert seen == [(10, 10), (20, 20), (30, 30)]
    assert (taken.t_us, bench.engine.time.task_now_us) == (40, 40)
    assert len(bench.engine.reader.skipped) == 2, "the skipped edges of the whole wait"


def test_an_event_that_ends_the_wait_is_seen_before_the_wait_is_over(bench, seen):
    assert bench.wait([LEFT], None, bench.edge(LEFT, 10)).t_us == 10
    assert seen == [(10, 10)]


def test_an_earlier_stamp_behind_a_later_one_keeps_its_own_task_time(bench, seen):
    # A beam that must be confirmed is reported behind an edge with a later stamp.
    assert bench.wait([RIGHT], None, bench.edge(LEFT, 50), bench.edge(RIGHT, 40)).t_us == 40
    assert seen == [(50, 50)]
    assert bench.engine.time.task_now_us == 40


def test_orders_at_a_skipped_event_leave_at_once_and_at_a_taken_one_with_the_next_wait(bench):
    bench.engine.callbacks.watch(Watch(frozenset([LEFT]), lambda event: bench.engine.orders.put(ON)))
    bench.wait([RIGHT], None, bench.edge(LEFT, 10), bench.edge(RIGHT, 20))
    assert [(line.t_us, len(line.orders)) for line in bench.lines if isinstance(line, Command)] == [(10, 1)]
    bench.wait([LEFT], None, bench.edge(LEFT, 30))
    assert bench.orders == [[ON]]
    bench.engine.orders.put(OFF)
    bench.wait([RIGHT], None, bench.edge(RIGHT, 40))
    assert bench.orders == [[ON], [ON, OFF]]


def test_timers_act_in_the_order_of_their_times_and_of_their_start(bench):
    called = []
    for name, due_us in (("late", 30), ("first", 20), ("second", 20)):
        bench.engine.callbacks.start(Timer(due_us, lambda name=name: called.append((name, bench.engine.time.now_us))))
    assert bench.wait([LEFT], 100, bench.edge(LEFT, 31)).t_us == 31
    assert called == [("first", 20), ("second", 20), ("late", 30)]


def test_a_timer_that_is_stopped_or_lies_behind_the_deadline_does_not_act(bench):
    called = []
    stopped, behind = (Timer(due_us, lambda: called.append(1)) for due_us in (20, 101))
    for timer in (stopped, behind):
        bench.engine.callbacks.start(timer)
    bench.engine.callbacks.stop(stopped)
    assert bench.wait([LEFT], 100, bench.time(200)) is None
    assert (called, bench.engine.time.task_now_us) == ([], 100)


def test_an_alarm_asks_for_the_boards_time_and_leaves_what_comes_after_it():
    reader = ReaderBench()
    assert reader.read("a", 100, edge("a", 51), alarm_us=50) is ALARM
    assert reader.asked == [50]
    assert reader.read("a", 100) == edge("a", 51)
    assert reader.read("a", 100, time(60), alarm_us=50) is ALARM
    assert reader.read("a", 100, time(101)) is TIMEOUT
    assert reader.read("a", 100, edge("a", 50, 2), alarm_us=50) == edge("a", 50, 2)


def test_an_alarm_before_a_deferred_edge_does_not_count_it_as_read():
    reader = ReaderBench()
    assert reader.read("a", 100, edge("b", 150, 4), time(120, 5)) is TIMEOUT
    assert reader.read("a", 200, alarm_us=120) is ALARM
    assert reader.reader.last_read == 3


def test_a_watched_event_is_noticed_once():
    reader = ReaderBench()
    reader.reader.watched = {("b", 1)}
    assert reader.read("a", 100, edge("b", 1)) is NOTICED
    assert reader.reader.noticed == [edge("b", 1)]


@pytest.mark.parametrize("pausing", [False, True])
def test_without_its_board_a_task_calls_nothing_before_it_goes_on(bench, pausing):
    # Another order would go to a board that is away, and a pause would end without the operator.
    engine, called = bench.engine, []
    engine.callbacks.watch(Watch(frozenset([LEFT]), lambda event: called.append(engine.orders.put(ON))))
    engine.time.may_rest = True
    pause = [Request(5, "pause", 5, 0)] if pausing else []
    lost = [Fault(10, DISCONNECTED, "the cable is out"), bench.edge(LEFT, 20)]
    with pytest.raises(TrialAborted):
        bench.wait([RIGHT], None, *pause, *lost, bench.time(30), Continued(40, 30, "link_lost", False))
    kinds = [kind_of(line) for line in bench.lines if isinstance(line, (Command, Resumed, Continued))]
    assert kinds == ["continued", "resume"][: 1 + pausing]
    assert len(called) == 1


def test_the_orders_of_many_events_that_a_break_has_held_are_batches_of_their_own(bench):
    # More than 20 orders of one instant are more than a chip takes, and would end the session.
    bench.engine.callbacks.watch(Watch(frozenset([LEFT]), lambda event: bench.engine.orders.put(ON)))
    held = [Fault(10, DISCONNECTED, "the cable is out"), *(bench.edge(LEFT, 20 + number) for number in range(30))]
    with pytest.raises(TrialAborted):
        bench.wait([RIGHT], None, *held, Continued(60, 50, "link_lost", False))
    assert bench.orders == [[ON]] * 29
    assert bench.engine.orders.pending, "the last one leaves with the next wait"


def test_an_alarm_counts_no_event_behind_a_break_as_unread():
    # A replay has all events in the inbox, a session only those that came: both name the same last event to the board.
    reader = ReaderBench()
    assert reader.read("a", 100, edge("b", 50, 4), time(120, 5)) is TIMEOUT
    for event in (time(130, 6), Continued(140, 5, "reset", False), edge("a", 150, 1)):
        reader.reader.inbox.put(event)
    assert reader.read("a", 200, alarm_us=120) is ALARM
    assert reader.reader.last_read == 5
