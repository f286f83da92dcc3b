from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import NotReadyError, TaskError
from rig.core.model.actions import NOTHING, Arm, Disarm, Start
from rig.core.model.events import SequenceStarted
from rig.core.model.microseconds import exact_s
from rig.core.model.patterns import EdgePattern, LevelPattern
from tests.core.engine.engine_bench import DROP, LEFT, LEFT_OUT, ON, RIGHT
from tests.core.task.task_bench import TaskBench

RIGHT_OUT = EdgePattern("right.beam", 0)


@dataclass
class Place:
    """What a port, a zone and a hopper have in common."""

    name: str

    def __post_init__(self):
        channel = f"{self.name}.beam"
        self.on_entry, self.on_exit, self.clear = (
            EdgePattern(channel, 1),
            EdgePattern(channel, 0),
            LevelPattern(channel, 0),
        )


PLACES = (Place("left"), Place("right"))


@pytest.fixture
def bench():
    return TaskBench()


# --- deadlines ------------------------------------------------------------------------------------------------


def test_a_wait_until_a_time_of_the_session_ends_then(bench):
    bench.engine.time.now_us = 200
    assert bench.during(bench.task.first(LEFT, until_s=0.0005), bench.time(501)) is None
    assert bench.task.now_us == 500
    assert bench.during(bench.task.until(PLACES[0].clear, until_s=0.0007)) == PLACES[0].clear
    bench.during(bench.task.sleep(until_s=0.0007), bench.time(701))
    assert bench.task.now_us == 700


def test_a_time_that_is_past_is_now(bench):
    bench.engine.time.now_us = 800
    assert bench.during(bench.task.first(LEFT, until_s=0.0005), bench.time(801)) is None
    assert bench.task.now_us == 800


@pytest.mark.parametrize("wait", ["first", "until", "react"])
def test_a_wait_has_one_end(bench, wait):
    with pytest.raises(TaskError, match="two ends of one wait: give one of them"):
        getattr(bench.task, wait)(within=1, until_s=2)


def test_a_sleep_has_an_end(bench):
    with pytest.raises(TaskError, match="sleep without an end: give it seconds, or until_s"):
        bench.task.sleep()
    with pytest.raises(TaskError, match="sleep is -1 s: wanted 0 or more"):
        bench.task.sleep(-1)


# --- the board answers ----------------------------------------------------------------------------------------


def test_the_board_does_the_action_beside_the_first_edge(bench):
    async def play():
        edge = await bench.task.react((LEFT, DROP), (RIGHT, NOTHING), within=0.0005)
        await bench.task.first(RIGHT)
        return edge

    edge = bench.edge(LEFT, 5, fired=1)
    assert bench.during(play(), edge, bench.edge(RIGHT, 600)) == edge
    assert bench.orders == [[Arm(1, 500, (("left.beam", 1, DROP), ("right.beam", 1, NOTHING)))]]
    assert [reward.delivered_by for reward in bench.task.rewards] == ["board"]


def test_a_reaction_that_did_not_come_is_disarmed(bench):
    async def play():
        assert await bench.task.react((LEFT, DROP), until_s=0.0005) is None
        bench.task.do(ON)
        await bench.task.first(RIGHT)

    bench.during(play(), bench.time(501), bench.edge(RIGHT, 600))
    assert bench.orders[1:] == [[Disarm(1), ON]]


def test_a_reflex_without_members_is_none(bench):
    async def play():
        with bench.task.reflex():
            await bench.task.first(LEFT)

    bench.during(play(), bench.edge(LEFT, 5))
    assert bench.orders == []


# --- places that are clear, and quiet -------------------------------------------------------------------------


def test_a_session_whose_beams_are_broken_does_not_begin(bench):
    bench.task.require_clear(*PLACES)
    bench.during(bench.task.first(RIGHT), bench.edge(LEFT, 1), bench.edge(RIGHT, 2))
    with pytest.raises(NotReadyError, match="the beam of left and right is broken before the session"):
        bench.task.require_clear(*PLACES)


def test_all_places_are_clear_at_once(bench):
    async def play():
        await bench.task.first(RIGHT)
        await bench.task.wait_clear(*PLACES)
        return bench.task.now_us

    edges = [
        bench.edge(*each) for each in [(LEFT, 1), (RIGHT, 2), (LEFT_OUT, 3), (LEFT, 4), (RIGHT_OUT, 5), (LEFT_OUT, 6)]
    ]
    assert bench.during(play(), *edges) == 6
    assert bench.during(play_clear(bench)) == 6


async def play_clear(bench):
    await bench.task.wait_clear(*PLACES)
    return bench.task.now_us


def quiet(bench, *events, seconds=0.0005, **how):
    """Return when an interval is over, in microseconds."""
    bench.during(bench.task.quiet(seconds, *PLACES, **how), *events)
    return bench.task.now_us


def test_an_interval_is_quiet_when_nothing_came(bench):
    assert quiet(bench, bench.time(501)) == 500


def test_an_interval_counts_from_a_time_of_the_session(bench):
    bench.engine.time.now_us = 300
    assert quiet(bench, bench.time(601), since_s=0.0001) == 600
    assert quiet(bench, since_s=0.0001) == 600


def test_an_entry_starts_the_interval_again_once_the_place_is_clear(bench):
    assert quiet(bench, bench.edge(LEFT, 200), bench.edge(LEFT_OUT, 250), bench.time(751)) == 750


def test_an_interval_that_is_not_started_again_stands_still_while_a_place_is_occupied(bench):
    assert quiet(bench, bench.edge(LEFT, 200), bench.edge(LEFT_OUT, 250), bench.time(551), restart=False) == 550


def test_an_interval_may_go_on_beside_an_occupied_place(bench):
    assert quiet(bench, bench.edge(LEFT, 200), bench.time(701), clear=False) == 700
    bench = TaskBench()
    assert quiet(bench, bench.edge(LEFT, 200), bench.time(501), clear=False, restart=False) == 500


# --- what was read --------------------------------------------------------------------------------------------


def test_seconds_are_exact_to_the_microsecond(bench):
    bench.engine.time.now_us = 12_455_123
    assert bench.task.elapsed_s(12.0) == 0.455123 != bench.task.now_s - 12.0
    assert bench.edge(LEFT, 12_455_123).after_s(12.0) == 0.455123
    assert bench.edge(LEFT, 12_455_123).t_s == 12.455123


@given(st.integers(0, 10**11), st.integers(0, 10**9))
def test_sums_of_seconds_are_exact_when_they_are_rounded(t_us, span_us):
    assert exact_s(t_us / 1e6 + span_us / 1e6) == (t_us + span_us) / 1e6
    assert exact_s((t_us + span_us) / 1e6 - t_us / 1e6) == span_us / 1e6


def test_a_sequence_tells_when_it_last_began(bench):
    loaded = bench.task.sequence((0, ON))
    assert bench.task.began_s(loaded) is None
    bench.during(bench.task.first(LEFT), SequenceStarted(1_500, loaded.number, "order", 1, 9), bench.edge(LEFT, 2_000))
    assert (bench.task.began_s(loaded), bench.task.began_us(loaded)) == (0.0015, 1_500)
    assert loaded.start_action == Start(loaded.number)
