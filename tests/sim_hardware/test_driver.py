"""The simulated rig as a session finds it: a board on a cable, a world around it, a subject in it."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest

from rig.boards.driver_lookup import Driver
from rig.boards.serial.board import SerialBoard
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import ConfigError
from rig.core.journal.journal import Journal
from rig.core.model.actions import Arm, Pulse, Set
from rig.core.model.events import Edge, Event
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware import loop as virtual
from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr.rig import AvrRig
from sim_hardware.driver import SimDriver, SimRig, make_model
from sim_hardware.loop import VirtualLoop
from sim_hardware.rig import VirtualRig
from sim_hardware.world.body import light
from tests.avr_tools import need_avr_tools

CHIP_US = 20

Story = Callable[[VirtualRig, SerialBoard, Inbox], Any]


@pytest.fixture(params=[SimRig, AvrRig])
def session(request: pytest.FixtureRequest, plan: RigSpec) -> Callable[..., Any]:
    """Open the rig, tell a story, close it; return what the story returned and every event."""
    if request.param is AvrRig:
        need_avr_tools()

    def session(story: Story, **rehearsal: Any) -> tuple[Any, list[Event]]:
        async def main() -> tuple[Any, list[Event]]:
            rig = request.param(plan, SimulationOptions(**rehearsal))
            inbox = Inbox(Journal(lambda line: None))
            board = SerialBoard(rig.transport, running(), inbox)
            await asyncio.sleep(1.0)
            await board.open(plan.wiring)
            told = await story(rig, board, inbox)
            health = await board.close()
            assert health.complete
            return told, list(inbox.events)

        result: tuple[Any, list[Event]] = virtual.run(main(), t_max=600.0)
        return result

    return session


def near(t_us: int, within_us: int = CHIP_US) -> Any:
    """A microsecond, as near as a chip comes to it."""
    return pytest.approx(t_us, abs=within_us)


def edges(events: list[Event]) -> list[tuple[str, int, int]]:
    return [(event.channel, event.level, event.t_us) for event in events if isinstance(event, Edge)]


def test_a_rig_at_rest_has_no_edges_whichever_way_its_beams_are_wired(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> None:
        await asyncio.sleep(1.0)

    assert edges(session(story)[1]) == []


def test_what_the_body_does_reaches_the_host_with_the_times_of_the_session(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> None:
        await rig.body.wait_until_us(1_500_000)
        assert rig.body.now_s == pytest.approx(1.5)
        rig.body.enter("center")
        await rig.body.wait(0.2)
        rig.body.leave("center")
        await rig.body.wait(0.2)

    assert edges(session(story)[1]) == [
        ("center.beam", 1, near(1_500_000)),
        ("center.beam", 0, near(1_700_000)),
    ]


def test_what_the_host_orders_reaches_the_body(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> list[float]:
        rig.world.trace = []
        board.batch([Set("center.light", True), Pulse("left.valve", 25_000)], 0, 0, 1)
        await rig.body.wait_for(light("center").on)
        seen_at = rig.body.now_s
        await rig.body.wait(0.1)
        assert [name for _, name, _ in rig.world.trace] == ["center.light", "left.valve", "left.valve"]
        return [rig.body.consume("left"), seen_at]

    (ul, seen_at), _ = session(story)
    assert ul == pytest.approx(2.5, abs=0.005)
    assert 0.0 < seen_at < 0.03


def test_a_drop_that_is_cut_short_is_as_much_as_had_flowed(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> float:
        board.batch([Pulse("left.valve", 500_000)], 0, 0, 1)
        await rig.body.wait(0.1)
        board.all_off()
        await rig.body.wait(0.1)
        return rig.body.consume("left")

    assert session(story)[0] == pytest.approx(10.0, abs=0.1)


def test_a_reflex_waters_the_mouse_in_the_instant_of_its_poke(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> list[tuple[int, str, int]]:
        board.batch([Arm(1, None, (("right.beam", 1, Pulse("right.valve", 40_000)),))], 0, 0, 1)
        await rig.body.wait_until_us(1_000_000)
        rig.world.trace = []
        rig.body.enter("right")
        await rig.body.wait(0.1)
        return rig.world.trace

    trace, _ = session(story)
    # the beam is confirmed for 100 µs before it counts
    assert trace == [
        (near(1_000_000), "right.beam", 1),
        (near(1_000_100, 300), "right.valve", 1),
        (near(1_040_100, 300), "right.valve", 0),
    ]


def test_the_wires_that_a_rehearsal_cuts_are_cut(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> bool:
        board.batch([Set("center.light", True)], 0, 0, 1)
        rig.body.enter("left")
        await rig.body.wait(0.1)
        return rig.body.light_on("center")

    sees, events = session(story, cut=frozenset({"center.light", "left.beam"}))
    assert sees is False
    assert edges(events) == []


def test_the_cable_is_as_bad_as_the_rehearsal_asks(session: Callable[..., Any]) -> None:
    async def story(rig: VirtualRig, board: SerialBoard, inbox: Inbox) -> float:
        for _ in range(50):
            rig.body.enter("left")
            await rig.body.wait(0.1)
            rig.body.leave("left")
            await rig.body.wait(0.1)
        return rig.cable.faults.drop

    drop, events = session(story, faults={"drop": 0.01, "latency_s": 0.003}, seed=5)
    assert drop == 0.01
    assert [level for _, level, _ in edges(events)] == [1, 0] * 50


@pytest.mark.parametrize("driver", [SimDriver, AvrDriver])
def test_a_driver_makes_a_virtual_loop_of_any_speed_and_a_real_one_for_a_person(driver: type[Driver]) -> None:
    made = [driver().loop(speed) for speed in (math.inf, 10.0, None)]
    try:
        assert [isinstance(loop, VirtualLoop) for loop in made] == [True, True, False]
    finally:
        for loop in made:
            loop.close()


@pytest.mark.parametrize("driver", [SimDriver, AvrDriver])
def test_a_driver_connects_a_transport_and_a_subject_if_one_is_named(plan: RigSpec, driver: type[Driver]) -> None:
    if driver is AvrDriver:
        need_avr_tools()

    async def main() -> tuple[Any, Any]:
        alone = driver().connect(plan, SimulationOptions())
        inhabited = driver().connect(plan, SimulationOptions("random"))
        return alone.subject, inhabited.subject

    alone, inhabited = virtual.run(main())
    assert alone is None
    life = inhabited()
    life.close()


# --- what a model is told -------------------------------------------------------------------------------------


def test_a_model_takes_the_hints_that_it_has_parameters_for() -> None:
    model: Any = make_model("rflr", {}, {"set": "90-10", "session_s": 60.0, "p": 0.9})
    assert (model.timing.set, model.timing.session_s) == ("90-10", 60.0)


def test_what_was_asked_for_goes_before_a_hint_even_one_that_it_contradicts() -> None:
    model: Any = make_model("rflr", {"mouse": "baby"}, {"set": "90-10"})
    assert (model.timing.mouse, model.timing.set) == ("baby", None)


def test_a_contradiction_in_what_was_asked_for_is_said_in_its_own_words() -> None:
    with pytest.raises(ConfigError) as caught:
        make_model("rflr", {"mouse": "baby", "set": "80-20"})
    assert "--param mouse: a mouse has its own weights: name a set or a mouse, not both" in str(caught.value)
