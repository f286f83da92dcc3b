"""However a session ends or never begins: everything off, nothing hangs, the next one starts clean."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, LinkLostError, RecordError
from rig.core.journal.codec import parse_line
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SessionLine
from rig.core.model.events import Edge
from rig.core.model.rig_spec import SimulationOptions
from rig.core.task.states import Next, state
from rig.records.journal.read import rows_of
from rig.session.run.session import Session
from sim_hardware.driver import SimRig
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable
from sim_hardware.loop import VirtualLoop
from tests.harness import EdgeAt, FaultHarness, nose_pokes, run_with_faults
from tests.journal_lines import read_line
from tests.rules.faults import inject
from tests.rules.pin_trace_oracle import check_session
from tests.session_specs import PortTask, Visit, task_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "iti_min_s": 0.2}
WATER = {"pause_s": 0.1}
ENDS = {kind: partial(inject, kind=kind, amount=0.0) for kind in ("stop", "unplug", "reset", "stop_now")}


# --- protocols that do not let go ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ENDS)
def test_a_wait_on_the_way_out_of_a_state_does_not_hold_the_end_up(kind: str) -> None:
    class Clinging(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            try:
                await self.first(self.box.left.poked)
            finally:
                self.log.append(self.now_us)
                await self.sleep(60)
            return self.here

    harness = run_with_faults(task_spec(Clinging, stop={"session_s": 100}), (), (1.0, ENDS[kind]))
    assert harness.footer.t_us < 1_100_000
    assert harness.row["outcome"] == "interrupted"
    assert len(harness.log) == 1


def test_a_state_that_catches_every_error_is_ended_all_the_same() -> None:
    class Deaf(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            try:
                await self.first(self.box.left.poked)
            except Exception:
                self.log.append("caught")
            return self.here

    harness = run_with_faults(task_spec(Deaf), (), (1.0, ENDS["stop"]))
    assert (harness.footer.reason, harness.log) == ("operator", [])


def test_a_mistake_of_the_protocol_ends_the_session_with_everything_off_and_the_row_cut() -> None:
    class Wrong(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            with self.box.left.light, self.reflex((self.box.right.poked, self.drop("right"))):
                await self.first(self.box.left.poked, self.box.right.poked)
                raise ZeroDivisionError("oh")

    harness = run_with_faults(task_spec(Wrong), nose_pokes((1_000_000, "right", 50_000)))
    assert harness.footer.reason == "fault"
    assert "ZeroDivisionError" in harness.footer.detail
    assert (harness.row["outcome"], harness.row["drops"]) == ("interrupted", ["board right delivered"])
    assert harness.on_at(1_010_000) == set()


# --- a journal that cannot be written --------------------------------------------------------------------------


def failing_at(line: int, times: float) -> Callable[[FaultHarness], None]:
    """Let the disk refuse a line, and some after it."""

    def arrange(harness: FaultHarness) -> None:
        count = 0

        def sink(raw: bytes) -> None:
            nonlocal count
            count += 1
            if line < count <= line + times:
                raise RecordError("the disk is full")
            harness.raw.append(raw)

        harness.session.journal._sink = sink

    return arrange


def short(arrange: Callable[[FaultHarness], None]) -> FaultHarness:
    edges = nose_pokes((1_500_000, "center", 100_000), (2_000_000, "left", 100_000))
    by_hand = (2.5, partial(inject, kind="reward right", amount=0.0))
    return run_with_faults(task_spec(TwoArmedBandit, SURE, {"session_s": 3}), edges, by_hand, arrange=arrange)


@pytest.mark.parametrize("times", [1, float("inf")])
def test_whichever_line_cannot_be_written_ends_the_session_with_everything_off(times: float) -> None:
    whole = short(lambda harness: None)
    for line in range(len(whole.raw)):
        harness = short(failing_at(line, times))
        assert not harness.on_at(100_000_000)
        assert all(opening.us is not None for opening in harness.valve_openings)
        numbered = [parse_line(raw[:-1]) for raw in harness.raw]
        assert [seq for seq, _ in numbered] == list(range(len(numbered)))
        if line == 0:
            assert isinstance(harness.error, RecordError)
        elif harness.outcome is not None and times > 1:
            assert (harness.outcome.reason, harness.outcome.detail) == ("fault", "the disk is full")
            assert isinstance(harness.outcome.failure, RecordError)
        elif harness.outcome is not None and harness.outcome.reason != "fault":
            # Only the board's very last word can be missing without having been needed.
            assert line >= len(whole.raw) - 4
            assert not getattr(numbered[-1][1], "complete", False)


# --- boards that are in trouble while they are opened ----------------------------------------------------------


@pytest.mark.parametrize("kind", ["stall", "reset", "unplug", "stop_now", "stop", "reward left"])
def test_trouble_at_any_moment_of_the_opening_is_an_error_or_a_session_like_any_other(kind: str) -> None:
    for quarter_ms in range(0, 40, 3):

        def arrange(harness: FaultHarness, quarter_ms: int = quarter_ms) -> None:
            amount = 2.5 if quarter_ms % 2 else 0.3
            asyncio.get_running_loop().call_later(quarter_ms / 4000, inject, harness, kind, amount)

        edges = nose_pokes((8_000_000, "left", 50_000), (9_000_000, "right", 50_000))
        harness = run_with_faults(task_spec(FreeWater, WATER, {"session_s": 12}), edges, arrange=arrange)
        if harness.outcome is not None:
            check_session(harness)
            if harness.footer.reason == "time_limit":
                assert len(harness.rows) == 2
        else:
            assert isinstance(harness.error, BoardNotFoundError | LinkLostError)
        assert not harness.on_at(100_000_000)


# --- a host that died ------------------------------------------------------------------------------------------


class Mortal(Transport):
    """The port of a program that can be killed: it says nothing more, and lets go of nothing."""

    quiet_s = 0.0

    def __init__(self, cable: SerialCable) -> None:
        self.dead = False
        self._cable = CableTransport(cable)

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._cable.start(lambda data: None if self.dead else on_bytes(data), lambda why: None)

    def write(self, data: bytes) -> None:
        if not self.dead:
            self._cable.write(data)

    def close(self) -> None:
        """Leave the port as it is."""


def after_a_death(died_at_s: float, latency_s: float, edges: list[EdgeAt]) -> tuple[SimRig, list[SessionLine]]:
    """Kill a session of free water, begin the next one a millisecond later on the same board, return its journal."""

    async def main() -> tuple[SimRig, list[SessionLine]]:
        scripts = [task_spec(FreeWater, WATER, {"session_s": 6}, seed) for seed in (1, 2)]
        rig = SimRig(scripts[0].plan, SimulationOptions(), LinkFaults(latency_s))
        rig.world.trace = []
        loop, raw = asyncio.get_running_loop(), list[bytes]()
        for t_us, place, level in edges:
            loop.call_at(t_us / 1e6, rig.world.set_occupied, place, bool(level))
        port = Mortal(rig.cable)
        dying = Session(scripts[0], Journal(lambda line: None), lambda inbox: SerialBoard(port, running(), inbox))
        first = loop.create_task(dying.run())
        await asyncio.sleep(died_at_s)
        port.dead = True
        await asyncio.sleep(0.001)
        second = Session(
            scripts[1], Journal(raw.append), lambda inbox: SerialBoard(rig.transport, running(), inbox, nonce=2)
        )
        await second.run()
        await first
        return rig, [read_line(line) for line in raw]

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=100)) as runner:
        return runner.run(main())


@pytest.mark.parametrize("latency_s", [0.0005, 0.02, 0.1])
@pytest.mark.parametrize("died_at_s", [2.9901, 2.991, 3.0, 3.05])
def test_a_board_left_open_by_a_dead_host_begins_the_next_session_clean(died_at_s: float, latency_s: float) -> None:
    """Its reflex is armed, its events are unheard, and a poke has just been paid when it is opened again."""
    edges = nose_pokes((1_500_000, "left", 50_000), (2_990_000, "right", 800_000), (8_000_000, "left", 50_000))
    rig, lines = after_a_death(died_at_s, latency_s, edges)
    assert rig.world.trace is not None
    assert isinstance(lines[-1], Footer)
    assert lines[-1].complete
    assert [row["choice"] for row in rows_of(lines)] == ["left"]
    fired = [line for line in lines if isinstance(line, Edge) and line.fired]
    assert [line.channel for line in fired] == ["left.beam"]
    assert all(0 <= line.t_us <= 6_000_000 + 4e6 * latency_s for line in lines)
    last = {name: value for _, name, value in rig.world.trace}
    assert not last["left.valve"]
    assert not last["right.valve"]
