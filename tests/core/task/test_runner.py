from dataclasses import dataclass
from typing import ClassVar

import pytest

from rig.core.engine.interrupts import SessionEnded, TrialAborted
from rig.core.errors import TaskError
from rig.core.journal.kinds import Note, RowLine, StateLine
from rig.core.model.events import Overflow, Request
from rig.core.model.rows import Row
from rig.core.task.random_streams import RandomStreams
from rig.core.task.runner import RunLimits, Runner
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from tests.core.engine.engine_bench import DROP, LEFT, RIGHT, EngineBench, run

SESSION_US, GRACE_US = 1_000, 500


@dataclass
class Trial(Row):
    outcome: str = "done"

    def interrupted(self):
        self.outcome = "interrupted"


class Pokes(Task[TaskParams, object, Trial]):
    """Left begins a trial, right ends it."""

    @state(to=("busy",), can_end=True)
    async def ready(self) -> Next:
        await self.first(LEFT)
        self.begin_trial(Trial())
        return self.busy

    @state(to=("ready",))
    async def busy(self) -> Next:
        await self.first(RIGHT)
        self.end_trial()
        return self.ready

    def carry_over(self):
        return {"trials": 1}


class Run(EngineBench):
    """A runner, and its task."""

    def __init__(self, task=Pokes, max_trials=None, **how):
        super().__init__(**how, started=False)
        self.task = task(TaskParams(), object(), self.engine, RandomStreams(1), {"trials": 0})
        self.runner = Runner(self.task, self.engine, RunLimits(SESSION_US, GRACE_US, max_trials))
        self.rows = self.observer.rows

    @property
    def states(self):
        return [(line.name, line.t_us) for line in self.lines if isinstance(line, StateLine)]

    def play(self, *events):
        """Run with some events from the board, begun at 10."""
        return run(self.meanwhile(self.runner.run(), self.time(10), *events))


def test_a_session_goes_from_state_to_state_at_the_stamps_of_its_edges():
    bench = Run()
    end = bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30), bench.time(SESSION_US + 1))
    assert bench.states == [("ready", 10), ("busy", 20), ("ready", 30)]
    assert end.reason == "time_limit"
    assert bench.rows == [Trial()]
    assert bench.engine.log.rows == 1


class Guests(Task[TaskParams, object, Trial]):
    """Left goes on; whose time is over hears something, until right."""

    @state(to=("ready",), can_end=True)
    async def ready(self) -> Next:
        await self.first(LEFT)
        return self.ready

    @state(to=("done",), closing=True)
    async def leave(self) -> Next:
        await self.first(RIGHT)
        return self.done

    @state(to=("done",), can_end=True)
    async def done(self) -> Next:
        return self.done


def test_a_session_whose_time_is_over_at_rest_ends_with_its_farewell():
    bench = Run(Guests)
    end = bench.play(bench.edge(LEFT, 20), bench.time(SESSION_US + 1), bench.edge(RIGHT, SESSION_US + 100))
    assert bench.states == [
        ("ready", 10),
        ("ready", 20),
        ("leave", SESSION_US),
        ("done", SESSION_US + 100),
    ]
    assert end.reason == "time_limit"


def test_a_farewell_has_the_grace_and_no_more():
    bench = Run(Guests)
    end = bench.play(bench.time(SESSION_US + 1), bench.time(SESSION_US + GRACE_US + 1))
    assert bench.states[-1] == ("leave", SESSION_US)
    assert end.reason == "time_limit"
    assert bench.engine.time.now_us == SESSION_US + GRACE_US


def test_there_is_no_farewell_for_whom_the_operator_stops():
    bench = Run(Guests)
    assert bench.play(bench.edge(LEFT, 20), Request(30, "stop")).reason == "operator"
    assert [name for name, _ in bench.states] == ["ready", "ready"]


def test_at_rest_a_session_ends_at_its_limit():
    bench = Run()
    assert bench.play(bench.time(SESSION_US), bench.time(SESSION_US + 1)).reason == "time_limit"
    assert bench.engine.time.now_us == SESSION_US


def test_elsewhere_the_trial_may_finish_within_the_grace_and_the_session_ends_at_rest():
    bench = Run()
    end = bench.play(bench.edge(LEFT, 20), bench.time(SESSION_US + 100), bench.edge(RIGHT, SESSION_US + 200))
    assert end.reason == "time_limit"
    assert bench.states[-1] == ("ready", SESSION_US + 200)
    assert bench.rows == [Trial()]


def test_after_the_grace_the_trial_is_left_open():
    bench = Run()
    end = bench.play(bench.edge(LEFT, 20), bench.time(SESSION_US + GRACE_US), bench.time(SESSION_US + GRACE_US + 1))
    assert end.reason == "time_limit"
    assert bench.engine.time.now_us == SESSION_US + GRACE_US
    assert bench.task.trial == Trial()


@pytest.mark.parametrize("max_trials", [1, 2])
def test_a_session_ends_at_rest_after_so_many_trials(max_trials):
    bench = Run(max_trials=max_trials)
    pokes = [bench.edge((LEFT, RIGHT)[n % 2], 20 + n) for n in range(2 * max_trials)]
    assert bench.play(*pokes).reason == "trial_limit"
    assert bench.engine.log.rows == max_trials


class Told(Pokes):
    """Left ends it, in the protocol's own words."""

    word = "task_finished"

    @state(to=("ready",))
    async def busy(self) -> Next:
        self.end(self.word)
        return await super().busy()


class Left(Told):
    word = "participant_left"


@pytest.mark.parametrize("task", [Told, Left])
def test_a_task_that_ends_its_session_ends_it_at_rest_and_says_why(task):
    bench = Run(task)
    assert bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30)).reason == task.word
    assert bench.states == [("ready", 10), ("busy", 20), ("ready", 30)]


@pytest.mark.parametrize("reason", ["time_limit", "reward_limit", "trial_limit", "idle", "operator"])
def test_no_later_end_hides_that_the_participant_has_left(reason):
    bench = Run(Left)
    bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30))
    end = bench.runner.final_reason(SessionEnded(reason, "in words"))
    assert (end.reason, end.detail) == ("participant_left", "in words")


@pytest.mark.parametrize(("task", "reason"), [(Left, "fault"), (Told, "operator"), (Pokes, "operator")])
def test_other_ends_keep_their_word(task, reason):
    bench = Run(task)
    bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30), bench.time(SESSION_US + 1))
    assert bench.runner.final_reason(SessionEnded(reason)).reason == reason


class Paying(Pokes):
    @state(to=("ready",))
    async def busy(self) -> Next:
        self.do(DROP)
        return await super().busy()


def test_a_trial_whose_drop_is_still_open_counts_for_the_cap():
    bench = Run(Paying, max_trials=1)
    assert bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30)).reason == "trial_limit"
    assert bench.engine.log.rows == 0
    assert bench.engine.trials.pending_rows == 1


def test_a_session_ends_at_rest_when_nothing_more_may_be_given():
    bench = Run(Paying, max_rewards=1)
    assert bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30)).reason == "reward_limit"


def test_a_cut_trial_is_written_and_the_session_begins_again():
    bench = Run()
    end = bench.play(bench.edge(LEFT, 20), Overflow(25, 1, 0, 0, bench.number + 1), Request(0, "stop"))
    assert end.reason == "operator"
    assert bench.rows == [Trial("interrupted")]
    assert bench.states == [("ready", 10), ("busy", 20), ("ready", 25)]


def test_events_lost_before_the_first_state_are_no_end():
    bench = Run()
    end = run(bench.meanwhile(bench.runner.run(), Overflow(5, 1, 0, 0, 1), bench.time(10), Request(0, "stop")))
    assert end.reason == "operator"
    assert bench.states == [("ready", 10)]


def test_a_stop_before_the_first_state_is_an_end_and_nothing_is_carried_on():
    bench = Run()
    assert run(bench.meanwhile(bench.runner.run(), Request(0, "stop"))).reason == "operator"
    assert bench.states == []
    assert bench.runner.carried_over() == {"trials": 0}


def test_what_the_task_carries_is_handed_on_once_it_has_begun():
    bench = Run()
    bench.play(Request(0, "stop"))
    assert bench.runner.carried_over() == {"trials": 1}


def test_between_trials_is_at_rest_and_while_no_reflex_is_armed():
    bench = Run()
    calls = []
    bench.observer.resting = lambda: calls.append(bench.engine.time.now_us)
    group = bench.engine.reflexes.new({LEFT: DROP})
    bench.play(
        bench.edge(LEFT, 20), lambda: bench.engine.reflexes.end(group), bench.edge(RIGHT, 30), Request(0, "stop")
    )
    assert calls == [30]


def test_a_state_that_returns_one_it_does_not_declare_is_a_mistake_of_the_protocol():
    class Astray(Pokes):
        @state(to=("ready",), can_end=True)
        async def ready(self) -> Next:
            return self.busy

    with pytest.raises(
        TaskError, match=r"Astray\.ready returned self.busy, which is a state that its to= does not name"
    ):
        Run(Astray).play()


def test_a_state_that_goes_nowhere_says_so():
    class Last(Pokes):
        @state(to=(), can_end=True)
        async def ready(self) -> Next:
            return self.busy

    with pytest.raises(TaskError, match="it may return nothing, as its to= is empty"):
        Run(Last).play()


@pytest.mark.parametrize("nothing", [None, "busy", print])
def test_what_is_not_a_state_is_a_mistake_of_the_protocol(nothing):
    class Lost(Pokes):
        @state(to=("busy",), can_end=True)
        async def ready(self) -> Next:
            return nothing

    with pytest.raises(TaskError, match=r"which is not a state; it may return self\.busy"):
        Run(Lost).play()


def test_the_end_of_a_wait_is_no_error_that_a_protocol_could_catch_by_accident():
    class Careful(Pokes):
        @state(to=("busy",), can_end=True)
        async def ready(self) -> Next:
            try:
                await self.first(LEFT)
            except Exception:
                pytest.fail("caught")
            return self.busy

    assert Run(Careful).play(Request(0, "stop")).reason == "operator"
    assert not issubclass(TrialAborted, Exception)


@dataclass
class Last(Row):
    n: int = 0


class Concluding(Pokes):
    """Sets a column that its last row does not have."""

    tables: ClassVar = {"last": Last}

    def conclude(self):
        row = Last()
        row.no_column = 1
        self.record(row)


def test_an_unknown_column_that_is_set_at_the_end_ends_a_real_session_as_it_ended():
    bench = Run(Concluding)
    bench.engine.log.keep_mistakes = True
    bench.play(bench.edge(LEFT, 20), bench.edge(RIGHT, 30), bench.time(SESSION_US + 1))
    bench.runner.conclude(SESSION_US + 1)
    assert [line.table for line in bench.lines if isinstance(line, RowLine)] == ["last"]
    assert [line.what for line in bench.lines if isinstance(line, Note)] == ["wrong_cell", "wrong_cells"]
