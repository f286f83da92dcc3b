"""A Firmata board connected by a simulated cable to a model of its sketch."""

from dataclasses import dataclass, field
from typing import Any

from rig.boards.firmata.board import FirmataBoard
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SessionLine
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable
from tests.boards.firmata.firmata_sketch import Sketch
from tests.journal_lines import read_line

BEAM, LIGHT, VALVE, OTHER = 6, 10, 3, 4
WIRING = Wiring(
    (
        Input("left", Role.BEAM, BEAM),
        Output("left", Role.LIGHT, LIGHT),
        Output("left", Role.VALVE, VALVE, max_on_us=100_000, interlocked=True),
        Output("right", Role.VALVE, OTHER, max_on_us=100_000, interlocked=True),
    )
)


@dataclass
class FirmataBench:
    """A sketch on a cable, the board at its other end, and all that it said."""

    cable: SerialCable
    sketch: Sketch
    inbox: Inbox
    lines: list[SessionLine] = field(default_factory=list)
    board: FirmataBoard = field(init=False)
    zero_s: float = 0.0
    batches: int = 0

    async def open(self, wiring: Wiring = WIRING) -> Any:
        opened = await self.board.open(wiring)
        self.zero_s = self.board._zero_s
        return opened

    def make_board(self, inbox: Inbox) -> FirmataBoard:
        self.board = FirmataBoard(CableTransport(self.cable), running(), inbox)
        return self.board

    def order(self, *orders: Any) -> None:
        self.batches += 1
        self.board.batch(orders, 0, 0, self.batches)

    def events(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.inbox.events if isinstance(event, kind)]

    def pulses(self, pin: int) -> list[tuple[int, int]]:
        """When the pin rose, and for how long it was high; both in µs since the board was opened."""
        changes = [(t, level) for t, changed, level in self.sketch.trace if changed == pin]
        assert [level for _, level in changes] == [1, 0] * (len(changes) // 2)
        times = [round((t - self.zero_s) * 1e6) for t, _ in changes]
        return [(on, off - on) for on, off in zip(times[::2], times[1::2], strict=True)]


def make_bench(faults: LinkFaults | None = None) -> FirmataBench:
    clock = running()
    cable = SerialCable(clock, faults)
    sketch = Sketch(cable.to_host.send, clock.time)
    cable.to_board.deliver = sketch.receive
    lines: list[SessionLine] = []
    inbox = Inbox(Journal(lambda raw: lines.append(read_line(raw))))
    bench = FirmataBench(cable, sketch, inbox, lines)
    bench.make_board(inbox)
    return bench


async def opened_bench(faults: LinkFaults | None = None) -> FirmataBench:
    bench = make_bench(faults)
    await bench.open()
    return bench
