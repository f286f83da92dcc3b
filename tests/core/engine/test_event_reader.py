import asyncio

import pytest

from rig.core.engine.activity import ActivityLimits, ActivityMonitor
from rig.core.engine.event_reader import TIMEOUT, EventReader
from rig.core.engine.interrupts import TrialAborted
from rig.core.errors import LinkLostError, RecordError
from rig.core.journal.journal import Journal
from rig.core.model.events import BoardTime, Edge, Fault, FrameShown, Key, Overflow, Request, Touch, ZoneEvent
from rig.core.model.patterns import ScreenPattern
from sim_hardware.loop import Deadlock, VirtualLoop


class Listener:
    """A handler that remembers what it is told."""

    def __init__(self):
        self.edges, self.times, self.others = [], [], []
        self.waits = 0
        self.watch = ActivityMonitor(ActivityLimits(), lambda *what: None)
        self.deciding: set[str] = set()

    can_rest = wants_rest = is_disconnected = False

    def on_deferred(self, edge):
        pass

    def on_held(self, edge):
        pass

    def on_edge(self, edge):
        self.edges.append(edge)

    def would_fire(self, edge: Edge) -> bool:
        return edge.channel in self.deciding

    def on_time(self, answer):
        self.times.append(answer.t_us)

    def on_control_event(self, event):
        self.others.append(event)
        return TrialAborted() if isinstance(event, Overflow) else None

    def on_skipped(self):
        self.waits += 1


class ReaderBench:
    """A cursor, and what it asks for."""

    def __init__(self):
        self.heard = Listener()
        self.asked = []
        self.reader = EventReader(Journal(lambda line: None), self.heard, self.asked.append, self.heard.on_skipped)
        self.inbox = self.reader.inbox

    def read(self, wanted, deadline_us, *events, **how):
        """Read with some events that arrive while it waits."""

        async def reading():
            asked = [name if isinstance(name, tuple) else (name, 1) for name in wanted]
            return await self.reader.read(asked, deadline_us, **how)

        return run(self._meanwhile(reading(), events))

    async def _meanwhile(self, wait, events):
        waiting = asyncio.ensure_future(wait)
        await asyncio.sleep(0)
        for event in events:
            self.inbox.put(event)
        try:
            return await waiting
        finally:
            waiting.cancel()


@pytest.fixture
def bench():
    return ReaderBench()


def run(work):
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def edge(channel, t_us, number=1, level=1):
    return Edge(t_us, channel, level, 0, number)


def time(t_us, number=9):
    return BoardTime(t_us, 0, number)


def test_the_first_edge_that_was_asked_for_ends_the_wait(bench):
    assert bench.read("a", 100, edge("b", 1, 1), edge("a", 2, 2), edge("a", 3, 3)) == edge("a", 2, 2)
    assert bench.reader.skipped == [edge("b", 1, 1)]
    assert bench.reader.last_read == 2


def test_what_came_behind_the_edge_is_there_for_the_next_wait(bench):
    bench.read("a", 100, edge("a", 1, 1), edge("b", 2, 2), edge("a", 3, 3))
    assert bench.read("b", 100) == edge("b", 2, 2)
    assert bench.read("a", 100) == edge("a", 3, 3)
    assert bench.asked == [100]


@pytest.mark.parametrize(("t_us", "counts"), [(100, True), (101, False)])
def test_an_edge_at_exactly_the_deadline_counts(bench, t_us, counts):
    outcome = bench.read("a", 100, edge("a", t_us), time(500))
    assert outcome == (edge("a", t_us) if counts else TIMEOUT)


def test_a_deadline_has_passed_when_the_answer_is_later_and_not_before(bench):
    with pytest.raises(Deadlock):
        bench.read("a", 100, time(99), time(100))
    assert bench.asked == [100, 100, 100]
    assert bench.read("a", 100, time(101)) is TIMEOUT
    assert bench.heard.times == [99, 100, 101]


def test_silence_is_not_a_time_out(bench):
    with pytest.raises(Deadlock):
        bench.read("a", 100)


def test_an_edge_after_the_deadline_belongs_to_the_next_wait(bench):
    late = edge("a", 150, 1)
    assert bench.read("a", 100, late, time(160, 2)) is TIMEOUT
    assert bench.reader.skipped == []
    assert bench.reader.last_read == 0
    assert bench.heard.edges == []
    assert bench.read("a", 200) == late
    assert bench.reader.last_read == 1


def test_a_late_edge_does_not_hide_one_in_time_that_is_reported_after_it(bench):
    late, good = edge("a", 150, 1), edge("a", 90, 2)
    assert bench.read("a", 100, late, good) == good
    assert bench.reader.skipped == [late]
    assert bench.heard.edges == [late, good]
    assert bench.reader.last_read == 2


def test_late_edges_keep_their_order(bench):
    late = [edge("a", 150, 1), edge("b", 140, 2), edge("a", 160, 3)]
    bench.read("x", 100, *late, time(200, 4))
    assert [bench.read("ab", 500) for _ in late] == late


def test_with_something_to_settle_the_time_is_asked_for_at_once(bench):
    bench.read("a", 100, edge("a", 1), query_now=True)
    assert bench.asked == [0]


def test_any_answer_will_do_where_only_the_time_is_asked_for(bench):
    first = edge("a", 2)
    assert run(bench._meanwhile(bench.reader.read_time(), [first, time(3, 2)])) is TIMEOUT
    assert bench.reader.skipped == [first]
    with pytest.raises(Deadlock):
        bench.read("a", 100, time(50))


def test_a_crossing_is_read_as_an_edge_that_no_board_has_numbered(bench):
    crossing = ZoneEvent(50, "a", 1, 7, 9)
    assert bench.read("a", 100, edge("b", 1, 4), crossing, edge("b", 60, 5)) == crossing.edge
    assert bench.reader.last_read == 4
    bench.inbox.put(crossing)
    bench.reader.drain()
    assert bench.heard.edges[-1] == crossing.edge
    assert bench.reader.last_read == 5


def test_a_late_crossing_does_not_hide_what_the_board_has_said(bench):
    late = ZoneEvent(150, "b", 1, 7, 9)
    assert bench.read("a", 100, edge("b", 1, 4), late, time(160, 5)) is TIMEOUT
    assert bench.reader.last_read == 5
    assert bench.read("b", 200) == late.edge


def test_an_interruption_ends_the_wait_and_the_rest_waits_for_the_next(bench):
    assert isinstance(bench.read("a", 100, Overflow(1, 3, 0, 0, 5), edge("a", 2, 6)), TrialAborted)
    assert bench.reader.last_read == 5
    assert bench.read("a", 100) == edge("a", 2, 6)


def test_what_the_host_itself_puts_in_has_no_number_of_the_board(bench):
    bench.read("a", 100, edge("b", 1, 4), Request(2, "reward left"), Fault(2, "wire", ""), time(101, 4))
    assert bench.reader.last_read == 4
    assert len(bench.heard.others) == 2


def test_a_failure_is_reported_when_everything_before_it_has_been_read(bench):
    async def main():
        waiting = bench.reader.read([("a", 1)], 100)
        bench.inbox.events.append(edge("b", 1))
        bench.inbox.fail(LinkLostError("gone"))
        return await waiting

    assert isinstance(run(main()), LinkLostError)
    assert bench.heard.edges == [edge("b", 1)]
    assert isinstance(bench.read("a", 100), LinkLostError)


def test_the_reader_receives_every_event_that_does_not_end_its_wait(bench):
    bench.read("a", 100, edge("b", 1), edge("c", 2), edge("a", 3))
    assert bench.heard.waits == 2


def test_nobody_reads_while_nobody_waits(bench):
    bench.inbox.put(edge("a", 1))
    assert bench.heard.edges == []
    assert bench.read("a", 100) == edge("a", 1)


def test_draining_reads_what_is_left_late_edges_first(bench):
    bench.read("x", 100, edge("a", 150, 1), time(200, 2))
    rest = [edge("b", 160, 3), time(300, 4), Request(1, "stop"), Overflow(1, 1, 0, 0, 5)]
    bench.inbox.events.extend(rest)
    assert bench.reader.drain() == [edge("a", 150, 1), *rest]
    assert bench.heard.edges == [edge("a", 150, 1), edge("b", 160, 3)]
    assert bench.heard.times == [200, 300]
    assert len(bench.heard.others) == 2
    assert bench.reader.drain() == []


def test_a_late_edge_that_decides_a_reflex_ends_the_wait(bench):
    bench.heard.deciding = {"a"}
    late, in_time_but_later = edge("a", 150, 1), edge("b", 90, 2)
    assert bench.read("ab", 100, late, in_time_but_later) is TIMEOUT
    assert bench.read("ab", 200) == late


# --- touches --------------------------------------------------------------------------------------------------

PECK, DOWN, SHOWN = ScreenPattern("screen.peck"), ScreenPattern("screen.down"), ScreenPattern("screen.shown")


def touch(t_us, phase="down", peck=True):
    return Touch(t_us, phase, 1, 0.0, 0.0, 0.0, 0.0, 1, "disk", False, peck and phase == "down", t_us, 0)


def test_a_touch_that_was_asked_for_ends_the_wait_and_the_others_are_passed_over(bench):
    bounce, lift, peck = touch(1, peck=False), touch(2, "up"), touch(3)
    assert bench.read((PECK,), 100, bounce, edge("a", 2, 1), lift, peck) == peck
    assert bench.reader.skipped_touches == [bounce, lift]
    assert bench.reader.skipped == [edge("a", 2, 1)]
    assert bench.reader.last_read == 1


def test_a_bounce_is_a_touch_and_no_peck(bench):
    assert bench.read((DOWN,), 100, touch(1, peck=False)) == touch(1, peck=False)


def test_the_first_of_edges_and_touches_ends_the_wait_in_the_order_of_arrival(bench):
    assert bench.read((PECK, ("a", 1)), 100, touch(5), edge("a", 4, 1)) == touch(5)
    assert bench.read((PECK, ("a", 1)), 100) == edge("a", 4, 1)


@pytest.mark.parametrize(("t_us", "counts"), [(100, True), (101, False)])
def test_a_touch_at_exactly_the_deadline_counts_and_a_later_one_belongs_to_the_next_wait(bench, t_us, counts):
    outcome = bench.read((PECK,), 100, edge("a", 1, 1), touch(t_us), time(500, 2))
    assert outcome == (touch(t_us) if counts else TIMEOUT)
    assert bench.reader.last_read == (1 if counts else 2)
    if not counts:
        assert bench.read((PECK,), 1000) == touch(t_us)


def test_a_late_touch_does_not_hide_how_far_the_board_was_read(bench):
    bench.read((PECK,), 100, edge("a", 1, 1), touch(150), edge("a", 160, 2), time(500, 3))
    assert bench.reader.last_read == 1
    assert bench.read((PECK,), 1000) == touch(150)
    assert bench.read((("a", 1),), 1000) == edge("a", 160, 2)
    assert bench.reader.last_read == 2


def test_what_appears_on_the_screen_may_be_waited_for_and_is_no_sign_of_life(bench):
    appeared = FrameShown(5, 1, "scene", 5, 0)
    assert bench.read((SHOWN,), 100, touch(3), appeared) == appeared
    assert bench.heard.watch.next_check_us == ActivityLimits().alert_us + 3


def test_a_key_may_be_waited_for_and_is_a_sign_of_life(bench):
    key = Key(7, "a", 7, 0)
    assert bench.read((ScreenPattern("screen.key"),), 100, touch(3), key) == key
    assert bench.heard.watch.next_check_us == ActivityLimits().alert_us + 7
    assert bench.reader.skipped_touches == [touch(3)]


def test_touches_that_are_left_are_drained(bench):
    bench.inbox.put(touch(1))
    bench.inbox.put(FrameShown(5, 1, "scene", 5, 0))
    assert len(bench.reader.drain()) == 2
    assert bench.reader.skipped_touches[-1:] == [touch(1)]


# --- when the time is asked for -------------------------------------------------------------------------------


@pytest.fixture
def watchful():
    bench = ReaderBench()
    bench.heard.watch = ActivityMonitor(ActivityLimits(stuck_us=1_000), lambda *what: None)
    take = bench.heard.on_edge
    bench.heard.on_edge = lambda edge: (take(edge), bench.heard.watch.on_edge(edge))
    return bench


@pytest.mark.parametrize(("wanted", "deadline_us"), [(("b",), 1 << 60), ((), 50_000), (("b",), 50_000)])
def test_an_input_that_goes_on_while_something_else_is_waited_for_has_its_time_asked_for(watchful, wanted, deadline_us):
    watchful.read(wanted, deadline_us, edge("a", 20, 1), edge("b", 30, 2), time(60_000, 3))
    assert watchful.asked[:2] == [deadline_us, 1_020]


def test_a_deadline_before_that_time_stays(watchful):
    watchful.read(("b",), 500, edge("a", 20, 1), edge("b", 30, 2))
    assert watchful.asked == [500]


def test_what_is_asked_for_at_once_is_not_put_off_by_an_input_that_goes_on(watchful):
    watchful.read(("b",), 1 << 60, edge("a", 20, 1), edge("b", 30, 2), query_now=True)
    assert watchful.asked == [0]


def test_an_input_that_is_on_before_a_wait_begins_has_its_time_asked_for(watchful):
    watchful.read(("a",), 1 << 60, edge("a", 20, 1))
    watchful.read(("b",), 1 << 60, edge("b", 30, 2))
    assert watchful.asked[-1] == 1_020


def test_a_journal_that_failed_ends_the_wait_and_leaves_the_unread_events_for_the_end(bench):
    async def main():
        waiting = asyncio.ensure_future(bench.reader.read([("a", 1)], 100))
        await asyncio.sleep(0)
        bench.inbox.add(edge("a", 1))
        bench.inbox.fail(RecordError("the disk is full"))
        return await waiting

    assert isinstance(run(main()), RecordError)
    assert bench.heard.edges == []
    assert bench.reader.drain() == [edge("a", 1)]
