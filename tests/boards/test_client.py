"""One client speaks to a board: it orders, waits for edges and answers, and leaves every output off."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from rig.boards.client import BoardClient, BoardListener
from rig.boards.serial.board import SerialBoard
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.errors import LinkLostError, NotReadyError, OrderRefusedError, WireError
from rig.core.journal.kinds import BatchDone, OutputDone
from rig.core.model.actions import NOTHING, Pulse, Set
from rig.core.model.board import PanicInput
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.session.spec.read_rig import rig_spec_of
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from tests.session_specs import nose_ports

PLAN = rig_spec_of(nose_ports(), "sim")
WITH_PANIC = replace(PLAN, wiring=replace(PLAN.wiring, panic=PanicInput("sim", 12)))

Client = BoardClient[SerialBoard]


def with_client(script: Callable[[Client, SimRig], Awaitable[Any]], plan: RigSpec = PLAN) -> SimRig:
    """Run a script with a client whose board is open; everything must be off afterwards."""
    rigs: list[SimRig] = []

    async def main() -> None:
        rig = SimRig(plan, SimulationOptions())
        rig.world.trace = []
        rigs.append(rig)
        client = BoardClient(lambda inbox: SerialBoard(rig.transport, running(), inbox))
        async with client.opened(plan.wiring):
            await script(client, rig)
        assert client.health is not None
        assert client.health.complete

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=1000)) as runner:
        try:
            runner.run(main())
        finally:
            assert not any({name: value for _, name, value in outputs(rigs[0])}.values())
    return rigs[0]


def outputs(rig: SimRig) -> list[tuple[int, str, int]]:
    return [change for change in rig.world.trace or () if not change[1].endswith("beam")]


def test_what_is_executed_has_happened() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        await client.execute(Set("left.light", True))
        assert [change[1:] for change in outputs(rig)] == [("left.light", 1)]

    with_client(script)


def test_a_refused_order_is_quoted_with_the_reason() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        await client.execute(Pulse("left.valve", 10_000), Pulse("left.valve", 20_000))

    with pytest.raises(OrderRefusedError, match=r"refuses 'pulse left.valve 20000': busy"):
        with_client(script)


def test_a_batch_is_acknowledged_by_its_number() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        assert (client.send(NOTHING), client.send(NOTHING)) == (1, 2)
        await client.acknowledged(2)
        assert client.sent == 2

    with_client(script)


def test_an_edge_is_waited_for_and_the_others_are_returned() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        asyncio.get_running_loop().call_later(1, rig.world.set_occupied, "left", True)
        assert await client.edge("right.beam", (1,), 2.0) == {"left.beam"}
        asyncio.get_running_loop().call_later(1, rig.world.set_occupied, "left", False)
        assert await client.edge("left.beam", (0,), 2.0) == {"left.beam"}
        assert client.levels == {"left.beam": 0}

    with_client(script)


def test_an_edge_from_before_the_wait_counts_only_when_asked_for() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        rig.world.set_occupied("left", True)
        await asyncio.sleep(0.1)
        assert await client.edge("left.beam", (1,), 1.0) == set()
        assert await client.edge("left.beam", (1,), 1.0, since=0) == {"left.beam"}

    with_client(script)


def test_a_listener_follows_events_and_what_is_done() -> None:
    class Log(BoardListener):
        def __init__(self) -> None:
            self.lines: list[str] = []

        def on_event(self, event: Any) -> None:
            self.lines.append(type(event).__name__)

        def on_done(self, done: BatchDone | OutputDone) -> None:
            self.lines.append(f"batch {done.batch}" if isinstance(done, BatchDone) else f"{done.output} {done.why}")

    async def script(client: Client, rig: SimRig) -> None:
        log = Log()
        client.listen(log)
        await client.execute(Pulse("left.light", 10_000))
        await asyncio.sleep(0.1)
        assert log.lines == ["batch 1", "BoardTime", "left.light finished"]

    with_client(script)


def test_a_wait_ends_when_the_cable_is_pulled() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        asyncio.get_running_loop().call_later(1, rig.cable.disconnect)
        await client.edge("left.beam", (1,), 500.0)

    with pytest.raises(LinkLostError, match="the cable was pulled"):
        with_client(script)


def test_an_expired_lease_ends_the_next_wait() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        rig.cable.to_board.hold()
        await asyncio.sleep(2 * PLAN.wiring.lease_s)
        rig.cable.to_board.release()
        await client.board_time()

    with pytest.raises(LinkLostError, match="the board's lease has expired"):
        with_client(script)


def test_reports_that_make_no_sense_are_an_error_even_when_nothing_waits() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        nonsense = wire.EDGE.pack(1, 0x7F, 0, 0)  # there are not so many channels
        rig.cable.to_host.send(frame.encode(nonsense))
        await asyncio.sleep(0.1)

    with pytest.raises(WireError, match="the board sent nonsense"):
        with_client(script)


def test_a_script_that_fails_leaves_everything_off() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        await client.execute(Set("left.light", True))
        raise RuntimeError("the script is wrong")

    with pytest.raises(RuntimeError, match="the script is wrong"):
        with_client(script)


def test_a_press_of_the_panic_button_ends_a_client_with_the_name_of_the_button() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        await client.execute(Set("left.light", True))
        rig.world.press_panic(True)
        await client.execute(Set("left.light", False))

    with pytest.raises(NotReadyError, match=r"the panic button of board sim \(pin 12\) was pressed; release it"):
        with_client(script, plan=WITH_PANIC)


def test_a_client_waits_for_the_press_of_the_panic_button() -> None:
    async def script(client: Client, rig: SimRig) -> None:
        assert not await client.pressed_panic(1.0)
        asyncio.get_running_loop().call_later(0.5, rig.world.press_panic, True)
        assert await client.pressed_panic(1.0)

    with_client(script, plan=WITH_PANIC)
