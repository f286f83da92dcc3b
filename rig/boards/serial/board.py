"""A board with the rig's own firmware: implement `Board` by wire messages and board timestamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rig.boards.serial.blocks import BlockReader
from rig.boards.serial.board_clock import BoardClock
from rig.boards.serial.hello import Hello, read_hello
from rig.boards.serial.link import Link
from rig.boards.serial.openings import parse_opening, read_latest_opening, read_openings
from rig.boards.serial.requests import Handler, RequestTracker
from rig.boards.serial.time_query import TimeQuery
from rig.boards.transport import Transport
from rig.boards.wire import messages as wire
from rig.boards.wire import orders as wire_orders
from rig.boards.wire.batch import write_batch
from rig.boards.wire.messages import Message
from rig.core.clock import Clock
from rig.core.engine.inbox import Inbox
from rig.core.errors import (
    BoardNotFoundError,
    LinkLostError,
    NotReadyError,
    OrderRefusedError,
    RecordError,
    WireError,
)
from rig.core.journal.kinds import AllOffDone, BatchDone, OutputDone
from rig.core.model.actions import Order, Start
from rig.core.model.board import (
    Board,
    BoardInfo,
    Channel,
    Health,
    KeptOpening,
    OpeningLog,
    PanicInput,
    Source,
    Wiring,
)
from rig.core.model.events import (
    BoardTime,
    Edge,
    EntryRefused,
    Fault,
    Flood,
    LeaseExpired,
    OutputOn,
    Overflow,
    Panic,
    Refused,
    SequenceStarted,
)

RESEND_MS = 20
"""The board's first retransmission timeout of an unacknowledged event; each further one doubles it."""

LEASES = 3
"""How many lease expirations may interrupt the configuration."""

_FIRST_EVENT = wire.FIRST_EVENT
_CAUSES: Mapping[int, Any] = wire.words("CAUSE")
_OUTPUT_ENDS: Mapping[int, Any] = wire.words("DONE")
_REASONS = wire.words("REASON")
_RESETS = wire.words("RESET")


class SerialBoard(Board):
    """A board on a transport, for one session.

    ``nonce`` tells this session's OPEN from an earlier one's; it must differ from the last one sent to this board. A
    board with another id than ``uid`` is refused; ``named_by`` is the file that names the id.
    """

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        inbox: Inbox,
        uid: str | None = None,
        nonce: int = 1,
        named_by: str = "rig file",
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._inbox = inbox
        self._uid = uid
        self._named_by = named_by
        # Placeholders until `open` has read lease and tick: a board that was never opened can still be aborted.
        self._link = Link(transport, clock, 2.0)
        self._time = BoardClock(1000)
        self._channels: list[Channel] = []
        self._sources: tuple[Source, ...] = ()
        self._blocks: BlockReader | None = None
        self._panic: PanicInput | None = None
        self._panicked = False
        self._writer = wire_orders.OrderWriter({}, 1000, lambda t_us: 0)
        self._epoch = 0
        self._base = 0
        self._nonce = nonce & 0xFFFF
        self._starts: dict[int, int] = {}
        """The last batch of this epoch that starts each sequence."""
        self._horizon_us = 0
        self._all_off_sent = False
        self._latest: tuple[KeptOpening, ...] | None = None
        self._time_query = TimeQuery(self._link, clock, self._time)
        self._configuring = False
        self._misfits: list[str] = []
        self._handlers = self._message_handlers()
        self._requests = RequestTracker(self._link, clock, self._handlers)

    def _message_handlers(self) -> dict[int, Handler]:
        """Return what handles each kind of message of the board, answers to requests apart."""
        return {
            wire.EDGE.code: self._on_edge,
            wire.TIME.code: self._on_time,
            wire.STARTED.code: self._on_started,
            wire.DONE.code: self._on_done,
            wire.REFUSED.code: self._on_refused,
            wire.LEASE.code: self._on_lease,
            wire.PANIC.code: self._on_panic,
            wire.OVERFLOW.code: self._on_overflow,
            wire.FLOOD.code: self._on_flood,
            wire.ON.code: self._on_output_on,
            wire.ACK.code: self._on_ack,
            wire.KEEPALIVE_ACK.code: self._on_keepalive_ack,
            wire.HELLO.code: self._on_hello,
            wire.SAMPLES.code: self._on_block,
            wire.COUNTS.code: self._on_block,
        }

    # --- opening --------------------------------------------------------------------------------------------

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Open a session: identify the board, start an epoch, set time zero, and configure the channels."""
        self._link = Link(self._transport, self._clock, wiring.lease_s)
        self._requests = RequestTracker(self._link, self._clock, self._handlers)
        self._link.start(self._on_messages, self._on_lost)
        hello = await read_hello(self._requests, self._transport.quiet_s)
        # Before OPEN, which would clear another rig's board.
        hello.check(self._uid, wiring, self._named_by)
        self._prepare(hello, wiring)
        keeps = hello.opened.limits.openings > 0
        kept = await read_openings(self._requests) if keeps else ()
        opened = await self._open_epoch(wiring)
        if keeps:
            # Not awaited here, so that the session starts no later: the answer comes while the channels are configured.
            self._handlers[wire.OPENING.code] = self._on_opening
            self._link.send(wire.GET_OPENING, 0)
        await self._configure()
        # A reflex of the last session may fire until OPEN, and OPEN ends an opening that is still on.
        if keeps and await self._latest_opening() != kept[-1:]:
            kept = await read_openings(self._requests)
        self._handlers.pop(wire.OPENING.code, None)
        # A lease that expired meanwhile has begun another epoch, in which the channels were configured again.
        epoch = self._link.protocol.epoch
        log = OpeningLog(hello.power_ons, epoch, self._base, opened[3], hello.tick_ns, kept)
        return replace(hello.opened, openings=log)

    async def _latest_opening(self) -> tuple[KeptOpening, ...]:
        # None: the question or its answer was lost.
        return await read_latest_opening(self._requests) if self._latest is None else self._latest

    def _on_opening(self, message: Message) -> None:
        # It comes behind OPENED, so the board has sent it after OPEN; another place answers a repeated question.
        if message[1] == 0:
            self._latest = parse_opening(message)

    def _prepare(self, hello: Hello, wiring: Wiring) -> None:
        self._time = BoardClock(hello.tick_ns)
        self._time_query = TimeQuery(self._link, self._clock, self._time)
        self._horizon_us = hello.opened.limits.horizon_us
        self._channels = list(wiring.channels)
        self._sources = wiring.sources
        self._panic = wiring.panic
        numbers = {channel.name: number for number, channel in enumerate(wiring.channels)}
        self._writer = wire_orders.OrderWriter(numbers, hello.tick_ns, self._stamp_ahead)

    async def _open_epoch(self, wiring: Wiring) -> Message:
        # Time of the first try: if the request is repeated, the round trip looks too long, never too short.
        sent_at = self._clock.time()
        lease_ms = round(wiring.lease_s * 1000)
        opened = await self._requests.request(wire.OPEN, (self._nonce, lease_ms, RESEND_MS), wire.OPENED)
        # Batches of an earlier session cannot be confused with new ones: the board counts them per epoch.
        self._link.protocol.begin_epoch(opened[2], fresh=True)
        self._time.begin(opened[3], wiring.start_us)
        self._time.sample(sent_at, wiring.start_us, self._clock.time())
        # The board's lease runs from OPEN, also while the channels are configured.
        self._link.keep_alive()
        return opened

    async def _configure(self) -> None:
        # Blocks before OPENED are those of an earlier session; OPEN has ended them.
        self._blocks = BlockReader(self._sources, self._time)
        for _ in range(LEASES):
            epoch = self._epoch
            await self._configure_channels()
            if epoch == self._epoch:
                return
        raise LinkLostError("the board's lease runs out before it is configured: the host or the link stalls")

    async def _configure_channels(self) -> None:
        """Send the configuration of all channels; a lease expiration drops the rest, and the caller starts again.

        Raises ``NotReadyError`` when the panic button is pressed.
        """
        protocol = self._link.protocol
        self._configuring = True
        # First: while the button is pressed, no output is configured.
        if self._panic is not None:
            self._base = protocol.add_batch([(wire_orders.configure_panic(self._panic), 1)], 0)
        # One batch for each of them: its number tells `_on_refused` what the board refuses.
        for number, source in enumerate(self._sources):
            self._base = protocol.add_batch([(wire_orders.configure_source(number, source), 1)], 0)
        numbers = {source.name: number for number, source in enumerate(self._sources)}
        for number, channel in enumerate(self._channels):
            self._base = protocol.add_batch([(wire_orders.configure(number, channel, numbers), 1)], 0)
        self._link.push()
        await self._requests.until(lambda: not protocol.unacknowledged, "the board does not take its configuration")
        self._configuring = False
        if self._panicked:
            raise NotReadyError(f"{self._panic} is pressed; release it and start again")
        # All refusals together, so that the operator corrects the rig file once.
        if self._misfits:
            raise OrderRefusedError(f"the board cannot serve the rig file: {', '.join(self._misfits)}")

    # --- the board interface --------------------------------------------------------------------------------

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send orders for execution in one pass of the board's loop."""
        frames = write_batch(orders, self._writer)
        # Orders from before the task read of an expired lease must not be executed: docs/decisions/epochs.md.
        if epoch == self._epoch and not self._all_off_sent:
            self._link.protocol.add_batch(frames, seen)
            self._link.push()
            for order in orders:
                if type(order) is Start:
                    self._starts[order.sequence] = number

    def _stamp_ahead(self, t_us: int) -> int:
        now_us = self._now_us()
        if t_us - now_us > self._horizon_us:
            ahead_s, most_s = (t_us - now_us) / 1e6, self._horizon_us / 1e6
            raise OrderRefusedError(
                f"{ahead_s:.0f} s ahead is further than a board can schedule ({int(most_s)} s): "
                "wait first, and start the sequence then"
            )
        return self._time.stamp(max(t_us, now_us - self._horizon_us))  # a time long past would wrap into the future

    def _now_us(self) -> int:
        return round((self._clock.time() - self._time.loop_time(0)) * 1_000_000)

    def estimate_us(self) -> tuple[int, int]:
        """Return the estimated board time now, and its uncertainty, in microseconds."""
        # Before the first round trip the uncertainty is infinite, which no integer expresses.
        within_s = self._time.within_s
        return max(0, self._now_us()), round(within_s * 1e6) if within_s < 1e3 else 0

    def acknowledge(self) -> None:
        """Send an event acknowledgement even if none is due; measurements use it to fill the line."""
        self._link.acknowledge()

    def ask_time(self, at_us: int | None) -> None:
        """Schedule a time query for board time ``at_us``; the answer goes to the inbox."""
        if self._requests.lost is None and not self._all_off_sent:
            self._time_query.set(at_us)

    def all_off(self) -> None:
        """Switch every output off, ahead of all queued batches."""
        self._all_off_sent = True
        self._time_query.stop()
        self._link.send(wire.ALL_OFF, self._nonce & 0xFF)

    async def close(self) -> Health:
        """Switch all off, read the last events, request the counters, and close the port."""
        self.all_off()
        protocol, requests = self._link.protocol, self._requests
        try:
            # The nonce of `all_off`: the board answers a repetition with the same epoch and stamp.
            safe = await requests.request(wire.ALL_OFF, (self._nonce & 0xFF,), wire.ALL_OFF_DONE)
            # An edge on its way may have fired a reflex: its reward must be counted before the footer.
            await requests.until(lambda: self._has_read(safe[3]), "the board's last events did not arrive")
            executed = self._full_count(safe[4])
            self._inbox.journal.write(AllOffDone(self._time.t_us(safe[5]), protocol.last_journaled))
            # This answer settles the pending rewards: what the board has not executed by now, it never will.
            self._inbox.put(BoardTime(self._time.t_us(safe[5]), executed, protocol.last_journaled))
            # Otherwise the board would repeat its last events, and count them as resent in HEALTH.
            self._link.write(protocol.acknowledge())
            health = await requests.request(wire.GET_HEALTH, (), wire.HEALTH)
            board = zip((name for name, _ in wire.HEALTH.layout), health[1:], strict=True)
            return self._report(True, executed, {f"board_{name}": count for name, count in board})
        except (LinkLostError, BoardNotFoundError, RecordError):
            return self._report(False, 0)
        finally:
            self._link.close()

    def _report(self, complete: bool, executed: int, counters: Mapping[str, int] = MappingProxyType({})) -> Health:
        talk = self._link.protocol
        own = {"damaged": talk.damaged, "resent": talk.resent, "duplicates": talk.duplicates, "gaps": talk.gaps}
        own["rate_ppm"] = self._time.rate_ppm
        unacknowledged_batches = tuple(
            number - self._base for number in talk.sent_unacknowledged if number > self._base
        )
        return Health(
            complete, talk.last_journaled, executed, {**own, **counters}, () if complete else unacknowledged_batches
        )

    def _has_read(self, event: int) -> bool:
        return (self._link.protocol.last_journaled - event) & 0xFFFF < 0x8000  # later events may have arrived since

    def abort(self) -> None:
        """Send all-off once and close the port."""
        self.all_off()
        self._link.close()

    # --- what arrives ---------------------------------------------------------------------------------------

    def _on_messages(self, messages: list[Message]) -> None:
        has_events = False
        try:
            for message in messages:
                handle = self._handlers.get(message[0])
                if handle is not None:
                    handle(message)
                # Acknowledge only after the handler has journaled the event: a crash in between then loses nothing.
                if message[0] >= _FIRST_EVENT:
                    self._link.protocol.mark_journaled(message[1])
                    has_events = True
            # Once for all events of one read: the orders that answer them are then one batch.
            if has_events:
                self._inbox.wake()
        # Without a journal no reward can be recorded, so everything goes off at once.
        except RecordError as error:
            self.all_off()
            self._inbox.fail(error)
        except (LookupError, ValueError) as error:  # a valid frame with invalid fields: a defect, not noise
            self.all_off()
            self._inbox.fail(WireError(f"the board sent nonsense ({message}): {error}"))
        self._requests.changed()

    def _on_edge(self, message: Message) -> None:
        _, number, place, fired, stamp = message
        channel = self._channels[place & 0x7F]
        self._inbox.add(Edge(self._time.t_us(stamp), channel.name, place >> 7, fired, number))

    def _on_time(self, message: Message) -> None:
        _, number, stamp, executed = message
        self._time_query.answered()
        self._inbox.add(BoardTime(self._time.t_us(stamp), self._full_count(executed), number))

    def _on_overflow(self, message: Message) -> None:
        _, number, lost, executed, effects, stamp = message
        full = self._full_count(executed) if effects else 0
        self._inbox.add(Overflow(self._time.t_us(stamp), lost, full, effects, number))

    def _full_count(self, executed: int) -> int:
        """Return the session's number of a batch that the board has named."""
        # Negative before the session's first batch: the board then names one of the configuration.
        return max(0, self._link.protocol.extend_batch_number(executed) - self._base)

    def _on_done(self, message: Message) -> None:
        _, _, place, why, stamp = message
        name = self._channels[place].name
        self._inbox.journal.write(OutputDone(self._time.t_us(stamp), name, _OUTPUT_ENDS[why]))

    def _on_refused(self, message: Message) -> None:
        _, number, cause, by, part, reason, stamp = message
        # Other firmware may give a reason that this table lacks; the refusal must be journaled all the same.
        word = _REASONS.get(reason, str(reason))
        if self._configuring:
            parts = [part.name for part in (*self._sources, *self._channels)]
            names = parts if self._panic is None else ["panic", *parts]
            self._misfits.append(f"{names[by - 1]}: {word}")
        t_us = self._time.t_us(stamp)
        if _CAUSES[cause] == "reflex":
            raise ValueError("a refused reflex is told by its edge")
        if _CAUSES[cause] == "sequence":
            self._inbox.add(EntryRefused(t_us, by, part, word, number))
        else:
            self._inbox.add(Refused(t_us, self._full_count(by), part, word, number))

    def _on_started(self, message: Message) -> None:
        _, number, sequence, code, by, stamp = message
        cause = _CAUSES[code]
        if cause == "order":
            by = self._batch_of_start(sequence, by)
        self._inbox.add(SequenceStarted(self._time.t_us(stamp), sequence, cause, by, number))

    def _batch_of_start(self, sequence: int, number: int) -> int:
        """Return the session's number of the batch that has started a sequence: maybe long ago, for a later time."""
        last = self._starts.get(sequence, 0)
        return last if (last + self._base - number) & 0xFF == 0 else self._full_count(number)

    def _on_output_on(self, message: Message) -> None:
        _, number, place, code, by, part, stamp = message
        cause = _CAUSES[code]
        if cause == "order":
            by = self._full_count(by)
        elif cause == "reflex":
            part = self._writer.member_of(by, part)
        self._inbox.add(OutputOn(self._time.t_us(stamp), self._channels[place].name, cause, by, part, number))

    def _on_lease(self, message: Message) -> None:
        _, number, epoch, executed, stamp = message
        full = self._begin_board_epoch(epoch, executed)
        self._inbox.add(LeaseExpired(self._time.t_us(stamp), self._epoch, full, number))

    def _on_panic(self, message: Message) -> None:
        _, number, epoch, executed, stamp = message
        if self._panic is None:
            raise ValueError("this board has no panic input")
        self._panicked = True
        full = self._begin_board_epoch(epoch, executed)
        self._inbox.add(Panic(self._time.t_us(stamp), self._panic.board, self._panic.pin, full, number))

    def _on_flood(self, message: Message) -> None:
        _, number, place, per_ms, stamp = message
        self._inbox.add(Flood(self._time.t_us(stamp), self._channels[place].name, 1000 * per_ms, number))

    def _begin_board_epoch(self, epoch: int, executed: int) -> int:
        """Start the epoch that the board has begun; return the session's number of its last batch in the old one."""
        # Before `begin_epoch`, which resets the numbers that extend `executed`.
        full = self._full_count(executed)
        self._link.protocol.begin_epoch(epoch)
        self._epoch += 1
        self._base = 0
        self._starts.clear()
        return full

    def _on_ack(self, message: Message) -> None:
        _, epoch, number, stamp = message
        now = self._clock.time()
        acknowledged = self._link.protocol.acknowledged(epoch, number, now)
        if acknowledged is None:
            return
        full, sent_at = acknowledged
        t_us = self._time.t_us(stamp)
        # 0: the frame was repeated, so its time of sending is ambiguous.
        if sent_at:
            self._time.sample(sent_at, t_us, now)
        # 0 for a frame that is not the last of its batch: the board has executed nothing yet that takes effect.
        if full > self._base:
            self._inbox.journal.write(BatchDone(t_us, full - self._base))
        self._link.push()

    def _on_block(self, message: Message) -> None:
        if self._blocks is not None:
            self._inbox.record(self._blocks.read(message))

    def _on_keepalive_ack(self, message: Message) -> None:
        _, keepalive_id, stamp = message
        sent_at = self._link.keepalive_sent_at(keepalive_id)
        if sent_at is not None:
            self._time.sample(sent_at, self._time.t_us(stamp), self._clock.time())

    def _on_hello(self, message: Message) -> None:
        says = dict(zip((name for name, _ in wire.HELLO.layout), message[1:], strict=True))
        # A late answer to a repeated GET_HELLO is no reset.
        if says["solicited"]:
            return
        reason = _RESETS.get(says["reset"], str(says["reset"]))
        self._lose("reset", f"the board has reset ({reason}): it has forgotten this session")

    def _on_lost(self, why: str) -> None:
        self._lose("link_lost", why)

    def _lose(self, what: str, detail: str) -> None:
        if self._requests.lost is not None:
            return
        self._time_query.stop()
        self._requests.give_up(detail)
        try:
            self._inbox.put(Fault(max(0, self._now_us()), what, detail))
        except RecordError as error:
            self._inbox.fail(error)

    def __repr__(self) -> str:
        heard = self._link.protocol.last_journaled
        return f"<SerialBoard epoch {self._epoch} heard {heard} {self._requests.lost or 'up'}>"
