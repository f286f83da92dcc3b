"""A board with StandardFirmata: it reads and writes pins, and has no clock, no reflexes and no limits.

The host stamps events on arrival, times the outputs and delivers every reward. A version query replaces
acknowledgements, because the board answers in order: all earlier orders are executed, and all earlier edges received.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pyfirmata2

from rig.boards.firmata.client import FirmataTalk
from rig.boards.firmata.round_trips import Question, RoundTrips
from rig.boards.firmata.software_inputs import SoftwareInput
from rig.boards.firmata.software_outputs import SoftwareOutput, SoftwareOutputs, can_do
from rig.boards.transport import Transport
from rig.core.clock import Clock, Timer, in_background
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError, OrderRefusedError, RecordError
from rig.core.journal.kinds import AllOffDone, BatchDone, OutputDone, OutputEnd
from rig.core.model.actions import Arm, Cancel, Disarm, Nothing, Order, Pulse, Set, Train, plain_action
from rig.core.model.board import Board, BoardCapacity, BoardInfo, Health, Input, Output, Wiring
from rig.core.model.events import BoardTime, Edge, Event, Fault, OutputOn, Refused
from rig.core.timeout import DONE_S, listening_s

BOUND_US = 20_000
"""The largest delay of an edge's stamp: up to 16 ms in an FTDI chip, and the transmission."""

BOOT_S = 8.0
"""The timeout of a boot: an Uno's bootloader takes 2 s, and Firmata blinks its version before it answers."""
REPEAT_S = 0.25
ANSWER_S = 3.0
SILENCE_S = 10.0

_NOTHING = (Nothing, Cancel, Arm, Disarm)
"""Orders that are not sent to a board without reflexes: the host handles the groups."""


class FirmataBoard(Board):
    """A Firmata board on a transport, for one session."""

    def __init__(self, transport: Transport, clock: Clock, inbox: Inbox) -> None:
        self._transport = transport
        self._clock = clock
        self._inbox = inbox
        self._heard = asyncio.Event()
        self._talk = FirmataTalk(transport, self._on_answer, self._on_firmware, self._heard.set)
        self._is_set_up = False
        self._zero_s = clock.time()
        self._inputs: list[SoftwareInput] = []
        self._outputs = SoftwareOutputs(())
        self._trips = RoundTrips(clock, self._talk.ask_version, BOUND_US)
        self._lost: str | None = None
        self._off = False
        self._ordered = self._executed = 0
        self._begun: deque[tuple[int, int, int, str]] = deque()
        """The batch, the place of the order, its time and its output, of what the board has not confirmed yet."""
        self._number = 0
        self._alarm: Timer | None = None
        self._again = False
        self._alive: Timer | None = None
        self._asked: Question | None = None
        self._silent_s = 0.0
        self._lease_s = 2.0

    # --- opening --------------------------------------------------------------------------------------------

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Wait for the firmware, read its pins, configure them, and set time zero."""
        self._transport.start(self._receive, self._on_lost)
        # Firmata reports its firmware by itself after a reset; before, a bootloader would read the question.
        quiet_s = self._transport.quiet_s
        await self._until_heard(self._talk.ask_firmware, BOOT_S, lambda: self._talk.firmware is not None, quiet_s)
        await self._until_heard(self._talk.ask_pins, ANSWER_S, lambda: bool(self._talk.digital))
        self._check(wiring)
        self._zero_s = self._clock.time() - wiring.start_us / 1e6
        self._set_up(wiring)
        self._is_set_up = True
        stamped_by = {"stamps": "host", "deadline": "host", "bound_us": BOUND_US}
        self._inbox.journal.note(wiring.start_us, "timing", **stamped_by)
        self._lease_s = wiring.lease_s
        self._keep_alive()
        # The board answers in order, so this answer proves that all pins are set up.
        if not await self._trips.wait(0, ANSWER_S):
            raise BoardNotFoundError(self._lost or f"the board does not answer any more, for {ANSWER_S:g} s")
        version = ".".join(map(str, self._talk.firmware_version))
        # StandardFirmata reports the file name of its sketch.
        name = str(self._talk.firmware).removesuffix(".ino")
        return BoardInfo(name, "", version, _limits(len(self._talk.digital)))

    async def _until_heard(
        self, ask: Callable[[], None], within_s: float, there: Callable[[], bool], quiet_s: float = 0.0
    ) -> None:
        left_s = within_s
        while not there():
            if self._lost is not None or left_s <= DONE_S:
                raise BoardNotFoundError(self._lost or f"nothing that speaks Firmata answered in {within_s:g} s")
            self._heard.clear()
            if within_s - left_s >= quiet_s - DONE_S:
                ask()
            since_s = self._clock.time()
            timer = self._clock.call_later(REPEAT_S, self._heard.set)
            await self._heard.wait()
            timer.cancel()
            left_s -= listening_s(self._clock.time() - since_s, REPEAT_S)

    def _check(self, wiring: Wiring) -> None:
        pins = self._talk.digital
        if wiring.panic is not None:
            raise OrderRefusedError(f"{wiring.panic}: a Firmata board has no panic input")
        if wiring.sources:
            raise OrderRefusedError(f"{wiring.sources[0].name}: a Firmata board samples nothing for this program")
        for number, channel in wiring.wired:
            if number >= len(pins) or pins[number].mode == pyfirmata2.pyfirmata2.UNAVAILABLE:
                raise OrderRefusedError(f"{channel.name}: this board has no pin {number} for devices")
            if isinstance(channel, Output) and channel.inverted and channel.max_on_us is not None:
                raise OrderRefusedError(
                    f"{channel.name}: is on while its pin is low, which Firmata makes every output when it is opened: "
                    "wire it the other way round, or use the rig's own firmware"
                )

    def _set_up(self, wiring: Wiring) -> None:
        outputs = []
        for number, channel in wiring.wired:
            pin = self._talk.digital[number]
            if isinstance(channel, Output):
                pin.mode = pyfirmata2.OUTPUT
                outputs.append(SoftwareOutput(channel, self._clock, partial(_write, pin), self._on_done))
        self._outputs = SoftwareOutputs(outputs)
        self._outputs.all_off()
        for number, channel in wiring.wired:
            if isinstance(channel, Input):
                watched = SoftwareInput(channel, self._clock, self.now_us, self._on_edge)
                self._inputs.append(watched)
                pin = self._talk.digital[number]
                pin.register_callback(watched.drive)
                pin.mode = pyfirmata2.INPUT

    # --- the board interface --------------------------------------------------------------------------------

    def now_us(self) -> int:
        """Return the time of the session, which is the host's."""
        return round((self._clock.time() - self._zero_s) * 1_000_000)

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Run orders at once; the host performs the action of a reflex when it reads the edge."""
        # All orders are checked before the first one is executed: a batch is refused as a whole.
        for order in orders:
            _check_supported(order)
        if self._off or self._lost is not None:
            return
        for index, order in enumerate(orders):
            action = order if isinstance(order, _NOTHING) else plain_action(order)  # type: ignore[arg-type]
            before = self._outputs.limited_on
            why = self._outputs.do(action) if isinstance(action, Set | Pulse | Train) else None
            if why is not None:
                self._clock.call_soon(self._refuse, number, index, why)
            self._begun += [(number, index, self.now_us(), name) for name in self._outputs.limited_on - before]
        self._ordered = number
        self._trips.ask(number)

    def _refuse(self, batch: int, order: int, why: str) -> None:
        self._put(lambda number: Refused(self.now_us(), batch, order, why, number))

    def estimate_us(self) -> tuple[int, int]:
        """Return the time, which is the host's own; the board's edges are older than that by the bound at most."""
        return self.now_us(), BOUND_US

    def ask_time(self, at_us: int | None) -> None:
        """Schedule a query for host time ``at_us``."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at_us is None or self._off or self._lost is not None:
            return
        # One microsecond later: an edge exactly at the deadline still counts.
        due_s = self._zero_s + (at_us + 1) / 1e6
        if due_s > self._clock.time():
            self._alarm = self._clock.call_at(due_s, self._ask_for_task)
        else:
            self._ask_for_task()

    def _ask_for_task(self) -> None:
        self._alarm = None
        # The answer on its way may be older than this deadline, so another query follows it.
        if self._trips.of_task:
            self._again = True
        else:
            self._trips.ask(self._ordered, of_task=True)

    def all_off(self) -> None:
        """Switch every output off."""
        self._off = True
        self.ask_time(None)
        self._outputs.all_off()

    async def close(self) -> Health:
        """Switch all off, and wait until the board has done it."""
        self.all_off()
        try:
            complete = self._lost is None and await self._trips.wait(self._ordered, ANSWER_S)
            if complete:
                self._inbox.journal.write(AllOffDone(self.now_us(), self._number))
                self._inbox.put(BoardTime(self.now_us(), self._executed, self._next()))
        except RecordError:
            complete = False
        finally:
            self._let_go()
        unacknowledged_batches = tuple(range(self._executed + 1, self._ordered + 1))
        trips = self._trips
        counters = {"damaged": self._talk.damaged, "late": trips.late, "longest_trip_us": trips.longest_us}
        return Health(complete, self._number, self._executed, counters, () if complete else unacknowledged_batches)

    def abort(self) -> None:
        """Switch all off, and close the port."""
        self.all_off()
        self._let_go()

    def _let_go(self) -> None:
        for watched in self._inputs:
            watched.stop()
        if self._alive is not None:
            self._alive.cancel()
        self._transport.close()

    # --- what arrives ---------------------------------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        try:
            self._talk.feed(data)
        except RecordError as error:
            self._fail(error)

    def _on_answer(self) -> None:
        question = self._trips.answered() if self._is_set_up else None
        if question is None:  # a booting board sends its version unsolicited
            return
        while self._executed < question.batch:
            self._executed += 1
            self._inbox.journal.write(BatchDone(self.now_us(), self._executed))
        while self._begun and self._begun[0][0] <= self._executed:
            self._put(partial(_output_on, *self._begun.popleft()))
        self._trips.tell(question)
        if question.of_task and not self._off:
            self._on_time()

    def _on_time(self) -> None:
        again, self._again = self._again, False
        waiting = [since for each in self._inputs if (since := each.pending_since_us) is not None]
        # A change that is still being confirmed may become an edge with its first instant; time must not pass it.
        t_us = min([self.now_us(), *(since - 1 for since in waiting)])
        self._put(lambda number: BoardTime(t_us, self._executed, number))
        if again:
            self._ask_for_task()

    def _on_edge(self, name: str, level: int, t_us: int) -> None:
        self._put(lambda number: Edge(t_us, name, level, 0, number))

    def _on_done(self, why: OutputEnd, name: str) -> None:
        try:
            self._inbox.journal.write(OutputDone(self.now_us(), name, why))
        except RecordError as error:
            self._fail(error)

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _put(self, event: Callable[[int], Event]) -> None:
        if self._lost is not None:
            return
        try:
            self._inbox.put(event(self._next()))
        except RecordError as error:
            self._fail(error)

    def _fail(self, error: RecordError) -> None:
        self.all_off()
        self._inbox.fail(error)

    # --- the end of it --------------------------------------------------------------------------------------

    def _keep_alive(self) -> None:
        """Send a query unless one is in flight, and schedule the check for its answer."""
        # Firmata has no keep-alive: a version query takes its place.
        question = self._trips.oldest or self._trips.ask(self._ordered)
        if question is not self._asked:
            self._asked, self._silent_s = question, 0.0
        piece_s = self._lease_s / 4
        self._alive = in_background(self._clock)(piece_s, self._look, self._clock.time(), piece_s)

    def _look(self, since_s: float, piece_s: float) -> None:
        self._silent_s += listening_s(self._clock.time() - since_s, piece_s)
        if self._trips.oldest is self._asked and self._silent_s > SILENCE_S:
            self._on_lost(f"the board has been silent for {SILENCE_S:g} s")
        else:
            self._keep_alive()

    def _on_firmware(self) -> None:
        # The host asks only before the set-up; later a board reports its firmware only when it boots.
        if self._is_set_up:
            self._lose("reset", "the board has reset: its outputs are off, and it has forgotten its pins")
        else:
            self._heard.set()

    def _on_lost(self, why: str) -> None:
        self._lose("link_lost", why)

    def _lose(self, what: str, detail: str) -> None:
        if self._lost is not None:
            return
        # Before `_lost` is set: `_put` drops the events of a lost board.
        self._put(lambda number: Fault(max(0, self.now_us()), what, detail))
        self._lost = detail
        self._heard.set()
        self.ask_time(None)
        self._trips.give_up()


def _output_on(batch: int, order: int, t_us: int, output: str, number: int) -> OutputOn:
    return OutputOn(t_us, output, "order", batch, order, number)


def _write(pin: Any, level: int) -> None:
    pin.value = None  # otherwise pyfirmata2 skips a write of the value that it has cached
    pin.write(level)


def _check_supported(order: Order) -> None:
    actions = [action for _, _, action in order.members] if isinstance(order, Arm) else [order]
    for action in actions:
        if not isinstance(action, _NOTHING) and not can_do(plain_action(action)):  # type: ignore[arg-type]
            raise OrderRefusedError(
                f"'{action}': Firmata boards have no tones, no sequences and no sync codes; use the rig's firmware"
            )


def _limits(pins: int) -> BoardCapacity:
    return BoardCapacity(channels=pins, groups=0, members=0, entries=0, sequences=0, events=0, horizon_us=0)
