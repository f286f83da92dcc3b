"""A bench: a board on a cable, the host's end of it, and a look at every message that passes.

A test that is a coroutine function runs in virtual time.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SessionLine
from rig.core.model.board import Block, Input, Output, Wiring
from rig.core.model.channels import Role
from rig.records.journal.read import L, of_kind
from sim_hardware import loop
from sim_hardware.board.board import SimBoard
from sim_hardware.board.ticks import Ticks
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable
from tests.coroutine_tests import Test, run_coroutine_test
from tests.journal_lines import read_line

BEAM, CENTER, LIGHT, VALVE = 6, 5, 10, 3
WIRING = Wiring(
    (
        Input("left", Role.BEAM, BEAM),
        Input("center", Role.BEAM, CENTER),
        Output("left", Role.LIGHT, LIGHT),
        Output("left", Role.VALVE, VALVE, max_on_us=100_000),
    )
)

Message = tuple[Any, ...]


class Plug(Transport):
    """The host's end of the cable; knows whether it was let go of."""

    def __init__(self, cable: SerialCable) -> None:
        self._inner = CableTransport(cable)
        self.closed = 0

    @property
    def quiet_s(self) -> float:
        return self._inner.quiet_s

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._inner.start(on_bytes, on_lost)

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def close(self) -> None:
        self.closed += 1
        self._inner.close()


class SerialBench:
    """One board; ``host`` is what is tested. Filters see each payload that arrives: other bytes, or None to lose it."""

    wiring = WIRING

    def __init__(
        self,
        faults: LinkFaults | None = None,
        *,
        tick_ns: int = 1000,
        start: int = 0,
        ppm: float = 0.0,
        uid: str | None = None,
        nonce: int = 1,
        **board: Any,
    ) -> None:
        self.clock = running()
        self.cable = SerialCable(self.clock, faults)
        ticks = Ticks(self.clock, tick_ns, start, ppm)
        self.board = SimBoard(self.clock, self._leave_board, self._drive, ticks=ticks, **board)
        self.sent: list[tuple[float, Message]] = []
        self.heard: list[tuple[float, Message]] = []
        self.pins: list[tuple[float, int, int]] = []
        self.to_board: Callable[[bytes], bytes | None] = lambda payload: payload
        self.to_host: Callable[[bytes], bytes | None] = lambda payload: payload
        self.lines: list[SessionLine] = []
        self.disk_full = False
        self.cable.to_board.deliver = self._reach_board
        self.plug = Plug(self.cable)
        self.blocks: list[Block] = []
        self.inbox = Inbox(Journal(self._append), record=self.blocks.append)
        self.host = SerialBoard(self.plug, self.clock, self.inbox, uid, nonce)

    # --- the cable ------------------------------------------------------------------------------------------

    def _reach_board(self, data: bytes) -> None:
        for payload in self._pass(data, self.sent, wire.TO_BOARD, self.to_board):
            self.board.receive(payload)

    def _leave_board(self, data: bytes) -> None:
        for piece in self._pass(data, self.heard, wire.TO_HOST, self.to_host):
            self.cable.to_host.send(piece)

    def _pass(self, data: bytes, log: list[Any], known: dict[int, wire.Kind], through: Any) -> Iterator[bytes]:
        if not self.cable.faults.clean:
            yield data
            return
        for payload in frame.Deframer().feed(data):
            message = wire.unpack(payload, known)
            if message is not None:
                log.append((self.clock.time(), message))
            changed = through(payload)
            if changed is not None:
                yield frame.encode(changed)

    def sends(self, kind: wire.Kind) -> list[Message]:
        """What of one kind has reached the board, lost in the filter or not."""
        return [message for _, message in self.sent if message[0] == kind.code]

    def times(self, kind: wire.Kind) -> list[float]:
        """When it did."""
        return [round(at, 6) for at, message in self.sent if message[0] == kind.code]

    # --- the world ------------------------------------------------------------------------------------------

    def _drive(self, pin: int, value: int) -> None:
        self.pins.append((self.clock.time(), pin, value))

    def touch(self, pin: int, level: int) -> None:
        """Let the world change an input."""
        self.board.chip.inputs.drive(pin, level)

    def pin(self, pin: int) -> int:
        """What an output does."""
        return next((value for _, at, value in reversed(self.pins) if at == pin), 0)

    # --- the host -------------------------------------------------------------------------------------------

    def _append(self, line: bytes) -> None:
        if self.disk_full:
            raise RecordError("the disk is full")
        self.lines.append(read_line(line))

    def journal(self, kind: type[L]) -> list[L]:
        """The lines of one kind."""
        return list(of_kind(self.lines, kind))

    async def open(self, wiring: Wiring = WIRING) -> Any:
        """Open the board."""
        return await self.host.open(wiring)

    def next_host(self, nonce: int) -> SerialBoard:
        """Put another host at the end of the cable; the one before has let go of it."""
        self.plug = Plug(self.cable)
        self.host = SerialBoard(self.plug, self.clock, self.inbox, None, nonce)
        return self.host


def in_virtual_time(test: Test) -> None:
    """Run a coroutine function in virtual time, which ends before the experiment has taken a month."""
    loop.run(test(), t_max=3e6)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    return run_coroutine_test(pyfuncitem, in_virtual_time)


@pytest.fixture(scope="session")
def bench() -> type[SerialBench]:
    return SerialBench


@pytest.fixture(scope="session")
def losing() -> Callable[..., Callable[[bytes], bytes | None]]:
    """Make a filter that loses messages of some kinds."""

    def losing(*kinds: wire.Kind) -> Callable[[bytes], bytes | None]:
        codes = {kind.code for kind in kinds}
        return lambda payload: None if payload[0] in codes else payload

    return losing
