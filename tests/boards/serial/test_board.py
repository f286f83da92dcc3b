import asyncio
import struct
from dataclasses import replace

import pytest

from rig.boards.serial.hello import WHAT_TO_TRY
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.errors import (
    BoardNotFoundError,
    FirmwareMismatchError,
    LinkLostError,
    OrderRefusedError,
    RecordError,
    WireError,
)
from rig.core.journal.kinds import BatchDone
from rig.core.model.actions import NOTHING, Arm, Load, Pulse, Set, Start
from rig.core.model.board import Input, PanicInput, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import BoardTime, Edge, EntryRefused, Fault, LeaseExpired, OutputOn, Refused, SequenceStarted
from sim_hardware.board.chip import Capacity
from sim_hardware.link_model import LinkFaults

BEAM, CENTER, LIGHT, VALVE = 6, 5, 10, 3
LIGHT_ON, LIGHT_OFF = Set("left.light", True), Set("left.light", False)
DROP = Pulse("left.valve", 20_000)


def described(**changes):
    """A filter that lets the board describe itself otherwise."""
    names = [name for name, _ in wire.HELLO.layout]

    def change(payload):
        if payload[0] != wire.HELLO.code:
            return payload
        fields = dict(zip(names, wire.HELLO.size.unpack(payload)[1:], strict=True))
        return wire.HELLO.pack(*{**fields, **changes}.values())

    return change


def first(count, kind):
    """A filter that loses the first messages of a kind."""
    left = [count]

    def lose(payload):
        if payload[0] == kind.code and left[0] > 0:
            left[0] -= 1
            return None
        return payload

    return lose


async def failure(waiting):
    """The error that a wait ends in, and what happens to the port then."""
    with pytest.raises((BoardNotFoundError, FirmwareMismatchError, LinkLostError, OrderRefusedError)) as caught:
        await waiting
    return type(caught.value), str(caught.value)


def events_of(rig, *kinds):
    return [event for event in rig.inbox.events if isinstance(event, kinds)]


async def opened(bench, *arguments, **keywords):
    rig = bench(*arguments, **keywords)
    await rig.open()
    return rig


# --- opening ------------------------------------------------------------------------------------------------


async def test_a_board_of_another_wire_version_is_refused_with_what_to_do(bench):
    rig = bench()
    rig.to_host = described(wire=wire.VERSION + 1)
    (kind, text) = await failure(rig.open())
    assert kind is FirmwareMismatchError
    spoken = f"the board speaks wire version {wire.VERSION + 1}, this program version {wire.VERSION}"
    assert text == f"{spoken}: flash the firmware that came with it"
    assert rig.board._epoch == 0


@pytest.mark.parametrize("size", [12, 60])
async def test_a_board_of_another_wire_version_is_known_also_by_a_greeting_of_another_length(bench, size):
    def change(payload):
        return (bytes((wire.HELLO.code, 200)) + bytes(size - 2)) if payload[0] == wire.HELLO.code else payload

    rig = bench(uid="7F3A")
    rig.to_host = change
    (kind, text) = await failure(rig.open())
    assert kind is FirmwareMismatchError
    assert text == (
        f"the board speaks wire version 200, this program version {wire.VERSION}: flash the firmware that came with it"
    )
    assert rig.board._epoch == 0


async def test_the_id_may_be_written_in_small_letters(bench):
    rig = bench(uid="7f3a")
    rig.to_host = described(uid=0x7F3A)
    assert (await rig.open()).uid == "7F3A"


async def test_a_board_that_says_nothing_is_not_found(bench, losing):
    rig = bench()
    rig.to_host = losing(wire.HELLO)
    assert (await failure(rig.open()), rig.clock.time(), len(rig.sends(wire.GET_HELLO))) == (
        (BoardNotFoundError, f"no board with this program's firmware answered in 3 s: {WHAT_TO_TRY}"),
        3.0,
        12,
    )


async def test_a_board_that_does_not_open_is_not_found(bench, losing):
    rig = bench()
    rig.to_host = losing(wire.OPENED)
    assert await failure(rig.open()) == (BoardNotFoundError, "no board with this program's firmware answered in 3 s")


async def test_a_board_that_takes_two_seconds_to_boot_is_waited_for(bench):
    rig = bench()
    booted = rig.cable.to_board.deliver
    rig.cable.to_board.deliver = lambda data: None

    def boot():
        rig.cable.to_board.deliver = booted
        rig.board.power_on()

    rig.clock.call_later(2.0, boot)
    await rig.open()
    assert 2.0 < rig.clock.time() < 2.1


async def test_answers_that_are_lost_on_the_way_are_asked_for_again_and_begin_one_epoch(bench):
    rig = bench()
    lose_hello, lose_opened = first(2, wire.HELLO), first(3, wire.OPENED)
    rig.to_host = lambda payload: None if lose_hello(payload) is None else lose_opened(payload)
    await rig.open()
    assert (rig.board._epoch, len(rig.sends(wire.OPEN)), len(rig.sends(wire.GET_HELLO))) == (1, 4, 3)


async def test_a_board_that_resets_before_it_is_opened_is_opened(bench):
    rig = bench()
    rig.board.reset("BUTTON")
    await rig.open()
    assert (rig.board._epoch, events_of(rig, Fault)) == (1, [])


@pytest.mark.parametrize("when", ["between HELLO and OPENED", "while it is configured"])
async def test_a_board_that_resets_while_it_is_opened_is_refused(bench, losing, when):
    rig = bench()
    if when.startswith("between"):
        rig.to_host = losing(wire.OPENED)
    else:
        rig.to_board = losing(wire.BATCH)
    rig.clock.call_later(0.1, rig.board.reset, "BROWN_OUT")
    (kind, text), at = await failure(rig.open()), rig.clock.time()
    rig.host.abort()
    assert kind in (BoardNotFoundError, LinkLostError)
    assert text == "the board has reset (brown_out): it has forgotten this session"
    assert at < 0.2
    assert rig.plug.closed >= 1


async def test_a_channel_that_the_wire_cannot_carry_is_refused(bench):
    kind, text = await failure(bench().open(Wiring((Input("odd", Role.LINE, 300),))))
    assert kind is OrderRefusedError
    assert "channel 'odd' is beyond what the wire can carry" in text


async def test_a_board_that_does_not_take_its_configuration_is_given_up(bench, losing):
    rig = bench()
    rig.to_host = losing(wire.ACK)
    assert await failure(rig.open()) == (LinkLostError, "the board does not take its configuration")


def stalling(rig, times):
    """A filter that lets one batch pass, then nothing until the lease has run out, and all that so many times."""
    passed, since = [0], [None]

    def stall(payload):
        if since[0] is not None and rig.clock.time() - since[0] < rig.wiring.lease_s + 0.5:
            return None
        if since[0] is not None:
            passed[0], since[0] = 0, None
            stall.times -= 1
        if stall.times and payload[0] == wire.BATCH.code:
            passed[0] += 1
            if passed[0] > 1:
                since[0] = rig.clock.time()
                return None
        return payload

    stall.times = times
    return stall


async def test_a_board_whose_lease_runs_out_while_it_is_configured_is_configured_again(bench):
    rig = bench()
    rig.to_board = stalling(rig, 1)
    await rig.open()
    rig.host.batch([LIGHT_ON], 0, 1, 1)
    rig.board.chip.inputs.drive(BEAM, 1)
    await asyncio.sleep(0.1)
    expired = events_of(rig, LeaseExpired)
    assert [(event.board_epoch, event.executed) for event in expired] == [(1, 0)]
    assert [event.channel for event in events_of(rig, Edge)] == ["left.beam"]
    assert ([(pin, level) for _, pin, level in rig.pins if level], events_of(rig, Refused)) == ([(LIGHT, 1)], [])


async def test_a_board_whose_lease_runs_out_again_and_again_before_it_is_configured_is_given_up(bench):
    rig = bench()
    rig.to_board = stalling(rig, 10)
    kind, text = await failure(rig.open())
    assert (kind, text.partition(":")[0]) == (LinkLostError, "the board's lease runs out before it is configured")


@pytest.mark.parametrize("side", ["to_board", "to_host"])
async def test_two_ends_that_check_differently_do_not_come_to_a_session(bench, side):
    """A CRC that is wrong on one side, in the firmware or here, must not open a board."""
    rig = bench()
    lane, deliver = getattr(rig.cable, side), rig.board.receive

    def spoil(data):
        payload = frame.decode(data[:-1])
        body = payload + (frame.crc(payload) ^ 0xFFFF).to_bytes(2, "little")
        deliver(b"".join(bytes((len(part) + 1,)) + part for part in body.split(b"\0")) + b"\0")

    if side == "to_host":
        start = rig.plug.start

        def spoiled(on_bytes, on_lost):
            nonlocal deliver
            start(on_bytes, on_lost)
            deliver, lane.deliver = on_bytes, spoil

        rig.plug.start = spoiled
    else:
        lane.deliver = spoil
    outcome = await failure(rig.open())
    assert outcome == (BoardNotFoundError, f"no board with this program's firmware answered in 3 s: {WHAT_TO_TRY}")
    assert (rig.board._epoch, rig.lines) == (0, [])
    assert (rig.board._deframer.damaged, rig.host._link.protocol.damaged) == (
        (12, 0) if side == "to_board" else (0, 12)
    )


async def test_what_an_earlier_session_left_unsaid_is_not_taken_for_this_one(bench, losing):
    """A host that died at once leaves a board that repeats event number 1 to the next host."""
    rig = bench(nonce=1)
    rig.to_board = losing(wire.EVENT_ACK)
    await rig.open()
    rig.touch(BEAM, 1)
    await asyncio.sleep(0.0)
    rig.host._link.close()
    rig.to_board = lambda payload: payload
    await asyncio.sleep(5.0)
    rig.inbox.events.clear()
    rig.lines.clear()
    rig.touch(BEAM, 0)
    second = type(rig.host)(rig.plug, rig.clock, rig.inbox, None, 2)
    rig.to_host = first(2, wire.HELLO)
    await second.open(rig.wiring)
    await asyncio.sleep(1.0)
    assert (list(rig.inbox.events), rig.lines, second._epoch) == ([], [], 0)


# --- orders -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [0.3, 0.7, 1.3])
async def test_a_time_that_is_long_past_is_refused_and_never_taken_for_one_to_come(bench, hours):
    """The board's clock wraps every 72 minutes: half of all past times would look like future ones."""
    rig = bench()
    await rig.open(Wiring(rig.wiring.channels, lease_s=10.0))
    rig.host.batch([Load(1, ((0, LIGHT_ON),))], 0, 0, 1)
    await asyncio.sleep(hours * 3600)
    rig.host.batch([Start(1, 1_000_000)], 0, 0, 2)
    rig.host.batch([Arm(1, 1_000_000, (("left.beam", 1, LIGHT_ON),))], 0, 0, 3)
    await asyncio.sleep(1.0)
    rig.touch(BEAM, 1)
    await asyncio.sleep(1.0)
    assert ([event.reason for event in events_of(rig, Refused)], rig.pins) == (["past"], [])


# --- time ---------------------------------------------------------------------------------------------------


async def test_a_burst_of_batches_leaves_as_the_window_allows_and_is_executed_in_order(bench):
    rig = await opened(bench)
    for number in range(1, 501):
        rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
    await asyncio.sleep(2.0)
    assert ([line.batch for line in rig.journal(BatchDone)], len(rig.pins), rig.host._link.protocol.resent) == (
        list(range(1, 501)),
        500,
        0,
    )


async def test_more_events_than_two_bytes_can_count_are_counted(bench):
    rig = await opened(bench)
    rig.board._count = rig.host._link.protocol._accepted = rig.host._link.protocol.last_journaled = 65_530
    for _ in range(10):
        rig.host.ask_time(0)
        await asyncio.sleep(0.01)
    assert ([event.number for event in events_of(rig, BoardTime)], len(rig.board._events)) == (
        list(range(65_531, 65_541)),
        0,
    )


async def test_what_goes_on_is_journaled_with_the_sessions_number_of_its_batch(bench):
    rig = await opened(bench)
    for number in range(1, 301):
        rig.host.batch([LIGHT_OFF], 0, 0, number)
        await asyncio.sleep(0.001)
    rig.host.batch([LIGHT_ON, DROP], 0, 0, 301)
    await asyncio.sleep(0.05)
    (on,) = events_of(rig, OutputOn)
    assert (on.output, on.cause, on.by, on.part) == ("left.valve", "order", 301, 1)
    assert on == rig.journal(OutputOn)[0]
    assert on.t_us == next(line.t_us for line in rig.journal(BatchDone) if line.batch == 301)


async def test_what_goes_on_after_an_expired_lease_has_the_number_of_its_batch_in_the_new_epoch(bench):
    rig = await opened(bench)
    await stall(rig, 2.2)
    rig.host.batch([DROP], 0, 1, 1)
    await asyncio.sleep(0.05)
    assert [(on.cause, on.by, on.part) for on in events_of(rig, OutputOn)] == [("order", 1, 0)]


async def test_what_a_reflex_switches_on_is_journaled_with_the_place_of_its_member(bench):
    rig = await opened(bench)
    rig.host.batch([Arm(200, None, (("left.beam", 0, NOTHING), ("center.beam", 1, DROP)))], 0, 0, 1)
    await asyncio.sleep(0.01)
    rig.touch(CENTER, 1)
    await asyncio.sleep(0.05)
    on, edge = events_of(rig, OutputOn, Edge)
    assert (on.cause, on.by, on.part) == ("reflex", 200, 1)
    assert (edge.fired, edge.number) == (200, on.number + 1)


async def test_a_refused_entry_is_journaled_with_its_sequence_and_a_refused_order_with_its_batch(bench):
    rig = await opened(bench)
    rig.host.batch([Load(3, ((10_000, DROP), (5_000, DROP), (0, LIGHT_ON)))], 0, 0, 1)
    rig.host.batch([Start(3), Start(4)], 0, 0, 2)
    await asyncio.sleep(0.05)
    assert [(each.batch, each.order, each.reason) for each in events_of(rig, Refused)] == [(2, 1, "unknown")]
    (refused,) = events_of(rig, EntryRefused)
    assert (refused.sequence, refused.entry, refused.reason) == (3, 2, "busy")
    assert rig.journal(EntryRefused) == [refused]
    assert [(on.cause, on.by, on.part) for on in events_of(rig, OutputOn)] == [("sequence", 3, 1)]


async def test_a_start_is_journaled_with_the_batch_the_group_or_the_sequence_that_ordered_it(bench):
    rig = await opened(bench)
    rig.host.batch([Load(1, ((0, DROP),)), Load(2, ((5_000, Start(1)),))], 0, 0, 1)
    rig.host.batch([Start(2), Arm(9, None, (("center.beam", 1, Start(1)),))], 0, 0, 2)
    await asyncio.sleep(0.05)
    rig.touch(CENTER, 1)
    await asyncio.sleep(0.05)
    wanted = [(2, "order", 2), (1, "sequence", 2), (1, "reflex", 9)]
    assert [(each.sequence, each.cause, each.by) for each in rig.journal(SequenceStarted)] == wanted


async def test_a_start_for_later_has_the_number_of_its_batch_however_many_came_since(bench):
    rig = await opened(bench)
    rig.host.batch([Load(1, ((0, DROP),)), Start(1, at_us=2_000_000)], 0, 0, 1)
    for number in range(2, 302):
        rig.host.batch([LIGHT_OFF], 0, 0, number)
        await asyncio.sleep(0.002)
    await asyncio.sleep(2.0)
    assert [(each.sequence, each.cause, each.by) for each in rig.journal(SequenceStarted)] == [(1, "order", 1)]


async def test_a_refused_reflex_has_no_message_of_its_own(bench):
    rig = await opened(bench)
    rig.board._emit(wire.REFUSED, wire.CONSTANTS["CAUSE_REFLEX"], 1, 0, 2, 0)
    await asyncio.sleep(0.01)
    assert isinstance(rig.inbox.failure, WireError)


@pytest.mark.parametrize("message", [(9, 0, 1, 0), (3, 7, 1, 0), (3, 1, 77, 0), (3, 1, 1, 128)])
async def test_what_goes_on_by_nothing_that_was_ordered_is_nonsense(bench, message):
    rig = await opened(bench)
    rig.host.batch([Arm(1, None, (("left.beam", 0, DROP),))], 0, 0, 1)
    await asyncio.sleep(0.01)
    rig.board._emit(wire.ON, *message, 0)
    await asyncio.sleep(0.01)
    assert isinstance(rig.inbox.failure, WireError)
    assert str(rig.inbox.failure).startswith("the board sent nonsense")
    assert events_of(rig, OutputOn) == []


async def test_the_estimate_of_the_boards_time_says_how_far_it_may_be_off(bench):
    rig = await opened(bench, LinkFaults(latency_s=0.004))
    for _ in range(20):
        await asyncio.sleep(0.7)
        t_us, uncertainty_us = rig.host.estimate_us()
        assert abs(t_us - rig.board.ticks.now() + rig.board.opened_at) <= uncertainty_us + 1
    assert uncertainty_us == pytest.approx(4_000, abs=10)


async def test_an_answer_to_a_keep_alive_counts_once_and_only_if_it_was_asked_for(bench):
    rig = await opened(bench)
    await asyncio.sleep(20.0)
    believed = rig.host.estimate_us()
    for ask in (1, 39, 200, 0):
        rig.board._send(wire.KEEPALIVE_ACK, ask, 0)
    await asyncio.sleep(0.01)
    assert (rig.host.estimate_us()[0] - believed[0]) == 10_000


# --- leases and epochs --------------------------------------------------------------------------------------


async def stall(rig, seconds):
    """The host stands still: it neither reads nor writes."""
    rig.cable.to_board.hold()
    rig.cable.to_host.hold()
    await asyncio.sleep(seconds)
    rig.cable.to_host.release()
    rig.cable.to_board.release()
    await asyncio.sleep(0.1)


async def test_three_hundred_epochs_are_as_good_as_one(bench):
    rig = await opened(bench)
    for epoch in range(1, 301):
        await stall(rig, 2.2)
        rig.host.batch([LIGHT_ON], 0, epoch, 1)
        await asyncio.sleep(0.01)
        assert rig.pin(LIGHT) == 1
    assert [event.board_epoch for event in events_of(rig, LeaseExpired)] == list(range(1, 301))


# --- losing the board ---------------------------------------------------------------------------------------


async def test_a_board_that_falls_silent_is_lost_after_ten_seconds(bench):
    rig = await opened(bench)
    rig.to_host = lambda payload: None
    await asyncio.sleep(30.0)
    (fault,) = list(rig.inbox.events)
    assert (fault.what, fault.detail) == ("link_lost", "the board has been silent for 10 s")
    assert 10_000_000 <= fault.t_us <= 10_600_000
    assert rig.plug.closed == 1


async def test_an_unreported_reset_is_detected_with_the_next_order(bench):
    rig = await opened(bench)
    rig.to_host = first(1, wire.HELLO)
    rig.board.reset()
    await asyncio.sleep(1.0)
    assert [event.what for event in events_of(rig, Fault)] == ["reset"]


async def test_a_reason_that_nobody_knows_is_a_number(bench):
    rig = await opened(bench)
    rig.to_host = described(reset=77)
    rig.board.reset()
    await asyncio.sleep(1.0)
    assert "the board has reset (77)" in events_of(rig, Fault)[0].detail


async def test_a_board_that_was_reset_is_let_go_of_at_once(bench):
    rig = await opened(bench)
    rig.board.reset()
    await asyncio.sleep(0.1)
    began = rig.clock.time()
    health = await rig.host.close()
    took, sent = rig.clock.time() - began, len(rig.sent)
    await asyncio.sleep(5.0)
    assert (health.complete, rig.plug.closed >= 1) == (False, True)
    assert took < 0.1
    assert (len(rig.sent) - sent) <= 1


async def test_a_good_frame_with_nonsense_in_it_switches_everything_off(bench):
    rig = await opened(bench)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.board._emit(wire.EDGE, 99, 0, 0)
    await asyncio.sleep(0.1)
    failed = rig.inbox.failure
    assert isinstance(failed, WireError)
    assert str(failed).startswith("the board sent nonsense")
    assert (rig.pin(LIGHT), rig.host._link.protocol.last_journaled) == (0, 0)


async def test_a_journal_that_cannot_be_written_switches_everything_off_and_acknowledges_nothing(bench):
    rig = await opened(bench)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.disk_full = True
    rig.touch(BEAM, 1)
    await asyncio.sleep(0.1)
    assert rig.pin(LIGHT) == 0
    rig.disk_full = False
    rig.touch(CENTER, 1)
    await asyncio.sleep(0.1)
    health = await rig.host.close()
    assert isinstance(rig.inbox.failure, RecordError)
    assert (rig.host._link.protocol.last_journaled, health.complete, health.last_event) == (0, False, 0)


async def test_a_journal_that_fails_at_the_very_end_does_not_keep_the_port(bench):
    rig = await opened(bench)
    rig.disk_full = True
    health = await rig.host.close()
    assert (health.complete, rig.plug.closed) == (False, 1)


async def test_a_fault_that_cannot_be_journaled_still_fails_the_inbox(bench):
    rig = await opened(bench)
    rig.disk_full = True
    rig.cable.disconnect()
    await asyncio.sleep(0.1)
    assert isinstance(rig.inbox.failure, RecordError)


# --- everything off -----------------------------------------------------------------------------------------


async def test_closing_repeats_all_off_until_it_is_answered(bench):
    rig = await opened(bench)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.to_board = first(5, wire.ALL_OFF)
    began = rig.clock.time()
    health = await rig.host.close()
    assert [round(at - began, 3) for at in rig.times(wire.ALL_OFF)] == pytest.approx(
        [0.0, 0.0, 0.25, 0.5, 0.75, 1.0], abs=0.002
    )
    assert (rig.pin(LIGHT), health.complete) == (0, True)


async def test_an_answer_to_all_off_that_is_lost_is_given_again_the_same(bench):
    rig = await opened(bench)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.to_host = first(3, wire.ALL_OFF_DONE)
    health = await rig.host.close()
    assert len({message for _, message in rig.heard if message[0] == wire.ALL_OFF_DONE.code}) == 1
    assert (health.complete, health.executed) == (True, 1)


@pytest.mark.parametrize(
    ("kind", "complete_after_s"),
    [(wire.ALL_OFF_DONE, 3.0), (wire.HEALTH, 3.0), (wire.EDGE, 3.0)],
    ids=lambda k: str(k)[:30],
)
async def test_a_board_that_does_not_finish_the_exchange_is_let_go_of_as_incomplete(
    bench, losing, kind, complete_after_s
):
    rig = await opened(bench)
    rig.to_host = losing(kind)
    rig.touch(BEAM, 1)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    began = rig.clock.time()
    health = await rig.host.close()
    assert (health.complete, rig.plug.closed, rig.pin(LIGHT)) == (False, 1, 0)
    assert (rig.clock.time() - began) == pytest.approx(complete_after_s, abs=0.3)


async def test_orders_that_may_or_may_not_have_been_executed_are_named(bench, losing):
    rig = await opened(bench)
    rig.host.batch([LIGHT_OFF], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.to_host = losing(wire.ACK, wire.ALL_OFF_DONE)
    rig.host.batch([LIGHT_ON], 0, 0, 2)
    rig.host.batch([LIGHT_OFF], 0, 0, 3)
    await asyncio.sleep(0.1)
    assert (await rig.host.close()).unacknowledged_batches == (2, 3)


async def test_an_aborted_board_is_off_and_nothing_is_waited_for(bench):
    rig = await opened(bench)
    rig.host.batch([LIGHT_ON], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.host.abort()
    closed = rig.plug.closed
    sent = len(rig.sent)
    await asyncio.sleep(5.0)
    assert (closed, rig.pin(LIGHT), [message[0] for _, message in rig.sent[sent:]]) == (1, 0, [wire.ALL_OFF.code])


async def test_a_board_that_was_never_opened_can_be_aborted_and_closed(bench, losing):
    rig = bench()
    rig.to_board = losing(wire.ALL_OFF)
    rig.host.abort()
    assert ((await rig.host.close()).complete, rig.plug.closed >= 1) == (False, True)


# --- a bad cable --------------------------------------------------------------------------------------------


async def test_a_slow_link_is_not_flooded_with_repetitions(bench):
    rig = await opened(bench, LinkFaults(latency_s=0.03))
    for number in range(1, 101):
        rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
        await asyncio.sleep(0.2)
    assert (await rig.host.close()).counters["resent"] <= 12  # those of the configuration, before anything was known


async def test_messages_that_nobody_waits_for_or_knows_are_no_trouble(bench):
    rig = await opened(bench)
    rig.cable.to_host.deliver(frame.encode(struct.pack("<BHI", 0x9F, 1, 2)))
    rig.cable.to_host.deliver(frame.encode(wire.ALL_OFF_DONE.pack(0, 0, 0, 0, 0)))
    await asyncio.sleep(1.0)
    assert (await rig.host.close()).counters["damaged"] == 1


# --- the panic input ----------------------------------------------------------------------------------------


def with_panic(bench, pin=12):
    return replace(bench.wiring, panic=PanicInput("uno", pin))


async def test_the_panic_input_is_configured_before_all_channels(bench):
    rig = bench()
    payloads = []
    rig.to_board = lambda payload: payloads.append(payload) or payload
    await rig.open(with_panic(bench))
    orders = [payload[wire.BATCH.size.size :] for payload in payloads if payload[0] == wire.BATCH.code]
    assert orders[0] == wire.ORDER_PANIC.pack(with_panic(bench).panic.pin, 0)
    assert orders.count(orders[0]) == 1
    assert len(orders) == 5


async def test_a_panic_input_that_the_board_refuses_is_named_beside_the_channels(bench):
    rig = bench(capacity=Capacity(channels=3, can_be_input=range(2, 13).__contains__))
    rig.to_host = described(channels=32)
    kind, text = await failure(rig.open(with_panic(bench, pin=13)))
    assert kind is OrderRefusedError
    assert text == "the board cannot serve the rig file: panic: unknown, left.valve: no_room"


async def test_a_panic_that_no_input_can_cause_is_nonsense(bench):
    rig = await opened(bench)
    rig.board._emit(wire.PANIC, 2, 0, 0)
    await asyncio.sleep(0.1)
    assert isinstance(rig.inbox.failure, WireError)
