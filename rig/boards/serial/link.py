"""Run the wire protocol on a transport: move bytes, keep the timers, and report a lost board."""

from __future__ import annotations

from collections.abc import Callable

from rig.boards.transport import Transport
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import GoBackN
from rig.boards.wire.messages import Message
from rig.core.clock import Clock, Timer, in_background
from rig.core.timeout import listening_s

SILENCE_S = 10.0
"""A board that sends nothing for this long, despite keep-alives, is lost. Host stalls do not count."""

ACK_PAUSE_S = 0.002
"""The least time between acknowledgements: one for each event would load a busy board."""

RESEND_PAUSE_S = 0.001
"""The least time between checks for overdue batches, also if a timer fires early."""


class Link:
    """A transport that carries the wire protocol."""

    def __init__(self, transport: Transport, clock: Clock, lease_s: float) -> None:
        self.protocol = GoBackN()
        self._transport = transport
        self._clock = clock
        # Keep-alives and repetitions alone must not hide a deadlock of the task: see docs/decisions/virtual-time.md.
        self._later = in_background(clock)
        self._keep_alive_s = lease_s / 4
        self._heard = False
        self._silent_s = 0.0
        self._sent_at = clock.time()
        self._keepalive_id = 0
        self._keepalive_sent_at: dict[int, float] = {}
        self._resend_timer: Timer | None = None
        self._alive_timer: Timer | None = None
        self._repeat_timer: Timer | None = None
        self._ack_timer: Timer | None = None
        # The first acknowledgement needs no pause, also on a virtual clock that starts at 0.
        self._acked_at = -ACK_PAUSE_S
        self._closed = False
        self._on_messages: Callable[[list[Message]], None] = lambda messages: None
        self._on_lost: Callable[[str], None] = lambda why: None

    def start(self, on_messages: Callable[[list[Message]], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver messages, all of one read together; ``on_lost`` is called once for a lost board."""
        self._on_messages, self._on_lost = on_messages, on_lost
        self._transport.start(self._receive, self._lost)

    def keep_alive(self) -> None:
        """Start to renew the board's lease and to detect its silence."""
        self._silent_s = 0.0
        self._check_alive_in(self._clock.time(), self._keep_alive_s)

    # --- out ------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send finished frames."""
        if data and not self._closed:
            self._sent_at = self._clock.time()
            self._transport.write(data)

    def send(self, kind: wire.Kind, *values: int) -> None:
        """Send one message."""
        self.write(frame.encode(kind.pack(*values)))

    def acknowledge(self) -> None:
        """Send the number of the last journaled event, whether due or not."""
        self.write(self.protocol.acknowledge())

    def push(self) -> None:
        """Send the batches that fit the window, and start the retransmission timer."""
        now = self._clock.time()
        data = self.protocol.frames_to_send(now)
        # Not by `write`: on the path from an edge to the order that answers it, each call counts.
        if data and not self._closed:
            self._sent_at = now
            self._transport.write(data)
        if self._resend_timer is None and self.protocol.in_flight:
            self._resend_timer = self._later(max(RESEND_PAUSE_S, self.protocol.resend_in(now)), self._resend)

    def _resend(self) -> None:
        self._resend_timer = None
        if self._closed:
            return
        self.write(self.protocol.frames_to_resend(self._clock.time()))
        self.push()

    # --- in -------------------------------------------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        if self._closed:
            return
        messages = self.protocol.receive(data)
        if messages:
            # Only valid messages count: noise on a loose cable must not hide a lost board.
            self._heard = True
            self._on_messages(messages)
        if self.protocol.ack_due and self._ack_timer is None:  # a batch sent meanwhile also acknowledges
            pause_s = self._acked_at + ACK_PAUSE_S - self._clock.time()
            if pause_s > 0:
                self._ack_timer = self._later(pause_s, self._acknowledge)
            else:
                self._acknowledge()

    def _acknowledge(self) -> None:
        self._ack_timer = None
        if self.protocol.ack_due:
            self._acked_at = self._clock.time()
            self.acknowledge()

    def _lost(self, why: str) -> None:
        if not self._closed:
            self.close()
            self._on_lost(why)

    # --- keep-alive -----------------------------------------------------------------------------------------------

    def keepalive_sent_at(self, keepalive_id: int) -> float | None:
        """Return the loop time at which a keep-alive was sent, in seconds; None if already answered."""
        return self._keepalive_sent_at.pop(keepalive_id, None)

    def _check_alive_in(self, now: float, piece_s: float) -> None:
        self._alive_timer = self._later(piece_s, self._check_alive, now, piece_s)

    def _check_alive(self, since_s: float, piece_s: float) -> None:
        if self._closed:
            return
        if self._repeat_timer is not None:
            self._repeat_timer.cancel()
        now = self._clock.time()
        if self._heard:
            self._silent_s, self._heard = 0.0, False
        else:
            self._silent_s += listening_s(now - since_s, piece_s)
            if self._silent_s > SILENCE_S:
                self._lost(f"the board has been silent for {SILENCE_S:g} s")
                return
        # Any frame renews the lease. A keep-alive is needed only after a quarter of the lease without one.
        # 0.999: a timer may fire early by the resolution of its clock.
        quiet_s = now - self._sent_at
        if quiet_s >= self._keep_alive_s * 0.999:
            self._sent_at, quiet_s = now, 0.0
            self._send_keepalive(now, self.protocol.resend_after())
        self._check_alive_in(now, max(0.001, self._keep_alive_s - quiet_s))

    def _send_keepalive(self, now: float, wait_s: float) -> None:
        """Send a keep-alive, and again after ``wait_s`` seconds without a word from the board."""
        # 0 requests no answer, so ids run from 1 to 255.
        self._keepalive_id = self._keepalive_id % 255 + 1
        self._keepalive_sent_at[self._keepalive_id] = now
        kept = self.protocol.last_journaled & 0xFFFF
        # Not by `send`: a repetition must not put off the check of the board's silence.
        self._transport.write(frame.encode(wire.EVENT_ACK.pack(kept, self._keepalive_id)))
        self._repeat_timer = self._later(wait_s, self._repeat_keepalive, wait_s)

    def _repeat_keepalive(self, waited_s: float) -> None:
        # Only three keep-alives fit into a lease, and a damaged delimiter destroys two of them. What the board sends by
        # itself is no answer, but the link acknowledges it, which renews the lease as well.
        if not self._closed and not self._heard:
            self._send_keepalive(self._clock.time(), 2 * waited_s)

    def close(self) -> None:
        """Stop the timers and close the port."""
        self._closed = True
        for timer in (self._resend_timer, self._alive_timer, self._repeat_timer, self._ack_timer):
            if timer is not None:
                timer.cancel()
        self._transport.close()
