from dataclasses import dataclass

import pytest
from pydantic import ValidationError

from rig.core.errors import TaskError
from rig.core.journal.kinds import Note, RowLine, TrialLine
from rig.core.model.actions import NOTHING, Arm, Disarm, Load, Start, Stop
from rig.core.model.patterns import LevelPattern
from rig.core.model.rows import Row
from rig.core.task.random_streams import RandomStreams
from rig.core.task.states import Next, state
from rig.core.task.task import SET_AT_CONSTRUCTION, R, Task
from tests.core.engine.engine_bench import DROP, LEFT, LEFT_OUT, OFF, ON, RIGHT
from tests.core.task.task_bench import Box, Params, Plain, TaskBench, Trial

LEFT_FREE, LEFT_BUSY = LevelPattern("left.beam", 0), LevelPattern("left.beam", 1)


@pytest.fixture
def bench():
    return TaskBench()


# --- what is declared -----------------------------------------------------------------------------------------


def test_a_protocol_says_its_types_once():
    assert (Plain.params_type, Plain.box_type, Plain.row_type) == (Params, Box, Trial)


def test_a_protocol_made_of_another_keeps_its_types_and_adds_its_states():
    class More(Plain):
        @state(to=("rest", "more"))
        async def more(self) -> Next:
            return self.rest

    assert More.params_type is Params
    assert list(More.states) == ["rest", "more"]
    assert list(Plain.states) == ["rest"]
    assert More.states["more"].can_end is False
    assert Plain.states["rest"].doc == "Nothing, for now."


def test_a_state_that_may_go_nowhere_known_is_refused_when_it_is_written():
    with pytest.raises(TaskError, match=r"Astray\.go may go to 'nowhere', which is not a state; the states are go"):

        class Astray(Task[Params, Box, Trial]):
            @state(to=("nowhere",))
            async def go(self) -> Next:
                return self.go


def test_a_generic_base_names_no_types():
    class Base(Task[Params, Box, R]):
        pass

    assert Base.row_type is Row


def test_the_states_of_a_generic_base_may_go_to_those_of_the_tasks_made_of_it():
    class Base(Task[Params, Box, R]):
        @state(to=("go",))
        async def begin(self) -> Next:
            return self.begin

    class Made(Base[Trial]):
        @state(to=("begin",))
        async def go(self) -> Next:
            return self.go

    assert list(Made.states) == ["begin", "go"]
    with pytest.raises(TaskError, match=r"Astray\.begin may go to 'go', which is not a state"):

        class Astray(Base[Trial]):
            pass


@pytest.mark.parametrize("given", [{"pause": 1}, {"pause_s": float("nan")}])
def test_an_unknown_parameter_is_a_mistake(given):
    with pytest.raises(ValidationError):
        Params(**given)


def test_a_row_has_columns_in_the_order_of_its_fields():
    assert Trial.columns() == ("trial", "given") == tuple(Trial(1).values())


def test_a_row_of_no_use_can_be_cut_and_settled():
    row = Row()
    row.interrupted()
    row.on_rewards([])
    assert row.values() == {}


# --- waiting --------------------------------------------------------------------------------------------------


def test_first_takes_the_first_edge_and_tells_what_it_passed(bench):
    edges = [bench.edge(RIGHT, 5), bench.edge(LEFT, 6)]
    assert bench.during(bench.task.first(LEFT), *edges) == edges[1]
    assert list(bench.task.skipped) == edges[:1]
    assert (bench.task.now_us, bench.task.now_s) == (6, 0.000006)


def test_first_within_some_time_may_find_nothing(bench):
    assert bench.during(bench.task.first(LEFT, within=0.0005), bench.time(501)) is None
    assert bench.task.now_us == 500


def test_until_is_true_at_once_and_sends_nothing(bench):
    bench.task.do(ON)
    assert bench.during(bench.task.until(LEFT_BUSY, LEFT_FREE)) == LEFT_FREE
    assert bench.orders == []


def test_until_waits_for_the_edge_that_makes_it_true(bench):
    assert bench.during(bench.task.until(LEFT_BUSY), bench.edge(LEFT, 5)) == LEFT_BUSY
    assert bench.task.holds(LEFT_BUSY)
    assert not bench.task.holds(LEFT_FREE)


def test_until_within_some_time_may_find_nothing(bench):
    assert bench.during(bench.task.until(LEFT_BUSY, within=0.0005), bench.time(501)) is None


def test_sleep_passes_over_everything_up_to_its_end(bench):
    edges = [bench.edge(LEFT, 5), bench.edge(LEFT_OUT, 500)]
    bench.during(bench.task.sleep(0.0005), *edges, bench.time(501))
    assert list(bench.task.skipped) == edges


# --- doing ----------------------------------------------------------------------------------------------------


def test_leaving_a_reflex_disarms_it_in_the_batch_of_the_next_wait(bench):
    async def play():
        with bench.task.reflex((LEFT, DROP)):
            bench.task.do(ON)
            await bench.task.first(LEFT, RIGHT, within=0.0005)
        bench.task.do(OFF)
        await bench.task.first(RIGHT)

    bench.during(play(), bench.time(501), bench.edge(RIGHT, 600))
    arm = Arm(1, 500, (("left.beam", 1, DROP), ("right.beam", 1, NOTHING)))
    assert bench.orders == [[arm, ON], [Disarm(1), OFF]]


def test_a_reflex_is_left_whatever_happens_in_it(bench):
    with pytest.raises(ZeroDivisionError), bench.task.reflex((LEFT, DROP)):
        1 / 0  # noqa: B018
    assert not bench.engine.reflexes


def test_a_sequence_is_loaded_started_and_stopped(bench):
    loaded = bench.task.sequence((0, ON), (0.5, OFF))
    loaded.start()
    loaded.start(1.5)
    loaded.stop()
    bench.engine.flush()
    assert bench.orders == [[Load(1, ((0, ON), (500_000, OFF)))], [Start(1), Start(1, 1_500_000), Stop(1)]]
    assert (loaded.start_action, loaded.stop_action) == (Start(1), Stop(1))


def test_a_sequence_that_changes_keeps_its_number_and_what_it_was_last_loaded_with(bench):
    loaded = bench.task.sequence((0, ON))
    loaded.load((0.25, OFF))
    loaded.load()
    bench.engine.flush()
    assert bench.orders == [[Load(1, ((0, ON),))], [Load(1, ((250_000, OFF),))], [Load(1, ((250_000, OFF),))]]


def test_a_note_is_in_the_journal_at_task_time(bench):
    bench.engine.time.now_us = 7
    bench.task.note(mood="good")
    assert bench.lines[-1] == Note(7, fields={"mood": "good"})


def test_a_stream_is_the_sessions_own(bench):
    assert bench.task.stream("reward").random() == RandomStreams(1)("reward").random()


def test_what_is_carried_is_a_copy_and_handed_on_by_default(bench):
    assert bench.task.carry_over() == {"stage": 2}


# --- rows -----------------------------------------------------------------------------------------------------


def test_a_row_is_written_when_nothing_of_it_is_open(bench):
    task = bench.task
    task.begin_trial(Trial(1))
    task.do(DROP)
    task.end_trial()
    assert bench.engine.trials.pending_rows == 1
    assert bench.rows == []
    bench.during(task.first(LEFT), bench.on(DROP, "order", 1, 0), bench.edge(LEFT, 6))
    assert bench.rows == [Trial(1, "host delivered")]
    assert [(line.row["trial"], line.row["given"]) for line in bench.lines if isinstance(line, TrialLine)] == [
        (1, "host delivered")
    ]
    assert bench.engine.trials.pending_rows == 0


def test_rows_are_written_in_the_order_of_their_trials(bench):
    task = bench.task
    task.begin_trial(Trial(1))
    task.do(DROP)
    task.end_trial()
    task.begin_trial(Trial(2))
    task.end_trial()
    assert bench.rows == []
    bench.during(task.first(LEFT), bench.refused(1, 0, "busy"), bench.edge(LEFT, 6))
    assert bench.rows == [Trial(1, "host refused"), Trial(2, "")]


def test_the_row_of_no_trial_is_asked_for_in_vain(bench):
    with pytest.raises(TaskError, match=r"Plain uses self\.row while no trial is open"):
        _ = bench.task.row
    row = bench.task.begin_trial(Trial(1))
    assert bench.task.row is row


def test_an_interruption_of_no_trial_writes_nothing(bench):
    bench.task.end_interrupted_trial()
    assert bench.lines == []


def test_a_cut_trial_is_marked_and_written(bench):
    bench.task.begin_trial(Trial(1))
    bench.task.end_interrupted_trial()
    assert bench.rows == [Trial(1, "interrupted, ")]


@pytest.mark.parametrize("end", ["begin", "end_interrupted_trial"])
def test_a_drop_outside_any_trial_is_noted_with_all_that_is_known(bench, end):
    bench.task.do(DROP)
    bench.task.begin_trial(Trial(1)) if end == "begin" else bench.task.end_interrupted_trial()
    note = bench.lines[-1]
    assert (note.what, note.fields) == (
        "reward_outside_trial",
        {"source": "left", "ul": 2.5, "delivered_by": "host", "status": "pending"},
    )
    assert bench.engine.trials.rewards == []


# --- further tables -------------------------------------------------------------------------------------------


@dataclass
class Spell(Row):
    t: float
    length_s: float


class Spelling(Plain):
    tables = {"spells": Spell}  # noqa: RUF012


def test_a_row_of_a_further_table_is_written_at_once_and_keeps_its_column_t(bench):
    task = Spelling(Params(), Box(), bench.engine, RandomStreams(1), {})
    task.record(Spell(1.5, 0.25))
    (line,) = [line for line in bench.lines if isinstance(line, RowLine)]
    assert (line.table, line.t_us, line.row["t"], line.row["length_s"]) == ("spells", 0, 1.5, 0.25)
    assert bench.observer.records == [("spells", Spell(1.5, 0.25))]


def test_a_row_of_no_table_is_refused(bench):
    with pytest.raises(TaskError, match=r'Plain records Spell, of no table: wanted tables = {"name": Spell}'):
        bench.task.record(Spell(1.5, 0.25))


def test_a_task_takes_leave_in_one_state_and_not_at_rest():
    with pytest.raises(TaskError, match="Twice has 2 closing states, one, two: keep one"):

        class Twice(Task):
            @state(to=("two",), closing=True)
            async def one(self):
                return self.two

            @state(to=("one",), closing=True)
            async def two(self):
                return self.one

    with pytest.raises(
        TaskError, match=r"Asleep\.go: a closing state cannot have can_end=True, the session would end there at once"
    ):

        class Asleep(Task):
            @state(to=("go",), closing=True, can_end=True)
            async def go(self):
                return self.go


# --- an end of its own ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["fault", "trial_limit", "Task_finished", ""])
def test_a_protocol_cannot_end_a_session_in_other_words(bench, word):
    with pytest.raises(TaskError, match="wanted task_finished or participant_left"):
        bench.task.end(word)
    assert bench.task.ending is None


def test_a_method_does_not_hide_what_every_task_has():
    with pytest.raises(TaskError, match=r"Wrong\.entries: every task has 'entries' already: choose another name"):

        class Wrong(Task[Params, Box, Trial]):
            @state(to=("wait",), can_end=True)
            async def wait(self) -> Next:
                return self.wait

            def entries(self) -> int:
                return 0


@pytest.mark.parametrize("name", sorted(SET_AT_CONSTRUCTION))
@pytest.mark.parametrize("kind", [property, lambda method: method])
def test_a_member_does_not_hide_what_a_task_is_built_with(name, kind):
    with pytest.raises(TaskError, match=rf"Wrong\.{name}: every task has '{name}' already: choose another name"):
        type("Wrong", (Task,), {name: kind(lambda self: 0)})


def test_a_state_does_not_hide_what_every_task_has():
    with pytest.raises(TaskError, match=r"Wrong\.end_trial: every task has 'end_trial' already"):

        class Wrong(Task[Params, Box, Trial]):
            @state(to=("end_trial",), can_end=True)
            async def end_trial(self) -> Next:
                return self.end_trial
