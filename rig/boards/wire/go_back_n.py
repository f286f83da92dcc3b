"""The host's side of the wire protocol, without a port or a clock: bytes in, messages out.

Go-back-N in both directions. Events are numbered and accepted once, in order; the host acknowledges an event only
after it is journaled. Batches are numbered within an epoch, with at most ``WINDOW_BYTES`` of them unacknowledged, so
that an all-off waits at most 1 ms behind them at 500,000 baud.
"""

from __future__ import annotations

from collections import deque

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.messages import Message
from rig.core.errors import OrderRefusedError

WINDOW_BYTES = 48
WINDOW_BATCHES = 4
"""The board stores the acknowledgements of this many batches, so that a repeated batch gets its original stamp."""

LONGEST_WAIT_S = 0.5
"""The longest retransmission timeout of a batch."""

ROUNDING_S = 0.000_02
"""The tolerance for timers: one may fire this much before a batch is overdue."""

FRAMED_HEAD = wire.BATCH.size.size + 4
"""The bytes of a framed batch beside its orders: its head, a CRC, one COBS byte and the delimiter."""

ROOM_BYTES = WINDOW_BYTES - FRAMED_HEAD
"""The space for the orders of a batch."""

LONGEST_TO_BOARD = WINDOW_BYTES - 1
"""The longest frame that a board accepts, a full batch, without its delimiter."""


class Sent:
    """A batch without acknowledgement; while it waits for space in the window, ``tries`` is 0 and ``framed`` empty."""

    __slots__ = ("count", "first_sent_at", "framed", "number", "orders", "seen", "sent_at", "size", "tries")

    def __init__(self, number: int, orders: bytes, count: int, seen: int) -> None:
        self.number = number
        self.orders = orders
        self.count = count
        self.seen = seen
        self.size = len(orders) + FRAMED_HEAD
        self.framed = b""
        self.tries = 0
        self.sent_at = self.first_sent_at = 0.0


class GoBackN:
    """Numbers, acknowledges and retransmits; one per connection."""

    def __init__(self) -> None:
        self.epoch = 0
        self.last_journaled = 0
        self.ack_due = False
        self.valid_frames = 0
        """All valid frames received, also events of an earlier session."""
        self.duplicates = 0
        self.gaps = 0
        self.resent = 0
        self.round_trip: float | None = None
        self._first_estimate = 0.0
        self._timeouts = 0  # retransmissions since the last acknowledgement
        self._deframer = frame.Deframer()
        self._number = 0
        self._accepted = 0
        self._room = WINDOW_BYTES
        self._unacknowledged: dict[int, Sent] = {}
        self._waiting: deque[Sent] = deque()

    @property
    def damaged(self) -> int:
        """Return the number of damaged frames received."""
        return self._deframer.damaged

    @property
    def in_flight(self) -> bool:
        """Whether a batch waits for its acknowledgement."""
        return bool(self._unacknowledged)

    @property
    def unacknowledged(self) -> list[int]:
        """Return the numbers of the batches that are not known to have been executed."""
        return [*self._unacknowledged, *(sent.number for sent in self._waiting)]

    @property
    def sent_unacknowledged(self) -> list[int]:
        """Return the numbers of the batches that may or may not have been executed."""
        return list(self._unacknowledged)

    # --- in -------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Message]:
        """Return the messages in received bytes, each event once and in order.

        Event numbers are extended to full counts. The caller calls :meth:`mark_journaled` for each event on record.
        """
        messages = []
        for payload in self._deframer.feed(data):
            message = wire.unpack(payload, wire.TO_HOST)
            # Only before the first epoch: an open board speaks this version, so that such a frame is damage.
            if message is None and not self.epoch:
                message = wire.unpack_other_hello(payload)
            if message is None:
                self._deframer.damaged += 1
                continue
            self.valid_frames += 1
            if message[0] < wire.FIRST_EVENT:
                messages.append(message)
            # Accept in order only. A gap stays unacknowledged, so the board repeats from the missing event on.
            elif self.epoch:  # before the first epoch an event is from an earlier session
                # Also for a repeated event: the board repeats it when an acknowledgement was lost.
                self.ack_due = True
                ahead = (message[1] - self._accepted) & 0xFFFF
                if ahead == 1:
                    self._accepted += 1
                    # The first 65,535 events have the same number on the wire.
                    if message[1] != self._accepted:
                        message = (message[0], self._accepted, *message[2:])
                    messages.append(message)
                # Numbers wrap, so one half of their range lies behind the last accepted event.
                elif ahead == 0 or ahead >= 0x8000:
                    self.duplicates += 1
                else:
                    self.gaps += 1
        return messages

    def mark_journaled(self, number: int) -> None:
        """Record that an event is journaled; it may be acknowledged when all before it are."""
        # EVENT_ACK is cumulative: across a gap it would confirm an event that is not on record.
        if number == self.last_journaled + 1:
            self.last_journaled = number

    def acknowledge(self) -> bytes:
        """Return the frame that acknowledges all journaled events."""
        self.ack_due = False
        return frame.encode(wire.EVENT_ACK.pack(self.last_journaled & 0xFFFF, 0))

    # --- out ------------------------------------------------------------------------------------------------

    def begin_epoch(self, epoch: int, fresh: bool = False) -> None:
        """Start an epoch: reset batch numbers and drop unacknowledged batches; ``fresh`` also resets event numbers."""
        self.epoch = epoch
        self._number = 0
        self._room = WINDOW_BYTES
        self._timeouts = 0
        self._unacknowledged.clear()
        self._waiting.clear()
        # After an expired lease the board keeps its events, so their numbers go on.
        if fresh:
            self._accepted = self.last_journaled = 0

    def add_batch(self, orders: bytes, count: int, seen: int) -> int:
        """Queue a batch; return its number. Raises ``OrderRefusedError`` when it does not fit one frame."""
        # Refuse here: the board drops an overlong frame as noise, and the host would repeat it without end.
        if len(orders) > ROOM_BYTES:
            raise OrderRefusedError(
                f"{count} orders of one instant take {len(orders)} bytes and the wire carries {ROOM_BYTES} at once: "
                "put a wait between them, or load a sequence"
            )
        self._number += 1
        self._waiting.append(Sent(self._number, orders, count, seen))
        return self._number

    def _encode(self, batch: Sent) -> bytes:
        heard, seen = self.last_journaled & 0xFFFF, batch.seen & 0xFFFF
        return frame.encode(wire.BATCH.pack(self.epoch, batch.number & 0xFF, heard, seen, batch.count) + batch.orders)

    @property
    def number(self) -> int:
        """Return the number of the latest batch of this epoch."""
        return self._number

    def frames_to_send(self, now: float) -> bytes:
        """Return the frames of the batches that fit the window."""
        if not self._waiting:
            return b""
        frames = []
        while self._waiting:
            batch = self._waiting[0]
            oldest = next(iter(self._unacknowledged), batch.number)  # the board stores WINDOW_BATCHES answers only
            if batch.size > self._room or batch.number >= oldest + WINDOW_BATCHES:
                # No later batch may go first: the board accepts only the next number.
                break
            self._waiting.popleft()
            # Encoded when first sent, so that it acknowledges all events on record by then; and only once: a repetition
            # is the same to the byte, and an old acknowledgement in it confirms nothing new.
            batch.framed = self._encode(batch)
            self._room -= batch.size
            self._unacknowledged[batch.number] = batch
            batch.sent_at = batch.first_sent_at = now
            batch.tries = 1
            frames.append(batch.framed)
            # Still due for an accepted event that is not on record yet: an ACK before it in the same read sends this.
            self.ack_due = self.ack_due and self.last_journaled != self._accepted
        return b"".join(frames)

    def resend_after(self) -> float:
        """Return the retransmission timeout in seconds: three round trips, from 0.02 to 0.5 s."""
        return min(LONGEST_WAIT_S, max(0.020, 3 * (self.round_trip or self._first_estimate)))

    def resend_in(self, now: float) -> float:
        """Return the time until the oldest batch is overdue, in seconds; each timeout doubles it."""
        oldest = next(iter(self._unacknowledged.values()))
        # At most 8 doublings: the wait is bounded anyway, and 2.0 ** 1024 would raise OverflowError.
        return oldest.sent_at - now + min(LONGEST_WAIT_S, self.resend_after() * 2.0 ** min(self._timeouts, 8))

    def frames_to_resend(self, now: float) -> bytes:
        """Return all frames in flight once the oldest is overdue: the board drops the batches behind a lost one."""
        if not self.in_flight or self.resend_in(now) > ROUNDING_S:
            return b""
        self._timeouts += 1
        self.resent += len(self._unacknowledged)
        for sent in self._unacknowledged.values():
            sent.sent_at = now
            sent.tries += 1
        return b"".join(sent.framed for sent in self._unacknowledged.values())

    def acknowledged(self, epoch: int, number: int, now: float) -> tuple[int, float] | None:
        """Handle an ACK; return the batch's full number and its time of sending, or None for an old ACK."""
        # An ACK of an old epoch must not confirm a batch of the new one with the same number.
        if epoch != self.epoch:
            return None
        full = self.extend_batch_number(number)
        sent = self._unacknowledged.pop(full, None)
        if sent is None:
            return None
        self._room += sent.size
        # One answer shows that the link works, so the next loss is repeated after the short wait.
        self._timeouts = 0
        if sent.tries == 1:  # Karn's rule: the ACK of a repeated batch does not say which copy it answers
            trip = now - sent.sent_at
            # The weights of RFC 6298, section 2.3.
            self.round_trip = trip if self.round_trip is None else 0.875 * self.round_trip + 0.125 * trip
            return full, sent.sent_at
        # If every batch is repeated, no sample is valid; use the time per try, so that the timeout can grow.
        self._first_estimate = max(self._first_estimate, (now - sent.first_sent_at) / sent.tries)
        return full, 0.0

    def extend_batch_number(self, executed: int) -> int:
        """Return the full count of the wire's one-byte batch number."""
        sent = self._number - len(self._waiting)
        # At most WINDOW_BATCHES are in flight, so one byte identifies the batch.
        return sent - ((sent - executed) & 0xFF)
