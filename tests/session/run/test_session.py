"""A session from the board's opening to the footer, whatever the protocol, the animal, the disk and the operator do."""

import asyncio
import gc
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest

from rig import Needs, Next, Port, RewardVolume, Row, Task, TaskParams, state
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.config import SessionLimits, find
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, ConfigError, RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import AllowanceLine, Command, HealthLine, Note, RewardLine, StateLine
from rig.core.model.events import BoardTime, Edge, Request
from rig.core.model.line import kind_of
from rig.session.replay import replay_lines
from rig.session.spec.build import spec_for_rig
from rig.session.spec.read_rig import read_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, do_nothing, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec
from tests.tables import rows

HEADER_FIELDS = [
    "format",
    "protocol",
    "code",
    "about",
    "publications",
    "subject",
    "subject_facts",
    "simulated",
    "seed",
    "params",
    "stop",
    "rig",
    "box",
    "carry_over",
    "remaining_today",
    "columns",
    "shares",
    "letter",
    "descriptions",
    "views",
    "expect",
]


# --- a protocol of our own, which can go wrong everywhere -----------------------------------------------------


class Params(TaskParams):
    """Where it goes wrong."""

    wrong: str = ""
    reward_ul: RewardVolume = 2.5


@dataclass
class Box:
    """One port is enough."""

    left: Annotated[Port, Needs("light", "valve")]
    spare: Port | None


@dataclass
class Trial(Row):
    """One poke."""

    t_in: float
    outcome: str = "done"
    value: Any = 0

    def on_rewards(self, rewards: Any) -> None:
        if self.outcome == "settle":
            raise ValueError("no settling today")

    def interrupted(self) -> None:
        if self.outcome == "interrupted":
            raise KeyError("no cutting today")
        self.outcome = "interrupted"


class Clumsy(Task[Params, Box, Trial]):
    """Pays every poke at the left, and does something wrong where its parameter says."""

    def prepare(self) -> None:
        if self.params.wrong == "prepare":
            self.box.left.light.on()
            raise RuntimeError("not prepared")
        self.pokes = 0

    @state(to=("wait", "inside"), can_end=True)
    async def wait(self) -> Next:
        with self.box.left.light:
            with self.reflex((self.box.left.poked, self.box.left.drop(self.params.reward_ul))):
                poked = await self.first(self.box.left.poked)
            self.begin_trial(Trial(poked.t_us / 1e6))
            self.pokes += 1
            self.box.left.light.on()
            if self.params.wrong == "state":
                raise ZeroDivisionError("one poke, none counted")
            if self.params.wrong == "value":
                self.row.value = {1, 2}
            if self.params.wrong in ("settle", "interrupted"):
                self.row.outcome = self.params.wrong
            if self.params.wrong == "settle later":
                self.row.outcome = "settle"
                self.do(self.box.left.drop(1.1))
                self.end_trial()
            if self.params.wrong == "silent":
                raise NotImplementedError
            if self.params.wrong == "not a state":
                return "wait"  # type: ignore[return-value]
            if self.params.wrong == "nothing":
                return None  # type: ignore[return-value]
            if self.params.wrong == "undeclared":
                return self.elsewhere
            if self.params.wrong == "catches everything":
                try:
                    await self.first(self.box.left.freed)
                except BaseException as error:
                    raise ValueError("caught it all") from error
        return self.inside

    @state(to=("wait",))
    async def inside(self) -> Next:
        await self.first(self.box.left.freed)
        self.end_trial()
        return self.wait

    @state(to=())
    async def elsewhere(self) -> Next:
        return self.wait

    def carry_over(self) -> dict[str, Any]:
        if self.params.wrong == "carry":
            raise LookupError("nothing to carry")
        if self.params.wrong == "carried value":
            return {"pokes": object()}
        return {"pokes": self.pokes}


def clumsy(wrong: str = "", **stop: Any) -> SessionSpec:
    limits = SessionLimits.model_validate({"session_s": 10, "max_rewards": 5, **stop})
    rig = read_rig(find("rigs", "sim_nose_ports"))
    request = SessionRequest(seed=1, subject="M1")
    return spec_for_rig(
        rig, FoundTask("clumsy", Clumsy), Params(wrong=wrong), limits, request, carried_over={"pokes": 40}
    )


def played(*arguments: Any, **settings: Any) -> FaultHarness:
    """Run a session, at whose end every output must be off."""
    harness = run_harness(*arguments, **settings)
    assert harness.on_at_the_end() == []
    return harness


TWO_POKES = scripted_subject(poke("left", 1.0), poke("left", 2.0))


def sent(harness: FaultHarness) -> list[str]:
    """Watch what is sent to the board, as words; call it before the session begins."""
    names = {code: kind.name for code, kind in wire.TO_BOARD.items()}
    found: list[str] = []
    direction = harness.rig.cable.to_board
    send = direction.send

    # Where the cable begins: an acknowledgement may be on its way when a line fails.
    def watch(data: bytes) -> None:
        found.extend(names[payload[0]] for payload in frame.Deframer().feed(data))
        send(data)

    direction.send = watch  # type: ignore[method-assign]
    return found


def at(seconds: float, what: Callable[[FaultHarness], object]) -> Callable[[FaultHarness], object]:
    """Do something ``seconds`` after the session was begun."""
    return lambda harness: running().call_at(seconds, what, harness)


# --- as it should be ------------------------------------------------------------------------------------------


def test_the_header_comes_first_and_holds_everything_that_decides_a_session() -> None:
    harness = run_harness(protocol_spec(stop_session_s=1))
    header = harness.journal[0]
    assert isinstance(header, Header)
    assert list(json.loads(harness.raw[0])) == ["seq", "k", "t", *HEADER_FIELDS, "crc"]
    assert header.params["p_high"] == 0.8
    assert header.params["error_poke"] == "restart_iti", "defaults too"
    assert header.stop == {
        "session_s": 1.0,
        "max_rewards": 800,
        "max_ul": 2000.0,
        "min_trials": 1,
        "grace_s": 30.0,
        "max_pause_s": 1800.0,
        "resume_within_min": 30.0,
        "reconnect_within_s": 60.0,
        "stuck_s": 120.0,
        "idle_alert_s": 600.0,
        "idle_stop_s": 1200.0,
    }
    assert header.rig.devices["left"]["beam_lockout_us"] == 5000
    assert header.rig.calibrations["sim_left"]["points"][0] == [10_000, 0.4]


def test_the_footer_comes_last_and_adds_the_session_up() -> None:
    harness = run_harness(clumsy(), TWO_POKES)
    footer = harness.footer
    assert (footer.reason, footer.detail, footer.complete) == ("time_limit", "", True)
    assert (footer.rewards, footer.ul, footer.trials, footer.unconfirmed_rewards) == (2, 5.0, 2, 0)
    assert footer.carry_over == {"pokes": 2}
    assert footer.inactive_inputs == ["center.beam", "right.beam"]
    assert footer.t_us == 10_000_000
    counted = list(map(kind_of, harness.journal[:-1]))
    assert footer.counts == {kind: counted.count(kind) for kind in counted}
    assert footer.executed == harness.of_kind(Command)[-1].batch == len(harness.of_kind(Command))
    assert footer.last_event == max(line.number for line in harness.of_kind(Edge, BoardTime))
    assert footer.unacknowledged_batches == []
    assert isinstance(harness.journal[-2], HealthLine | RewardLine)
    assert len(harness.of_kind(HealthLine)) == 1


def test_the_outcome_says_what_the_footer_says() -> None:
    harness = run_harness(clumsy(), TWO_POKES)
    outcome = harness.outcome
    assert outcome is not None
    assert outcome.footer == harness.footer
    for name in ("reason", "detail", "rewards", "ul", "access_s"):
        assert getattr(outcome, name) == getattr(harness.footer, name)
    assert (outcome.rows, outcome.t_us, outcome.carried_over, outcome.failure) == (2, 10_000_000, {"pokes": 2}, None)


def test_lines_are_numbered_without_a_gap_and_everything_is_off_at_the_end() -> None:
    harness = played(clumsy(), TWO_POKES)
    assert [json.loads(line)["seq"] for line in harness.raw] == list(range(len(harness.journal)))


def test_without_an_animal_a_session_runs_to_its_limit() -> None:
    harness = run_harness(clumsy(), None)
    assert (harness.footer.reason, harness.footer.trials) == ("time_limit", 0)


def test_a_cut_wire_is_a_lamp_that_nobody_sees() -> None:
    async def obedient(body: Body) -> None:
        while not body.light_on("left"):
            await body.wait(0.5)
        body.enter("left")

    assert run_harness(clumsy(), obedient).footer.rewards == 1
    assert run_harness(clumsy(), obedient, cut=frozenset({"left.light"})).footer.rewards == 0
    assert run_harness(clumsy(), obedient, cut=frozenset({"left.beam"})).footer.rewards == 0


# --- the protocol's mistakes ----------------------------------------------------------------------------------


@rows("wrong", "detail")
def test_a_protocol_that_goes_wrong_ends_its_session_with_a_fault_and_a_footer(wrong: str, detail: str) -> None:
    harness = played(clumsy(wrong), scripted_subject(poke("left", 1.0)))
    assert harness.footer.reason == "fault"
    assert detail in harness.footer.detail
    assert harness.footer.complete
    assert harness.outcome is not None
    assert harness.outcome.failure is not None
    if wrong != "prepare":
        assert (len(harness.openings("left.valve")), harness.footer.rewards) == (1, 1), (
            "the drop was given and is counted"
        )


def test_a_row_that_can_not_even_be_cut_does_not_keep_the_footer_back() -> None:
    harness = played(clumsy("interrupted"), scripted_subject([(9.5, "left", 1)]))
    assert harness.footer.reason == "fault"
    assert "no cutting today" in harness.footer.detail


def test_when_a_protocol_goes_wrong_everything_is_off_within_milliseconds() -> None:
    harness = run_harness(clumsy("state"), scripted_subject([(1.0, "left", 1)]))
    assert harness.changes("left.light")[-1][0] - 1_000_000 < 5_000


def test_what_a_protocol_carries_when_it_never_began_is_what_it_was_given() -> None:
    assert run_harness(clumsy("prepare")).footer.carry_over == {"pokes": 40}


def test_a_protocol_that_catches_the_end_still_ends() -> None:
    harness = run_harness(clumsy("catches everything", session_s=3), scripted_subject([(1.0, "left", 1)]))
    assert harness.footer.reason == "fault"
    assert "caught it all" in harness.footer.detail


# --- the animal's mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (ValueError("a bug in the mouse"), "ValueError: a bug in the mouse"),
        (NotImplementedError(), "NotImplementedError"),
    ],
)
def test_an_animal_that_crashes_ends_the_session_with_a_fault(error: Exception, detail: str) -> None:
    async def mad(body: Body) -> None:
        await body.wait(1.5)
        body.enter("left")
        raise error

    harness = played(clumsy(), mad)
    assert harness.footer.reason == "fault"
    assert detail in harness.footer.detail
    assert harness.outcome is not None
    assert harness.outcome.failure is error


def test_an_animal_that_asks_for_the_impossible_is_reported_in_its_own_words() -> None:
    async def lost(body: Body) -> None:
        raise ConfigError("the script names the place 'top'")

    assert run_harness(clumsy(), lost).footer.detail == "the script names the place 'top'"


def test_an_animal_that_has_had_enough_lets_the_session_go_on() -> None:
    assert run_harness(clumsy(), do_nothing).footer.reason == "time_limit"


# --- the board's absence --------------------------------------------------------------------------------------


def silent(harness: FaultHarness) -> None:
    harness.rig.cable.to_board.deliver = lambda data: None


@pytest.mark.parametrize("animal", [do_nothing, None])
def test_a_board_that_is_not_there_is_no_session(animal: Any) -> None:
    stages: list[FaultHarness] = []
    with pytest.raises(BoardNotFoundError, match="no board with this program's firmware answered"):
        run_harness(clumsy(), animal, arrange=lambda harness: (stages.append(harness), silent(harness)))
    assert [type(line) for line in stages[0].journal] == [Header, AllowanceLine]


def test_a_cable_that_is_pulled_is_a_fault_and_the_board_goes_dark_by_itself() -> None:
    harness = played(clumsy(), TWO_POKES, arrange=at(1.5, lambda harness: harness.rig.cable.disconnect()))
    assert (harness.footer.reason, harness.footer.complete) == ("fault", False)
    assert "cable was pulled" in harness.footer.detail
    assert len(harness.openings("left.valve")) == 1
    assert (harness.footer.rewards, harness.footer.unconfirmed_rewards) == (2, 1), (
        "one more was armed, and may have been paid"
    )


# --- the operator ---------------------------------------------------------------------------------------------


def ask(what: str) -> Callable[[FaultHarness], object]:
    return lambda harness: harness.session.request(what)


def test_a_stop_ends_the_session_at_once_and_cuts_its_trial() -> None:
    harness = run_harness(clumsy(), scripted_subject([(1.0, "left", 1)]), arrange=at(2.0, ask("stop")))
    assert (harness.footer.reason, harness.footer.complete) == ("operator", True)
    assert [row["outcome"] for row in harness.rows] == ["interrupted"]
    assert harness.footer.rewards == 1
    (request,) = harness.of_kind(Request)
    assert request.what == "stop"
    assert abs(request.t_us - 1_998_500) < 2_000
    assert request.uncertainty_us > 0


@pytest.mark.parametrize("when_s", [0.0, 0.0005, 0.001, 0.002, 0.004, 0.006, 0.0065, 0.007, 0.01])
def test_a_stop_while_the_board_is_being_opened_ends_the_session_before_it_begins(when_s: float) -> None:
    harness = played(
        protocol_spec(), scripted_subject(poke("left", 1.0)), arrange=at(when_s, ask("stop")), carried_over={"last": 1}
    )
    assert (harness.footer.reason, harness.footer.trials) == ("operator", 0)
    if not harness.of_kind(StateLine):
        assert harness.footer.carry_over == {"last": 1}
    assert replay_lines(harness.journal)[1] is None


def test_two_stops_are_one() -> None:
    def twice(harness: FaultHarness) -> None:
        for _ in range(2):
            harness.session.request("stop")

    harness = run_harness(clumsy(), arrange=at(2.0, twice))
    assert harness.footer.reason == "operator"
    assert len(harness.of_kind(Request)) == 2


def test_a_request_that_means_nothing_is_written_down_and_nothing_more() -> None:
    harness = run_harness(clumsy(), arrange=at(2.0, ask("dance")))
    assert harness.footer.reason == "time_limit"
    assert [line.what for line in harness.of_kind(Request)] == ["dance"]


def test_a_reward_by_hand_is_given_counted_and_belongs_to_no_row() -> None:
    harness = run_harness(clumsy(), arrange=at(2.0, ask("reward left")))
    ((opened, open_us),) = harness.openings("left.valve")
    assert abs(opened - 2_000_000) < 3_000
    assert open_us == 40_000
    assert (harness.footer.rewards, harness.footer.ul, harness.rows) == (1, 2.5, [])


def test_a_session_that_is_over_lets_its_last_drop_fall() -> None:
    animal = scripted_subject(poke("center", 2.0), poke("left", 2.5, 0.003))
    prepared = protocol_spec(p_high=1, start_high_side="left", stop_session_s=6, stop_max_rewards=1)
    harness = played(prepared, animal)
    assert harness.footer.reason == "reward_limit"
    assert [us for _, us in harness.openings("left.valve")] == [40_000]
    assert replay_lines(harness.journal)[1] is None


def idle_notes(harness: FaultHarness) -> list[int]:
    return [note.fields["since_us"] for note in harness.notes("idle")]


def test_an_animal_that_does_nothing_is_written_down_and_then_ends_the_session() -> None:
    prepared = protocol_spec(stop_session_s=2400)
    harness = played(prepared, scripted_subject(poke("left", 60.0)))
    footer = harness.footer
    assert (footer.reason, footer.detail) == ("idle", "nothing has happened for 20 minutes")
    assert 1_260_000_000 <= footer.t_us < 1_261_000_000
    assert idle_notes(harness) == [60_100_000]
    assert replay_lines(harness.journal)[1] is None


def test_a_poke_now_and_then_keeps_a_session_alive() -> None:
    harness = run_harness(
        protocol_spec(stop_session_s=2400), scripted_subject(*(poke("left", 1100.0 * n) for n in (1, 2)))
    )
    assert harness.footer.reason == "time_limit"
    assert len(idle_notes(harness)) == 2


def test_a_file_may_wait_for_ever() -> None:
    harness = run_harness(
        protocol_spec(stop_session_s=3000, stop_idle_stop_s="null", stop_idle_alert_s="null"), do_nothing
    )
    assert harness.footer.reason == "time_limit"
    assert idle_notes(harness) == []


def both_open(harness: FaultHarness) -> bool:
    spans = [[(on, on + us) for on, us in harness.openings(f"{side}.valve")] for side in ("left", "right")]
    return any(a < d and c < b for a, b in spans[0] for c, d in spans[1])


@pytest.mark.parametrize("at_s", [2.4, 2.47, 2.49, 2.495, 2.499, 2.4995, 2.5, 2.5005, 2.501, 2.505, 2.52, 2.538, 2.6])
def test_a_reward_by_hand_never_opens_a_valve_beside_an_open_one(at_s: float) -> None:
    animal = scripted_subject(poke("center", 2.0), poke("left", 2.5, 0.4))
    prepared = protocol_spec(p_high=1, start_high_side="left", stop_session_s=6)
    harness = run_harness(prepared, animal, arrange=at(at_s, ask("reward right")))
    assert not both_open(harness)
    given = len(harness.openings("left.valve")) + len(harness.openings("right.valve"))
    assert given + sum(harness.footer.refusals.values()) == 2
    assert harness.footer.rewards == given
    (row,) = harness.rows
    assert row["rewarded"] == len(harness.openings("left.valve"))


@pytest.mark.parametrize("where", ["center", "nowhere", ""])
def test_a_reward_by_hand_where_there_is_no_valve_is_not_given(where: str) -> None:
    harness = run_harness(clumsy(), arrange=at(2.0, ask(f"reward {where}")))
    assert (harness.footer.reason, harness.footer.rewards) == ("time_limit", 0)


def test_a_reward_by_hand_does_not_pass_the_limit() -> None:
    def shower(harness: FaultHarness) -> None:
        for n in range(8):
            running().call_later(0.2 * n, harness.session.request, "reward left")

    harness = run_harness(clumsy(max_rewards=3), arrange=at(1.0, shower))
    assert len(harness.openings("left.valve")) == harness.footer.rewards == 2, (
        "the third is armed, and kept for the animal"
    )
    assert [note.what for note in harness.of_kind(Note)] == ["reward_withheld"] * 6


@pytest.mark.parametrize("when_s", [0.5, 1.01, 1.5])
def test_an_immediate_stop_switches_everything_off_and_waits_for_nothing(when_s: float) -> None:
    harness = run_harness(
        clumsy(), scripted_subject([(1.0, "left", 1)]), arrange=at(when_s, lambda harness: harness.session.stop_now())
    )
    assert (harness.footer.reason, harness.footer.complete) == ("operator", False)
    assert harness.outcome is not None
    assert len(harness.rows) == (when_s > 1)


def test_after_an_immediate_stop_the_board_is_dark_before_its_lease_could_tell() -> None:
    ended: list[float] = []

    def watch(harness: FaultHarness) -> None:
        async def look() -> None:
            await asyncio.sleep(1.55)
            ended.append(sum(value for name, value in levels(harness).items() if not name.endswith(".beam")))

        harness.looking = running().create_task(look())  # type: ignore[attr-defined]
        running().call_at(1.5, harness.session.stop_now)

    run_harness(clumsy(), scripted_subject([(1.0, "left", 1), (1.7, "left", 0)]), arrange=watch, after_s=0.2)
    assert ended == [0]


def levels(harness: FaultHarness) -> dict[str, int]:
    return {name: value for _, name, value in harness.trace}


def test_an_immediate_stop_while_the_board_is_being_opened_does_not_wait_for_it() -> None:
    def watch(harness: FaultHarness) -> None:
        silent(harness)
        running().call_at(0.4, harness.session.stop_now)

    harness = run_harness(clumsy(), arrange=watch)
    assert (harness.footer.reason, harness.footer.complete) == ("operator", False)
    assert harness.ended_s == 0.4


def test_an_immediate_stop_while_a_dead_board_is_waited_for_at_the_end_ends_the_wait() -> None:
    def watch(harness: FaultHarness) -> None:
        running().call_at(2.0, silent, harness)
        running().call_at(2.1, harness.session.request, "stop")
        running().call_at(2.5, harness.session.stop_now)

    harness = run_harness(clumsy(), arrange=watch)
    assert (harness.footer.reason, harness.footer.complete) == ("operator", False)
    assert harness.ended_s == 2.5


def test_an_immediate_stop_before_the_beginning_is_the_end() -> None:
    harness = run_harness(clumsy(), arrange=lambda harness: harness.session.stop_now())
    assert (harness.footer.reason, harness.states) == ("operator", [])


def test_an_immediate_stop_after_the_end_does_no_harm() -> None:
    harness = run_harness(clumsy(session_s=1))
    harness.session.stop_now()


# --- the disk -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", range(8, 20))
def test_a_disk_that_fills_between_two_edges_of_one_read_ends_the_session(room: int) -> None:
    """The first edge has fired a reflex, and is not read yet when the line of the second cannot be written."""

    def arrange(harness: FaultHarness) -> None:
        at(0.999, lambda harness: harness.stall(0.05))(harness)
        harness.room = room

    harness = played(clumsy(), scripted_subject([(1.0, "left", 1), (1.001, "right", 1)]), arrange=arrange)
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.outcome.detail) == ("fault", "the disk is full")
    assert len(harness.journal) == room


def test_the_first_thing_that_is_sent_after_a_failed_line_is_all_off() -> None:
    words: list[list[str]] = []

    def arrange(harness: FaultHarness) -> None:
        words.append(sent(harness))
        append = harness.append

        def fill(line: bytes) -> None:
            if json.loads(line)["k"] == "edge" and harness.room > 1e9:
                words[0].clear()
                harness.room = len(harness.journal)
            append(line)

        harness.append = fill  # type: ignore[method-assign]

    harness = run_harness(clumsy(), scripted_subject([(1.0, "left", 1)]), arrange=arrange)
    assert words[0][0] == "ALL_OFF"
    assert "BATCH" not in words[0]
    assert harness.changes("left.light")[-1][0] < 1_003_000


def test_a_disk_that_is_full_before_the_first_line_is_no_session() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.room = 0

    with pytest.raises(RecordError, match="the disk is full"):
        run_harness(clumsy(), arrange=arrange)
    gc.collect()  # a coroutine that do_nothing awaited would warn here


def test_a_disk_that_fills_while_somebody_asks_for_something_ends_the_session() -> None:
    def fill(harness: FaultHarness) -> None:
        harness.room = len(harness.journal)
        harness.session.request("reward left")

    harness = played(clumsy(), arrange=at(2.0, fill))
    assert harness.outcome is not None
    assert harness.outcome.reason == "fault"
    assert harness.openings("left.valve") == []


def test_a_line_that_found_room_only_in_the_reserve_ends_the_session_and_is_kept() -> None:
    def arrange(harness: FaultHarness) -> None:
        append = harness.append

        def nearly_full(line: bytes) -> None:
            append(line)
            if json.loads(line)["k"] == "edge" and not harness.session.inbox.failure:
                harness.session.fail(RecordError("the disk is full"))

        harness.append = nearly_full  # type: ignore[method-assign]

    harness = run_harness(clumsy(), scripted_subject([(1.0, "left", 1)]), arrange=arrange)
    assert (harness.footer.reason, harness.footer.detail) == ("fault", "the disk is full")
    assert harness.footer.complete
    assert harness.footer.rewards == len(harness.openings("left.valve")) == 1
    assert harness.faults == ["record"]
    assert harness.changes("left.light")[-1][0] < 1_003_000


@pytest.mark.parametrize("kind", ["health", "footer"])
def test_nothing_follows_the_footer_of_a_session_whose_last_lines_found_room_only_in_the_reserve(kind: str) -> None:
    def arrange(harness: FaultHarness) -> None:
        append = harness.append

        def nearly_full(line: bytes) -> None:
            append(line)
            if json.loads(line)["k"] == kind:
                harness.session.fail(RecordError("the disk is full"))

        harness.append = nearly_full  # type: ignore[method-assign]

    harness = played(clumsy(), scripted_subject([(1.0, "left", 1)]), arrange=arrange)
    assert isinstance(harness.journal[-1], Footer)


def test_what_goes_wrong_once_the_board_is_open_switches_it_off() -> None:
    stages: list[FaultHarness] = []

    def arrange(harness: FaultHarness) -> None:
        stages.append(harness)

        def fail(opened: Any) -> None:
            raise OSError(28, "No space left on device")

        harness.observer.opened = fail

    words: list[list[str]] = []
    with pytest.raises(OSError, match="No space left"):
        run_harness(clumsy(), arrange=lambda harness: (words.append(sent(harness)), arrange(harness)))
    gc.collect()  # a coroutine that do_nothing awaited would warn here
    assert stages[0].session.board._link._closed


@pytest.mark.parametrize("part", ["discard_pending", "write_all_off"])
def test_a_mistake_of_the_program_in_the_end_itself_switches_the_board_off(part: str) -> None:
    boards: list[Any] = []

    def arrange(harness: FaultHarness) -> None:
        def go_wrong(*of: Any) -> None:
            boards.append(harness.session.board)
            raise ZeroDivisionError

        setattr(harness.session.engine, part, go_wrong)

    with pytest.raises(ZeroDivisionError):
        run_harness(clumsy(), TWO_POKES, arrange=arrange)
    assert [(board._all_off_sent, board._link._closed) for board in boards] == [(True, True)]


# --- small things ---------------------------------------------------------------------------------------------


def test_a_rig_without_what_the_box_needs_is_refused_before_anything_is_opened() -> None:
    rig = read_rig(find("rigs", "sim_nose_ports"))
    lame = rig.file.model_copy(update={"devices": {"right": rig.file.devices["right"]}})
    with pytest.raises(ConfigError, match="'left' is missing"):
        spec_for_rig(
            replace(rig, file=lame),
            FoundTask("clumsy", Clumsy),
            Params(),
            SessionLimits(session_s=1, max_rewards=1),
            SessionRequest(),
        )


def test_a_session_collects_between_trials_only_while_no_reflex_is_armed() -> None:
    armed: list[bool] = []

    def arrange(harness: FaultHarness) -> None:
        harness.observer.resting = lambda: armed.append(bool(harness.session.engine.reflexes))

    run_harness(
        protocol_spec(stop_session_s=10), scripted_subject(poke("center", 2.0), poke("left", 2.5)), arrange=arrange
    )
    assert len(armed) > 2
    assert not any(armed)


def test_a_health_that_is_not_complete_leaves_what_was_ordered_in_doubt() -> None:
    def arrange(harness: FaultHarness) -> None:
        running().call_at(2.0, harness.session.request, "reward left")
        running().call_at(2.0001, harness.rig.cable.disconnect)

    harness = run_harness(clumsy(), arrange=arrange)
    assert harness.footer.complete is False
    assert harness.footer.unacknowledged_batches == [2]
    assert (harness.footer.unconfirmed_rewards, harness.footer.rewards, harness.footer.ul) == (2, 2, 5.0), (
        "and one is armed"
    )
