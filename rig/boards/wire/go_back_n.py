"""The host's side of the wire protocol, without a port or a clock: bytes in, messages out.

Go-back-N in both directions. Events are numbered and accepted once, in order; the host acknowledges an event only
after it is journaled. The frames of batches are numbered within an epoch, with at most ``WINDOW_BYTES`` of them
unacknowledged, so that an all-off waits at most 1 ms behind them at 500,000 baud. Callers count batches, of one or
several frames each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.messages import Message

WINDOW_BYTES = 48
WINDOW_FRAMES = 4
"""The board stores the acknowledgements of this many frames, so that a repeated one gets its original stamp."""

LONGEST_WAIT_S = 0.5
"""The longest retransmission timeout of a frame."""

ROUNDING_S = 0.000_02
"""The tolerance for timers: one may fire this much before a frame is overdue."""

FRAMED_HEAD = wire.BATCH.size.size + 4
"""The bytes of a frame beside its orders: its head, a CRC, one COBS byte and the delimiter."""

ROOM_BYTES = WINDOW_BYTES - FRAMED_HEAD
"""The space for the orders of a frame."""

LONGEST_TO_BOARD = WINDOW_BYTES - 1
"""The longest frame that a board accepts, a full one of a batch, without its delimiter."""

FrameOrders: TypeAlias = tuple[bytes, int]
"""The orders of a frame, at most ``ROOM_BYTES``, and how many these are."""


class Sent:
    """A frame without acknowledgement; while it waits for space in the window, ``tries`` is 0 and ``framed`` empty.

    ``number`` counts frames; ``completes`` is its ``batch`` if it is the last frame of that, and 0 for an earlier one.
    """

    __slots__ = (
        "batch",
        "completes",
        "count",
        "first_sent_at",
        "framed",
        "number",
        "orders",
        "seen",
        "sent_at",
        "size",
        "tries",
    )

    def __init__(self, number: int, batch: int, orders: bytes, count: int, seen: int) -> None:
        self.number = number
        self.batch = batch
        self.completes = 0 if count & wire.MORE_FRAMES else batch
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
        self._begun_number = 0  # of the last batch of which a frame was sent
        self._frame_number = 0
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
        """Whether a frame waits for its acknowledgement."""
        return bool(self._unacknowledged)

    @property
    def unacknowledged(self) -> list[int]:
        """Return the numbers of the batches that are not known to have been executed."""
        return [*self.sent_unacknowledged, *(sent.completes for sent in self._waiting if sent.completes)]

    @property
    def sent_unacknowledged(self) -> list[int]:
        """Return the numbers of the batches that may or may not have been executed."""
        # Without its last frame no batch is executed.
        return [sent.completes for sent in self._unacknowledged.values() if sent.completes]

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
        self._number = self._begun_number = self._frame_number = 0
        self._room = WINDOW_BYTES
        self._timeouts = 0
        self._unacknowledged.clear()
        self._waiting.clear()
        # After an expired lease the board keeps its events, so their numbers go on.
        if fresh:
            self._accepted = self.last_journaled = 0

    def add_batch(self, frames: Sequence[FrameOrders], seen: int) -> int:
        """Queue the frames of a batch; return the number of the batch."""
        self._number += 1
        for orders, count in frames[:-1]:
            self._frame_number += 1
            self._waiting.append(Sent(self._frame_number, self._number, orders, count | wire.MORE_FRAMES, seen))
        orders, count = frames[-1]
        self._frame_number += 1
        self._waiting.append(Sent(self._frame_number, self._number, orders, count, seen))
        return self._number

    def _encode(self, sent: Sent) -> bytes:
        heard, seen = self.last_journaled & 0xFFFF, sent.seen & 0xFFFF
        return frame.encode(wire.BATCH.pack(self.epoch, sent.number & 0xFF, heard, seen, sent.count) + sent.orders)

    @property
    def number(self) -> int:
        """Return the number of the latest batch of this epoch."""
        return self._number

    def frames_to_send(self, now: float) -> bytes:
        """Return the frames that fit the window."""
        if not self._waiting:
            return b""
        frames = []
        while self._waiting:
            sent = self._waiting[0]
            oldest = next(iter(self._unacknowledged), sent.number)  # the board stores WINDOW_FRAMES answers only
            if sent.size > self._room or sent.number >= oldest + WINDOW_FRAMES:
                # No later frame may go first: the board accepts only the next number.
                break
            self._waiting.popleft()
            # Encoded when first sent, so that it acknowledges all events on record by then; and only once: a repetition
            # is the same to the byte, and an old acknowledgement in it confirms nothing new.
            sent.framed = self._encode(sent)
            self._room -= sent.size
            self._unacknowledged[sent.number] = sent
            self._begun_number = sent.batch
            sent.sent_at = sent.first_sent_at = now
            sent.tries = 1
            frames.append(sent.framed)
            # Still due for an accepted event that is not on record yet: an ACK before it in the same read sends this.
            self.ack_due = self.ack_due and self.last_journaled != self._accepted
        return b"".join(frames)

    def resend_after(self) -> float:
        """Return the retransmission timeout in seconds: three round trips, from 0.02 to 0.5 s."""
        return min(LONGEST_WAIT_S, max(0.020, 3 * (self.round_trip or self._first_estimate)))

    def resend_in(self, now: float) -> float:
        """Return the time until the oldest frame is overdue, in seconds; each timeout doubles it."""
        oldest = next(iter(self._unacknowledged.values()))
        # At most 8 doublings: the wait is bounded anyway, and 2.0 ** 1024 would raise OverflowError.
        return oldest.sent_at - now + min(LONGEST_WAIT_S, self.resend_after() * 2.0 ** min(self._timeouts, 8))

    def frames_to_resend(self, now: float) -> bytes:
        """Return all frames in flight once the oldest is overdue: the board drops those behind a lost one."""
        if not self.in_flight or self.resend_in(now) > ROUNDING_S:
            return b""
        self._timeouts += 1
        self.resent += len(self._unacknowledged)
        for sent in self._unacknowledged.values():
            sent.sent_at = now
            sent.tries += 1
        return b"".join(sent.framed for sent in self._unacknowledged.values())

    def acknowledged(self, epoch: int, number: int, now: float) -> tuple[int, float] | None:
        """Handle an ACK; return the batch that is done, and the frame's time of sending, or None for an old ACK.

        The batch is 0 for a frame that is not its last one, the time 0.0 for a repeated frame.
        """
        # An ACK of an old epoch must not confirm a frame of the new one with the same number.
        if epoch != self.epoch:
            return None
        last = self._frame_number - len(self._waiting)
        # At most WINDOW_FRAMES are in flight, so one byte identifies the frame.
        sent = self._unacknowledged.pop(last - ((last - number) & 0xFF), None)
        if sent is None:
            return None
        self._room += sent.size
        # One answer shows that the link works, so the next loss is repeated after the short wait.
        self._timeouts = 0
        if sent.tries == 1:  # Karn's rule: the ACK of a repeated frame does not say which copy it answers
            trip = now - sent.sent_at
            # The weights of RFC 6298, section 2.3.
            self.round_trip = trip if self.round_trip is None else 0.875 * self.round_trip + 0.125 * trip
            return sent.completes, sent.sent_at
        # If every frame is repeated, no sample is valid; use the time per try, so that the timeout can grow.
        self._first_estimate = max(self._first_estimate, (now - sent.first_sent_at) / sent.tries)
        return sent.completes, 0.0

    def extend_batch_number(self, executed: int) -> int:
        """Return the full count of the wire's one-byte batch number."""
        # The board names no later batch than that of the last frame, and fewer than 256 of them are unacknowledged.
        return self._begun_number - ((self._begun_number - executed) & 0xFF)
