"""The host's half of the conversation, without a port and without a clock: bytes in, messages out.

Go-back-n both ways. Events arrive numbered and are accepted in order, once; they are acknowledged only after
the caller has journalled them. Batches leave numbered within an epoch, at most ``WINDOW_BYTES`` of them
unacknowledged, so an all-off is never more than a millisecond behind them at 500,000 baud.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.errors import OrderRefusedError

WINDOW_BYTES = 48
WINDOW_BATCHES = 4
"""The board remembers the acknowledgements of this many batches, so that none of their stamps is lost."""

LONGEST_WAIT_S = 0.5
"""No acknowledgement is waited for longer than this before the batch is repeated."""

ROUNDING_S = 0.000_02
"""A timer that rings for the moment at which a batch is overdue may round it by so much."""

BATCH_HEAD = wire.BATCH.size.size
ROOM_BYTES = WINDOW_BYTES - BATCH_HEAD - 4
"""What is left for the orders of a batch: a frame adds a CRC, one COBS byte and the delimiter."""

LONGEST_TO_BOARD = WINDOW_BYTES - 1
"""A board takes no longer frame than a full batch; its delimiter is not counted."""

Message = tuple[Any, ...]


class Sent:
    """A batch that is not acknowledged; ``tries`` is 0 while it waits for room in the window."""

    __slots__ = ("first_sent_at", "framed", "number", "sent_at", "tries")

    def __init__(self, number: int, framed: bytes) -> None:
        self.number = number
        self.framed = framed
        self.tries = 0
        self.sent_at = self.first_sent_at = 0.0


class GoBackN:
    """Numbers, acknowledges and repeats; one per connection."""

    def __init__(self) -> None:
        self.epoch = 0
        self.last_journalled = 0
        self.ack_due = False
        self.duplicates = 0
        self.gaps = 0
        self.resent = 0
        self.round_trip: float | None = None
        self._first_estimate = 0.0
        self._timeouts = 0  # of repeating, since something was acknowledged
        self._deframer = frame.Deframer()
        self._number = 0
        self._accepted = 0
        self._room = WINDOW_BYTES
        self._unacknowledged: dict[int, Sent] = {}
        self._waiting: deque[Sent] = deque()

    @property
    def damaged(self) -> int:
        """How many frames arrived damaged."""
        return self._deframer.damaged

    @property
    def in_flight(self) -> bool:
        """Whether a batch waits for its acknowledgement."""
        return bool(self._unacknowledged)

    @property
    def unacknowledged(self) -> list[int]:
        """The numbers of the batches that are not known to have been executed."""
        return [*self._unacknowledged, *(sent.number for sent in self._waiting)]

    @property
    def sent_unacknowledged(self) -> list[int]:
        """The numbers of the batches that may or may not have been executed."""
        return list(self._unacknowledged)

    # --- in -------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Message]:
        """Take bytes; return the messages in them, events in order and once.

        The number of an event is its full count. An event must be given to :meth:`journalled` when it is safe.
        """
        messages = []
        for payload in self._deframer.feed(data):
            message = wire.unpack(payload, wire.TO_HOST)
            if message is None:
                self._deframer.damaged += 1
            elif message[0] < wire.FIRST_EVENT:
                messages.append(message)
            elif self.epoch:  # before the first epoch: an earlier session's
                self.ack_due = True
                ahead = (message[1] - self._accepted) & 0xFFFF
                if ahead == 1:
                    self._accepted += 1
                    messages.append((message[0], self._accepted, *message[2:]))
                elif ahead == 0 or ahead >= 0x8000:
                    self.duplicates += 1
                else:
                    self.gaps += 1
        return messages

    def mark_journalled(self, number: int) -> None:
        """Note that the event is on record, so that it may be acknowledged if all before it are."""
        if number == self.last_journalled + 1:
            self.last_journalled = number

    def acknowledge(self) -> bytes:
        """Return the frame that acknowledges what was journalled."""
        self.ack_due = False
        return frame.encode(wire.EVENT_ACK.pack(self.last_journalled & 0xFFFF, 0))

    # --- out ------------------------------------------------------------------------------------------------

    def begin_epoch(self, epoch: int, fresh: bool = False) -> None:
        """Begin counting batches anew; what was not acknowledged is dropped. A ``fresh`` one counts events anew."""
        self.epoch = epoch
        self._number = 0
        self._room = WINDOW_BYTES
        self._timeouts = 0
        self._unacknowledged.clear()
        self._waiting.clear()
        if fresh:
            self._accepted = self.last_journalled = 0

    def add_batch(self, orders: bytes, count: int, seen: int) -> int:
        """Queue a batch; return its number. Raises ``OrderRefusedError`` when it does not fit one frame."""
        if len(orders) > ROOM_BYTES:
            raise OrderRefusedError(
                f"{count} orders of one instant take {len(orders)} bytes and the wire carries {ROOM_BYTES} at once: "
                "put a wait between them, or load a sequence"
            )
        self._number += 1
        head = wire.BATCH.pack(self.epoch, self._number & 0xFF, self.last_journalled & 0xFFFF, seen & 0xFFFF, count)
        self._waiting.append(Sent(self._number, frame.encode(head + orders)))
        return self._number

    @property
    def number(self) -> int:
        """The number of the latest batch of this epoch."""
        return self._number

    def frames_to_send(self, now: float) -> bytes:
        """Return the frames of the batches for which the window has room."""
        frames = []
        while self._waiting:
            batch = self._waiting[0]
            oldest = next(iter(self._unacknowledged), batch.number)  # the board forgets its answers to much older ones
            if len(batch.framed) > self._room or batch.number >= oldest + WINDOW_BATCHES:
                break
            self._waiting.popleft()
            self._room -= len(batch.framed)
            self._unacknowledged[batch.number] = batch
            batch.sent_at = batch.first_sent_at = now
            batch.tries = 1
            frames.append(batch.framed)
            self.ack_due = False
        return b"".join(frames)

    def resend_after(self) -> float:
        """Return how long to wait for an acknowledgement, in seconds: three round trips, 20 ms to half a second."""
        return min(LONGEST_WAIT_S, max(0.020, 3 * (self.round_trip or self._first_estimate)))

    def resend_in(self, now: float) -> float:
        """Return how long it is until the oldest batch is overdue, in seconds: each round in vain doubles the wait."""
        oldest = next(iter(self._unacknowledged.values()))
        return oldest.sent_at - now + min(LONGEST_WAIT_S, self.resend_after() * 2.0 ** min(self._timeouts, 8))

    def frames_to_resend(self, now: float) -> bytes:
        """Return all frames in flight, once the oldest is overdue: without it, those behind it were in vain too."""
        if not self.in_flight or self.resend_in(now) > ROUNDING_S:
            return b""
        self._timeouts += 1
        self.resent += len(self._unacknowledged)
        for sent in self._unacknowledged.values():
            sent.sent_at = now
            sent.tries += 1
        return b"".join(sent.framed for sent in self._unacknowledged.values())

    def acknowledged(self, epoch: int, number: int, now: float) -> tuple[int, float] | None:
        """Take an ACK; return the batch's full number and when it was sent, or None when it is an old one."""
        if epoch != self.epoch:
            return None
        full = self.extend_batch_number(number)
        sent = self._unacknowledged.pop(full, None)
        if sent is None:
            return None
        self._room += len(sent.framed)
        self._timeouts = 0
        if sent.tries == 1:  # a repeated batch does not say which copy was answered
            trip = now - sent.sent_at
            self.round_trip = trip if self.round_trip is None else 0.875 * self.round_trip + 0.125 * trip
            return full, sent.sent_at
        # Where every batch is repeated, a first guess must come from somewhere.
        self._first_estimate = max(self._first_estimate, (now - sent.first_sent_at) / sent.tries)
        return full, 0.0

    def extend_batch_number(self, executed: int) -> int:
        """Extend a count of executed batches from the wire's one byte."""
        sent = self._number - len(self._waiting)
        return sent - ((sent - executed) & 0xFF)
