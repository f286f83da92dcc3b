"""The simulated board: the chip behind the wire protocol, with the guarantees of the firmware."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import LONGEST_TO_BOARD, WINDOW_FRAMES
from rig.boards.wire.messages import Message
from rig.boards.wire.orders import read_orders
from rig.core.clock import Clock, Timer, in_background
from sim_hardware.board.chip import Capacity, Chip
from sim_hardware.board.ticks import Ticks

UID = 0x5131
FIRMWARE = 0x0100
# Both as in the firmware, with which this model is compared.
LONGEST_BACKOFF_S = 0.5
RESENT_AT_ONCE = 16

# Other events leave a place for these: the host must learn of an expired lease, a panic, and events that were lost.
_NEVER_LOST = (wire.LEASE, wire.PANIC, wire.OVERFLOW)


class SimBoard:
    """One board on one cable; ``send`` takes the bytes for the host, ``drive`` the levels for the world.

    ``on_open`` is called when a session has been opened.
    """

    def __init__(
        self,
        clock: Clock,
        send: Callable[[bytes], None],
        drive: Callable[[int, int], None],
        on_open: Callable[[], None] = lambda: None,
        *,
        ticks: Ticks | None = None,
        capacity: Capacity | None = None,
        uid: int = UID,
    ) -> None:
        self.ticks = ticks or Ticks(clock)
        self.capacity = capacity or Capacity()
        self.chip = Chip(self.ticks, self._emit, drive, self.capacity, self._on_panic, self._send_payload)
        self.opened_at = 0
        self.on_open = on_open
        self._clock = clock
        self._send_bytes = send
        self._uid = uid
        self._deframer = frame.Deframer(LONGEST_TO_BOARD)
        self._epoch = 0
        self._last_epoch = 0
        self._received = self._executed = self._begun = 0
        self._acks: deque[tuple[int, bytes]] = deque(maxlen=WINDOW_FRAMES)
        self._nonce: int | None = None
        self._safe: tuple[int, bytes] | None = None
        self._count = 0
        self._events: deque[tuple[int, bytes]] = deque()
        self._forget_lost()
        self._resend_s = self._backoff_s = 0.02
        self._resend_running = False
        self._oldest_sent_at = 0.0
        self._lease_s = 0.0
        self._lease_timer: Timer | None = None
        self._renewed_at = 0.0
        # In background: a lease or a repetition is no sign that anything still happens.
        self._later = in_background(clock)
        self._reset_reason = wire.CONSTANTS["RESET_POWER"]
        self._power_ons = 1
        self._counters = dict.fromkeys((name for name, _ in wire.HEALTH.layout), 0)
        self._handle = self._message_handlers()

    def _message_handlers(self) -> dict[int, Callable[[Message, bytes], None]]:
        """Return what handles each kind of message of the host."""
        return {
            wire.GET_HELLO.code: lambda message, payload: self._hello(1),
            wire.OPEN.code: self._open,
            wire.BATCH.code: self._batch,
            wire.EVENT_ACK.code: self._heard,
            wire.GET_TIME.code: self._time,
            wire.ALL_OFF.code: self._all_off,
            wire.GET_HEALTH.code: self._health,
            wire.GET_OPENING.code: self._opening,
        }

    # --- bytes ----------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Handle bytes from the host."""
        for payload in self._deframer.feed(data):
            message = wire.unpack(payload, wire.TO_BOARD)
            if message is None:
                self._deframer.damaged += 1
                continue
            # Only a valid frame renews the lease (docs/decisions/lease.md).
            self._renew()
            self._handle[message[0]](message, payload)

    def _send(self, kind: wire.Kind, *values: int | bytes) -> None:
        self._send_payload(kind.pack(*values))

    def _send_payload(self, payload: bytes) -> None:
        self._send_bytes(frame.encode(payload))

    def power_on(self) -> None:
        """Start the board, which sends HELLO."""
        self._hello(0)

    def reset(self, reason: str = "WATCHDOG") -> None:
        """Start the board again by a reset: it loses all of its state, as a chip does, but the kept openings.

        After a loss of power it loses these, too, and the number of the last epoch.
        """
        # Closed first, so that what goes off now is not reported. The last epoch is kept: an order from before the
        # reset must not be executed in the next session (docs/decisions/epochs.md).
        self._epoch = self._received = self._executed = self._begun = self._count = 0
        self._forget_lost()
        self.chip.openings.cut()
        self.chip.forget()
        if reason == "POWER":
            self._last_epoch = 0
            self._power_ons += 1
            self.chip.openings.forget()
        self._nonce = self._safe = None
        self._acks.clear()
        self._events.clear()
        self._reset_reason = wire.CONSTANTS[f"RESET_{reason}"]
        self._hello(0)

    def _hello(self, asked: int) -> None:
        room = self.capacity
        self._send(
            wire.HELLO,
            wire.VERSION,
            FIRMWARE,
            self._uid,
            self._power_ons,
            self.ticks.tick_ns,
            room.channels,
            room.sources,
            room.groups,
            room.reflexes,
            room.sequences,
            room.entries,
            room.openings,
            room.events,
            asked,
            self._reset_reason,
            b"sim",
        )

    # --- epochs and the lease -------------------------------------------------------------------------------

    def _new_epoch(self) -> None:
        # A byte on the wire; 0 is a board that is not open.
        self._epoch = self._last_epoch = self.chip.openings.epoch = self._last_epoch % 255 + 1
        self._received = self._executed = self._begun = 0
        self._acks.clear()

    def _open(self, message: Message, payload: bytes) -> None:
        _, nonce, lease_ms, resend_ms = message
        # The host repeats OPEN until it is answered: a repetition must not begin another session.
        if nonce != self._nonce or not self._epoch:
            self._nonce, self._safe, self._epoch = nonce, None, 0
            self.chip.forget()
            self._new_epoch()
            self._events.clear()
            self._count = 0
            self._forget_lost()
            self._counters = dict.fromkeys(self._counters, 0)
            self._deframer.damaged = 0
            self._resend_s = self._backoff_s = resend_ms / 1000
            self._lease_s = self.ticks.seconds(self.ticks.from_us(lease_ms * 1000))
            self.opened_at = self.ticks.now()
            if self._lease_timer is not None:
                self._lease_timer.cancel()  # the old session's may be longer
                self._lease_timer = None
            self._renew()
            self.on_open()
        self._send(wire.OPENED, nonce, self._epoch, self.ticks.stamp(self.opened_at))

    def _renew(self) -> None:
        # One timer checks the lease: setting a timer for every frame costs more time.
        self._renewed_at = self._clock.time()
        if self._epoch and self._lease_timer is None:
            self._lease_timer = self._later(self._lease_s, self._check_lease)

    def _check_lease(self) -> None:
        self._lease_timer = None
        if not self._epoch or self._safe is not None or self.chip.panicked:
            return
        left_s = self._renewed_at + self._lease_s - self._clock.time()
        # Less is a rounding error, and a timer for it would be due in this instant.
        if left_s > 1e-9:
            self._lease_timer = self._later(left_s, self._check_lease)
            return
        executed = self._executed
        self.chip.safe()
        self._new_epoch()
        self._counters["leases"] += 1
        self._emit(wire.LEASE, self._epoch, executed & 0xFF, self.ticks.stamp(self.ticks.now()))

    def _on_panic(self) -> None:
        # After all-off there is nothing left to switch off, and no order to refuse.
        if self._safe is None:
            executed = self._executed
            self._new_epoch()
            self._emit(wire.PANIC, self._epoch, executed & 0xFF, self.ticks.stamp(self.ticks.now()))

    def _all_off(self, message: Message, payload: bytes) -> None:
        # The host repeats ALL_OFF until it is answered; a repetition gets the first answer.
        if self._safe is None or self._safe[0] != message[1]:
            executed = self._executed & 0xFF
            self.chip.safe()
            # Before the answer: the host closes the port behind it.
            self.chip.sources.stop()
            self._new_epoch()
            stamp = self.ticks.stamp(self.ticks.now())
            # Before the answer, which names the last event that the host waits for.
            self._report_lost()
            answer = message[1], self._epoch, self._count & 0xFFFF, executed, stamp
            self._safe = message[1], frame.encode(wire.ALL_OFF_DONE.pack(*answer))
        self._send_bytes(self._safe[1])

    # --- orders ---------------------------------------------------------------------------------------------

    def _batch(self, message: Message, payload: bytes) -> None:
        _, epoch, number, heard, seen, count = message
        # HELLO tells the host of a reset, which ends the session (docs/decisions/epochs.md).
        if not self._epoch:
            self._hello(0)
            return
        if epoch != self._epoch or self._safe is not None or self.chip.panicked:
            return
        self._forget_events(heard)
        ahead = (number - self._received) & 0xFF
        if ahead == 1:
            self._take_frame(payload, count, number, seen)
        elif ahead == 0 or ahead > 0x80:
            # Received before, and the ACK was lost: acknowledge again. A frame that is further ahead waits for the host
            # to repeat the missing one (docs/decisions/go-back-n.md).
            for known, answer in self._acks:
                if known == number:
                    self._send_bytes(answer)

    def _take_frame(self, payload: bytes, count: int, number: int, seen: int) -> None:
        # It has passed its CRC, but may still be none.
        orders = read_orders(payload, wire.BATCH.size.size, count & ~wire.MORE_FRAMES)
        stamp = self.ticks.stamp(self.ticks.now())
        self._received += 1
        self._begun = self._executed + 1
        batch = self._begun & 0xFF
        if count & wire.MORE_FRAMES:
            self.chip.prepare(orders, batch)
        else:
            self._executed += 1
            # From 16 bits to the full number, because an edge of long ago may be near in 16 bits.
            self.chip.execute(orders, self._count - ((self._count - seen) & 0xFFFF), batch)
        # The report of the panic names this batch as executed; its acknowledgement would belong to the old epoch.
        if self.chip.panicked:
            return
        answer = frame.encode(wire.ACK.pack(self._epoch, number, stamp))
        self._acks.append((number, answer))
        self._send_bytes(answer)

    # --- events ---------------------------------------------------------------------------------------------

    def _emit(self, kind: wire.Kind, *values: int) -> int:
        if not self._epoch:
            return self._count
        if len(self._events) >= self.capacity.events - 1 and kind not in _NEVER_LOST:
            self._lose(kind, values)
            return self._count + 1  # later than anything that the host can have read
        if kind is not wire.OVERFLOW:
            self._report_lost()
        self._count += 1
        framed = frame.encode(kind.pack(self._count & 0xFFFF, *values))
        if not self._events:
            self._oldest_sent_at = self._clock.time()
        self._events.append((self._count, framed))
        self._send_bytes(framed)
        if not self._resend_running:
            self._schedule_resend(self._backoff_s)
        return self._count

    def _forget_lost(self) -> None:
        self._lost = self._lost_effects = self._lost_executed = 0

    def _lose(self, kind: wire.Kind, values: tuple[int, ...]) -> None:
        self._lost += 1
        self._counters["lost"] += 1
        # The second field of an EDGE is the group that it fired. Only these tell the host what became of a reward.
        if kind in (wire.STARTED, wire.REFUSED, wire.ON) or (kind is wire.EDGE and values[1]):
            self._lost_effects += 1
            self._lost_executed = self._begun

    def _report_lost(self) -> None:
        if not self._lost:
            return
        lost, effects = min(self._lost, 0xFF), min(self._lost_effects, wire.CONSTANTS["MAX_EFFECTS"])
        executed = self._lost_executed & 0xFF
        self._forget_lost()
        self._emit(wire.OVERFLOW, lost, executed, effects, self.ticks.stamp(self.ticks.now()))

    def _schedule_resend(self, delay_s: float) -> None:
        self._resend_running = True
        self._later(delay_s, self._resend)

    def _resend(self) -> None:
        self._resend_running = False
        if not self._events:
            return
        waited = self._clock.time() - self._oldest_sent_at
        # An acknowledgement has restarted the wait since; 0.1 % is for rounding.
        if waited < self._backoff_s * 0.999:
            self._schedule_resend(self._backoff_s - waited)
            return
        for _, framed in list(self._events)[:RESENT_AT_ONCE]:
            self._send_bytes(framed)
            self._counters["resent"] += 1
        self._oldest_sent_at = self._clock.time()
        self._backoff_s = min(LONGEST_BACKOFF_S, self._backoff_s * 2)
        self._schedule_resend(self._backoff_s)

    def _forget_events(self, heard: int) -> None:
        events = self._events
        if not events:
            return
        known = events[0][0] - 1 + ((heard - events[0][0] + 1) & 0xFFFF)
        # An acknowledgement older than what is kept extends to a number that was never sent.
        if known > self._count:
            return
        while events and events[0][0] <= known:
            events.popleft()
            self._backoff_s = self._resend_s
            self._oldest_sent_at = self._clock.time()

    def _heard(self, message: Message, payload: bytes) -> None:
        if not self._epoch:
            self._hello(0)
            return
        self._forget_events(message[1])
        if message[2]:
            self._send(wire.KEEPALIVE_ACK, message[2], self.ticks.stamp(self.ticks.now()))

    def _time(self, message: Message, payload: bytes) -> None:
        if not self._epoch:
            self._hello(0)
            return
        self._forget_events(message[1])
        self._emit(wire.TIME, self.ticks.stamp(self.chip.inputs.horizon()), self._executed & 0xFF)

    def _health(self, message: Message, payload: bytes) -> None:
        chip = {"refused": self.chip.refused, "limits": self.chip.limits_hit}
        counters = self._counters | chip | {"damaged": self._deframer.damaged}
        bounds = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}
        self._send(wire.HEALTH, *(min(counters[name], bounds[kind]) for name, kind in wire.HEALTH.layout))

    def _opening(self, message: Message, payload: bytes) -> None:
        self._send(wire.OPENING, message[1], *self.chip.openings.fields(message[1]))
