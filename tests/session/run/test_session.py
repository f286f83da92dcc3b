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
from rig.session.build.build import spec_for_rig
from rig.session.build.request import SessionRequest
from rig.session.build.rig_file import read_rig
from rig.session.build.spec import SessionSpec
from rig.session.build.task_classes import FoundTask
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.session.stage import Stage, nobody, play, poke, script_for, setting

HEADER_FIELDS = [
    "format",
    "protocol",
    "code",
    "subject",
    "model",
    "simulated",
    "seed",
    "params",
    "stop",
    "rig",
    "carry_over",
    "remaining_today",
    "columns",
    "shares",
    "letter",
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


TWO_POKES = script_for(poke("left", 1.0), poke("left", 2.0))


def sent(stage: Stage) -> list[str]:
    """Watch what is sent to the board, as words; call it before the session begins."""
    names = {code: kind.name for code, kind in wire.TO_BOARD.items()}
    found: list[str] = []
    receive = stage.rig.board.receive

    def watch(data: bytes) -> None:
        found.extend(names[payload[0]] for payload in frame.Deframer().feed(data))
        receive(data)

    stage.rig.cable.to_board.deliver = watch
    return found


def at(seconds: float, what: Callable[[Stage], object]) -> Callable[[Stage], object]:
    """Do something ``seconds`` after the session was begun."""
    return lambda stage: running().call_at(seconds, what, stage)


# --- as it should be ------------------------------------------------------------------------------------------


def test_the_header_comes_first_and_holds_everything_that_decides_a_session() -> None:
    header = play(setting(stop_session_s=1)).journal[0]
    assert (header["seq"], header["t"], header["k"], header["src"]) == (0, 0, "header", "host")
    assert [name for name in header if name not in ("seq", "t", "src", "k", "crc")] == HEADER_FIELDS
    assert header["params"]["p_high"] == 0.8
    assert header["params"]["error_poke"] == "restart_iti", "defaults too"
    assert header["stop"] == {
        "session_s": 1.0,
        "max_rewards": 800,
        "max_ul": 2000.0,
        "min_trials": 1,
        "grace_s": 30.0,
        "stuck_s": 120.0,
        "idle_alert_min": 10.0,
        "idle_stop_min": 20.0,
    }
    assert header["rig"]["devices"]["left"]["beam_lockout_us"] == 5000
    assert header["rig"]["calibrations"]["sim_left"]["points"][0] == [10_000, 0.4]


def test_the_footer_comes_last_and_adds_the_session_up() -> None:
    stage = play(clumsy(), TWO_POKES)
    footer = stage.footer
    assert (footer["reason"], footer["detail"], footer["complete"]) == ("time_limit", "", True)
    assert (footer["rewards"], footer["ul"], footer["trials"], footer["unconfirmed_rewards"]) == (2, 5.0, 2, 0)
    assert footer["carry_over"] == {"pokes": 2}
    assert footer["inactive_inputs"] == ["center.beam", "right.beam"]
    assert footer["t"] == 10_000_000
    counted = [line["k"] for line in stage.journal[:-1]]
    assert footer["counts"] == {kind: counted.count(kind) for kind in counted}
    assert footer["executed"] == stage.of_kind("command")[-1]["batch"] == len(stage.of_kind("command"))
    assert footer["last_event"] == max(line["number"] for line in stage.journal if "number" in line)
    assert footer["unacknowledged_batches"] == []
    assert [line["k"] for line in stage.journal[-2:]] in (["health", "footer"], ["reward", "footer"])
    assert len(stage.of_kind("health")) == 1


def test_the_outcome_says_what_the_footer_says() -> None:
    stage = play(clumsy(), TWO_POKES)
    outcome = stage.outcome
    assert outcome is not None
    for name in ("reason", "detail", "rewards", "ul", "unconfirmed_rewards"):
        assert getattr(outcome, name) == stage.footer[name]
    assert (outcome.rows, outcome.t_us, outcome.carried_over, outcome.failure) == (2, 10_000_000, {"pokes": 2}, None)


def test_lines_are_numbered_without_a_gap_and_everything_is_off_at_the_end() -> None:
    stage = play(clumsy(), TWO_POKES)
    assert [line["seq"] for line in stage.journal] == list(range(len(stage.journal)))
    assert stage.on_at_the_end() == []


def test_without_an_animal_a_session_runs_to_its_limit() -> None:
    stage = play(clumsy(), None)
    assert (stage.footer["reason"], stage.footer["trials"]) == ("time_limit", 0)


def test_a_cut_wire_is_a_lamp_that_nobody_sees() -> None:
    async def obedient(body: Body) -> None:
        while not body.light_on("left"):
            await body.wait(0.5)
        body.enter("left")

    assert play(clumsy(), obedient).footer["rewards"] == 1
    assert play(clumsy(), obedient, cut=frozenset({"left.light"})).footer["rewards"] == 0
    assert play(clumsy(), obedient, cut=frozenset({"left.beam"})).footer["rewards"] == 0


# --- the protocol's mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "detail"),
    [
        ("prepare", "RuntimeError: not prepared"),
        ("state", "ZeroDivisionError: one poke, none counted"),
        ("silent", "NotImplementedError"),
        ("value", "cannot be written in the journal"),
        ("settle", "ValueError: no settling today"),
        ("settle later", "ValueError: no settling today"),
        ("not a state", "Clumsy went to 'wait', which is not a state; the states are wait, inside, elsewhere"),
        ("nothing", "Clumsy went to None, which is not a state"),
        ("undeclared", "Clumsy.wait returned 'elsewhere', but declares that it may go to wait, inside"),
        ("carry", "LookupError: nothing to carry"),
        ("carried value", "TypeError"),
    ],
)
def test_a_protocol_that_goes_wrong_ends_its_session_with_a_fault_and_a_footer(wrong: str, detail: str) -> None:
    stage = play(clumsy(wrong), script_for(poke("left", 1.0)))
    assert stage.footer["reason"] == "fault"
    assert detail in stage.footer["detail"]
    assert stage.footer["complete"]
    assert stage.on_at_the_end() == []
    assert stage.outcome is not None
    assert stage.outcome.failure is not None
    if wrong != "prepare":
        assert (len(stage.openings("left.valve")), stage.footer["rewards"]) == (1, 1), (
            "the drop was given and is counted"
        )


def test_a_row_that_can_not_even_be_cut_does_not_keep_the_footer_back() -> None:
    stage = play(clumsy("interrupted"), script_for([(9.5, "left", 1)]))
    assert stage.footer["reason"] == "fault"
    assert "no cutting today" in stage.footer["detail"]
    assert stage.on_at_the_end() == []


def test_when_a_protocol_goes_wrong_everything_is_off_within_milliseconds() -> None:
    stage = play(clumsy("state"), script_for([(1.0, "left", 1)]))
    assert stage.changes("left.light")[-1][0] - 1_000_000 < 5_000


def test_what_a_protocol_carries_when_it_never_began_is_what_it_was_given() -> None:
    assert play(clumsy("prepare")).footer["carry_over"] == {"pokes": 40}


def test_a_protocol_that_catches_the_end_still_ends() -> None:
    stage = play(clumsy("catches everything", session_s=3), script_for([(1.0, "left", 1)]))
    assert stage.footer["reason"] == "fault"
    assert "caught it all" in stage.footer["detail"]


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

    stage = play(clumsy(), mad)
    assert stage.footer["reason"] == "fault"
    assert detail in stage.footer["detail"]
    assert stage.on_at_the_end() == []
    assert stage.outcome is not None
    assert stage.outcome.failure is error


def test_an_animal_that_asks_for_the_impossible_is_told_in_its_own_words() -> None:
    async def lost(body: Body) -> None:
        raise ConfigError("the script names the place 'top'")

    assert play(clumsy(), lost).footer["detail"] == "the script names the place 'top'"


def test_an_animal_that_has_had_enough_lets_the_session_go_on() -> None:
    assert play(clumsy(), nobody).footer["reason"] == "time_limit"


# --- the board's absence --------------------------------------------------------------------------------------


def silent(stage: Stage) -> None:
    stage.rig.cable.to_board.deliver = lambda data: None


@pytest.mark.parametrize("animal", [nobody, None])
def test_a_board_that_is_not_there_is_no_session(animal: Any) -> None:
    stages: list[Stage] = []
    with pytest.raises(BoardNotFoundError, match="nothing that speaks the wire answered"):
        play(clumsy(), animal, direct=lambda stage: (stages.append(stage), silent(stage)))
    assert [line["k"] for line in stages[0].journal] == ["header", "allowance"]


def test_a_cable_that_is_pulled_is_a_fault_and_the_board_goes_dark_by_itself() -> None:
    stage = play(clumsy(), TWO_POKES, direct=at(1.5, lambda stage: stage.rig.cable.disconnect()))
    assert (stage.footer["reason"], stage.footer["complete"]) == ("fault", False)
    assert "cable was pulled" in stage.footer["detail"]
    assert len(stage.openings("left.valve")) == 1
    assert (stage.footer["rewards"], stage.footer["unconfirmed_rewards"]) == (2, 1), (
        "one more was armed, and may have been paid"
    )
    assert stage.on_at_the_end() == []


# --- the operator ---------------------------------------------------------------------------------------------


def ask(what: str) -> Callable[[Stage], object]:
    return lambda stage: stage.session.request(what)


def test_a_stop_ends_the_session_at_once_and_cuts_its_trial() -> None:
    stage = play(clumsy(), script_for([(1.0, "left", 1)]), direct=at(2.0, ask("stop")))
    assert (stage.footer["reason"], stage.footer["complete"]) == ("operator", True)
    assert [row["outcome"] for row in stage.rows] == ["interrupted"]
    assert stage.footer["rewards"] == 1
    (request,) = stage.of_kind("request")
    assert request["src"] == "operator"
    assert request["what"] == "stop"
    assert abs(request["t"] - 1_998_500) < 2_000
    assert request["uncertainty_us"] > 0


@pytest.mark.parametrize("when_s", [0.0, 0.0005, 0.001, 0.002, 0.004, 0.006, 0.0065, 0.007, 0.01])
def test_a_stop_while_the_board_is_being_opened_ends_the_session_before_it_begins(when_s: float) -> None:
    stage = play(setting(), script_for(poke("left", 1.0)), direct=at(when_s, ask("stop")), carried_over={"last": 1})
    assert (stage.footer["reason"], stage.footer["trials"]) == ("operator", 0)
    if not stage.of_kind("state"):
        assert stage.footer["carry_over"] == {"last": 1}
    assert stage.on_at_the_end() == []
    assert replay_lines(stage.journal)[1] is None


def test_two_stops_are_one() -> None:
    def twice(stage: Stage) -> None:
        for _ in range(2):
            stage.session.request("stop")

    stage = play(clumsy(), direct=at(2.0, twice))
    assert stage.footer["reason"] == "operator"
    assert len(stage.of_kind("request")) == 2


def test_a_request_that_means_nothing_is_written_down_and_nothing_more() -> None:
    stage = play(clumsy(), direct=at(2.0, ask("dance")))
    assert stage.footer["reason"] == "time_limit"
    assert [line["what"] for line in stage.of_kind("request")] == ["dance"]


def test_a_reward_by_hand_is_given_counted_and_belongs_to_no_row() -> None:
    stage = play(clumsy(), direct=at(2.0, ask("reward left")))
    ((opened, open_us),) = stage.openings("left.valve")
    assert abs(opened - 2_000_000) < 3_000
    assert open_us == 40_000
    assert (stage.footer["rewards"], stage.footer["ul"], stage.rows) == (1, 2.5, [])


def test_a_session_that_is_over_lets_its_last_drop_fall() -> None:
    animal = script_for(poke("center", 2.0), poke("left", 2.5, 0.003))
    prepared = setting(p_high=1, start_high_side="left", stop_session_s=6, stop_max_rewards=1)
    stage = play(prepared, animal)
    assert stage.footer["reason"] == "reward_limit"
    assert [us for _, us in stage.openings("left.valve")] == [40_000]
    assert stage.on_at_the_end() == []
    assert replay_lines(stage.journal)[1] is None


def idle_notes(stage: Stage) -> list[int]:
    return [line["since_us"] for line in stage.of_kind("note") if line["what"] == "idle"]


def test_an_animal_that_does_nothing_is_written_down_and_then_ends_the_session() -> None:
    prepared = setting(stop_session_s=2400)
    stage = play(prepared, script_for(poke("left", 60.0)))
    footer = stage.footer
    assert (footer["reason"], footer["detail"]) == ("idle", "nothing has happened for 20 minutes")
    assert 1_260_000_000 <= footer["t"] < 1_261_000_000
    assert idle_notes(stage) == [60_100_000]
    assert stage.on_at_the_end() == []
    assert replay_lines(stage.journal)[1] is None


def test_a_poke_now_and_then_keeps_a_session_alive() -> None:
    stage = play(setting(stop_session_s=2400), script_for(*(poke("left", 1100.0 * n) for n in (1, 2))))
    assert stage.footer["reason"] == "time_limit"
    assert len(idle_notes(stage)) == 2


def test_a_file_may_wait_for_ever() -> None:
    stage = play(setting(stop_session_s=3000, stop_idle_stop_min="null", stop_idle_alert_min="null"), nobody)
    assert stage.footer["reason"] == "time_limit"
    assert idle_notes(stage) == []


def both_open(stage: Stage) -> bool:
    spans = [[(on, on + us) for on, us in stage.openings(f"{side}.valve")] for side in ("left", "right")]
    return any(a < d and c < b for a, b in spans[0] for c, d in spans[1])


@pytest.mark.parametrize("at_s", [2.4, 2.47, 2.49, 2.495, 2.499, 2.4995, 2.5, 2.5005, 2.501, 2.505, 2.52, 2.538, 2.6])
def test_a_reward_by_hand_never_opens_a_valve_beside_an_open_one(at_s: float) -> None:
    animal = script_for(poke("center", 2.0), poke("left", 2.5, 0.4))
    prepared = setting(p_high=1, start_high_side="left", stop_session_s=6)
    stage = play(prepared, animal, direct=at(at_s, ask("reward right")))
    assert not both_open(stage)
    given = len(stage.openings("left.valve")) + len(stage.openings("right.valve"))
    assert given + sum(stage.footer["refusals"].values()) == 2
    assert stage.footer["rewards"] == given
    (row,) = stage.rows
    assert row["rewarded"] == len(stage.openings("left.valve"))


@pytest.mark.parametrize("where", ["center", "nowhere", ""])
def test_a_reward_by_hand_where_there_is_no_valve_is_not_given(where: str) -> None:
    stage = play(clumsy(), direct=at(2.0, ask(f"reward {where}")))
    assert (stage.footer["reason"], stage.footer["rewards"]) == ("time_limit", 0)


def test_a_reward_by_hand_does_not_pass_the_ceiling() -> None:
    def shower(stage: Stage) -> None:
        for n in range(8):
            running().call_later(0.2 * n, stage.session.request, "reward left")

    stage = play(clumsy(max_rewards=3), direct=at(1.0, shower))
    assert len(stage.openings("left.valve")) == stage.footer["rewards"] == 2, (
        "the third is armed, and kept for the animal"
    )
    assert [line["what"] for line in stage.of_kind("note")] == ["reward_withheld"] * 6


@pytest.mark.parametrize("when_s", [0.5, 1.01, 1.5])
def test_a_hurry_switches_everything_off_and_waits_for_nothing(when_s: float) -> None:
    stage = play(clumsy(), script_for([(1.0, "left", 1)]), direct=at(when_s, lambda stage: stage.session.hurry()))
    assert (stage.footer["reason"], stage.footer["complete"]) == ("operator", False)
    assert stage.outcome is not None
    assert len(stage.rows) == (when_s > 1)


def test_after_a_hurry_the_board_is_dark_before_its_lease_could_tell() -> None:
    ended: list[float] = []

    def watch(stage: Stage) -> None:
        async def look() -> None:
            await asyncio.sleep(1.55)
            ended.append(sum(value for name, value in levels(stage).items() if not name.endswith(".beam")))

        stage.looking = running().create_task(look())  # type: ignore[attr-defined]
        running().call_at(1.5, stage.session.hurry)

    play(clumsy(), script_for([(1.0, "left", 1), (1.7, "left", 0)]), direct=watch, after_s=0.2)
    assert ended == [0]


def levels(stage: Stage) -> dict[str, int]:
    return {name: value for _, name, value in stage.trace}


def test_a_hurry_while_the_board_is_being_opened_does_not_wait_for_it() -> None:
    def watch(stage: Stage) -> None:
        silent(stage)
        running().call_at(0.4, stage.session.hurry)

    stage = play(clumsy(), direct=watch)
    assert (stage.footer["reason"], stage.footer["complete"]) == ("operator", False)
    assert stage.ended_s == 0.4


def test_a_hurry_while_a_dead_board_is_waited_for_at_the_end_ends_the_wait() -> None:
    def watch(stage: Stage) -> None:
        running().call_at(2.0, silent, stage)
        running().call_at(2.1, stage.session.request, "stop")
        running().call_at(2.5, stage.session.hurry)

    stage = play(clumsy(), direct=watch)
    assert (stage.footer["reason"], stage.footer["complete"]) == ("operator", False)
    assert stage.ended_s == 2.5


def test_a_hurry_before_the_beginning_is_the_end() -> None:
    stage = play(clumsy(), direct=lambda stage: stage.session.hurry())
    assert (stage.footer["reason"], stage.states) == ("operator", [])


def test_a_hurry_after_the_end_does_no_harm() -> None:
    stage = play(clumsy(session_s=1))
    stage.session.hurry()


# --- the disk -------------------------------------------------------------------------------------------------


def lines_of_a_whole_session() -> int:
    return len(play(clumsy(), TWO_POKES).journal)


@pytest.mark.parametrize("room", range(2, lines_of_a_whole_session()))
def test_a_line_that_can_not_be_written_ends_the_session_with_everything_off(room: int) -> None:
    stages: list[Stage] = []

    def direct(stage: Stage) -> None:
        stages.append(stage)
        stage.room = room

    play(clumsy(), TWO_POKES, direct=direct)
    (stage,) = stages
    assert stage.outcome is not None
    assert (stage.outcome.reason, stage.outcome.detail) == ("fault", "the disk is full")
    assert isinstance(stage.outcome.failure, RecordError)
    assert len(stage.journal) == room
    assert stage.on_at_the_end() == []
    stage.openings("left.valve")


def test_the_first_thing_that_is_sent_after_a_failed_line_is_all_off() -> None:
    words: list[list[str]] = []

    def direct(stage: Stage) -> None:
        words.append(sent(stage))
        append = stage.append

        def fill(line: bytes) -> None:
            if json.loads(line)["k"] == "edge" and stage.room > 1e9:
                words[0].clear()
                stage.room = len(stage.journal)
            append(line)

        stage.append = fill  # type: ignore[method-assign]

    stage = play(clumsy(), script_for([(1.0, "left", 1)]), direct=direct)
    assert words[0][0] == "ALL_OFF"
    assert "BATCH" not in words[0]
    assert stage.changes("left.light")[-1][0] < 1_003_000


def test_a_disk_that_is_full_before_the_first_line_is_no_session() -> None:
    def direct(stage: Stage) -> None:
        stage.room = 0

    with pytest.raises(RecordError, match="the disk is full"):
        play(clumsy(), direct=direct)
    gc.collect()  # a coroutine that nobody awaited would warn here


def test_a_disk_that_fills_while_somebody_asks_for_something_ends_the_session() -> None:
    def fill(stage: Stage) -> None:
        stage.room = len(stage.journal)
        stage.session.request("reward left")

    stage = play(clumsy(), direct=at(2.0, fill))
    assert stage.outcome is not None
    assert stage.outcome.reason == "fault"
    assert stage.openings("left.valve") == []
    assert stage.on_at_the_end() == []


def test_a_line_that_found_room_only_in_the_reserve_ends_the_session_and_is_kept() -> None:
    def direct(stage: Stage) -> None:
        append = stage.append

        def nearly_full(line: bytes) -> None:
            append(line)
            if json.loads(line)["k"] == "edge" and not stage.session.inbox.failure:
                stage.session.fail(RecordError("the disk is full"))

        stage.append = nearly_full  # type: ignore[method-assign]

    stage = play(clumsy(), script_for([(1.0, "left", 1)]), direct=direct)
    assert (stage.footer["reason"], stage.footer["detail"]) == ("fault", "the disk is full")
    assert stage.footer["complete"]
    assert stage.footer["rewards"] == len(stage.openings("left.valve")) == 1
    assert [line["what"] for line in stage.of_kind("fault")] == ["record"]
    assert stage.changes("left.light")[-1][0] < 1_003_000


@pytest.mark.parametrize("kind", ["health", "footer"])
def test_nothing_follows_the_footer_of_a_session_whose_last_lines_found_room_only_in_the_reserve(kind: str) -> None:
    def direct(stage: Stage) -> None:
        append = stage.append

        def nearly_full(line: bytes) -> None:
            append(line)
            if json.loads(line)["k"] == kind:
                stage.session.fail(RecordError("the disk is full"))

        stage.append = nearly_full  # type: ignore[method-assign]

    stage = play(clumsy(), script_for([(1.0, "left", 1)]), direct=direct)
    assert stage.journal[-1]["k"] == "footer"
    assert stage.on_at_the_end() == []


def test_what_goes_wrong_once_the_board_is_open_switches_it_off() -> None:
    stages: list[Stage] = []

    def direct(stage: Stage) -> None:
        stages.append(stage)

        def fail(opened: Any) -> None:
            raise OSError(28, "No space left on device")

        stage.observer.opened = fail

    words: list[list[str]] = []
    with pytest.raises(OSError, match="No space left"):
        play(clumsy(), direct=lambda stage: (words.append(sent(stage)), direct(stage)))
    gc.collect()  # a coroutine that nobody awaited would warn here
    assert stages[0].session.board._link._closed


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

    def direct(stage: Stage) -> None:
        stage.observer.resting = lambda: armed.append(bool(stage.session.engine.reflexes))

    play(setting(stop_session_s=10), script_for(poke("center", 2.0), poke("left", 2.5)), direct=direct)
    assert len(armed) > 2
    assert not any(armed)


def test_a_health_that_is_not_complete_leaves_what_was_ordered_in_doubt() -> None:
    def direct(stage: Stage) -> None:
        running().call_at(2.0, stage.session.request, "reward left")
        running().call_at(2.0001, stage.rig.cable.disconnect)

    stage = play(clumsy(), direct=direct)
    assert stage.footer["complete"] is False
    assert stage.footer["unacknowledged_batches"] == [2]
    assert (stage.footer["unconfirmed_rewards"], stage.footer["rewards"], stage.footer["ul"]) == (2, 2, 5.0), (
        "and one is armed"
    )
