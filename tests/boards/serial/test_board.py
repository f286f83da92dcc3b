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
from rig.core.model.actions import NOTHING, Arm, Load, Pulse, Set, Start
from rig.core.model.board import Input, Output, PanicInput, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import BoardTime, Edge, Fault, Flood, LeaseExpired, Overflow, Panic, Refused
from sim_hardware.board.chip import Capacity
from sim_hardware.link_model import LinkFaults

BEAM, CENTER, LIGHT, VALVE = 6, 5, 10, 3
LIGHT_ON, LIGHT_OFF = Set("left.light", True), Set("left.light", False)


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


def test_an_open_board_says_what_it_is(bench, run):
    async def main():
        rig = bench(uid="5131")
        return await rig.open()

    told = run(main)
    assert (told.name, told.uid, told.firmware) == ("sim", "5131", "1.0")
    assert (told.limits.channels, told.limits.batch_bytes) == (32, 36)
    assert told.limits.horizon_us == 2**30 // 2  # as the firmware, whose ticks are half as long


def test_the_channels_are_configured_in_the_order_of_the_rig_file(bench, run):
    async def main():
        rig = await opened(bench)
        rig.touch(BEAM, 1)
        rig.host.batch([LIGHT_ON, Pulse("left.valve", 30_000)], 0, 0, 1)
        await asyncio.sleep(0.1)
        return rig

    rig = run(main)
    assert [count for *_, count in rig.sends(wire.BATCH)[:4]] == [1, 1, 1, 1]
    assert events_of(rig, Edge)[0].channel == "left.beam"
    assert [(pin, value) for _, pin, value in rig.pins] == [(LIGHT, 1), (VALVE, 1), (VALVE, 0)]


def test_an_input_that_is_on_at_the_start_is_reported_of(bench, run):
    async def main():
        rig = bench()
        rig.touch(CENTER, 1)
        await rig.open()
        await asyncio.sleep(0.01)
        return events_of(rig, Edge)

    (edge,) = run(main)
    assert (edge.channel, edge.level, edge.number, edge.fired) == ("center.beam", 1, 1, 0)
    assert 0 <= edge.t_us < 5000


@pytest.mark.parametrize("tick_ns", [500, 1000, 4000])
@pytest.mark.parametrize("start", [0, 0xFFFF_FFF0])
def test_time_begins_when_the_board_opens(bench, run, tick_ns, start):
    async def main():
        rig = bench(tick_ns=tick_ns, start=start)
        await asyncio.sleep(7.0)
        await rig.open()
        began = rig.board.opened_at * tick_ns / 1e9
        await asyncio.sleep(1.0 - (rig.clock.time() - began))
        rig.touch(BEAM, 1)
        await asyncio.sleep(0.1)
        return events_of(rig, Edge)[0].t_us

    assert run(main) == pytest.approx(1_000_000, abs=8)


def test_a_board_of_another_wire_version_is_refused_with_what_to_do(bench, run):
    async def main():
        rig = bench()
        rig.to_host = described(wire=wire.VERSION + 1)
        return await failure(rig.open()), rig.board._epoch

    (kind, text), epoch = run(main)
    assert kind is FirmwareMismatchError
    spoken = f"the board speaks wire version {wire.VERSION + 1}, this program version {wire.VERSION}"
    assert text == f"{spoken}: flash the firmware that came with it"
    assert epoch == 0


@pytest.mark.parametrize("size", [12, 60])
def test_a_board_of_another_wire_version_is_known_also_by_a_greeting_of_another_length(bench, run, size):
    def change(payload):
        return (bytes((wire.HELLO.code, 7)) + bytes(size - 2)) if payload[0] == wire.HELLO.code else payload

    async def main():
        rig = bench(uid="7F3A")
        rig.to_host = change
        return await failure(rig.open()), rig.board._epoch

    (kind, text), epoch = run(main)
    assert kind is FirmwareMismatchError
    assert text == (
        f"the board speaks wire version 7, this program version {wire.VERSION}: flash the firmware that came with it"
    )
    assert epoch == 0


def test_another_board_than_the_rig_file_names_is_refused(bench, run):
    async def main():
        rig = bench(uid="7F3A")
        return await failure(rig.open()), rig.board._epoch

    (kind, text), epoch = run(main)
    assert kind is FirmwareMismatchError
    assert "this is board 5131, the rig file names board 7F3A" in text
    assert epoch == 0


def test_the_id_may_be_written_in_small_letters(bench, run):
    async def main():
        rig = bench(uid="7f3a")
        rig.to_host = described(uid=0x7F3A)
        return (await rig.open()).uid

    assert run(main) == "7F3A"


def test_a_board_that_says_nothing_is_not_found(bench, run, losing):
    async def main():
        rig = bench()
        rig.to_host = losing(wire.HELLO)
        return await failure(rig.open()), rig.clock.time(), len(rig.sends(wire.GET_HELLO))

    assert run(main) == (
        (BoardNotFoundError, f"no board with this program's firmware answered in 3 s: {WHAT_TO_TRY}"),
        3.0,
        12,
    )


def test_a_board_that_does_not_open_is_not_found(bench, run, losing):
    async def main():
        rig = bench()
        rig.to_host = losing(wire.OPENED)
        return await failure(rig.open())

    assert run(main) == (BoardNotFoundError, "no board with this program's firmware answered in 3 s")


def test_a_board_that_takes_two_seconds_to_boot_is_waited_for(bench, run):
    async def main():
        rig = bench()
        booted = rig.cable.to_board.deliver
        rig.cable.to_board.deliver = lambda data: None

        def boot():
            rig.cable.to_board.deliver = booted
            rig.board.power_on()

        rig.clock.call_later(2.0, boot)
        await rig.open()
        return rig.clock.time()

    assert 2.0 < run(main) < 2.1


def test_answers_that_are_lost_on_the_way_are_asked_for_again_and_begin_one_epoch(bench, run):
    async def main():
        rig = bench()
        lose_hello, lose_opened = first(2, wire.HELLO), first(3, wire.OPENED)
        rig.to_host = lambda payload: None if lose_hello(payload) is None else lose_opened(payload)
        await rig.open()
        return rig.board._epoch, len(rig.sends(wire.OPEN)), len(rig.sends(wire.GET_HELLO))

    assert run(main) == (1, 4, 3)


def test_a_board_that_resets_before_it_is_opened_is_opened(bench, run):
    async def main():
        rig = bench()
        rig.board.reset("BUTTON")
        await rig.open()
        return rig.board._epoch, events_of(rig, Fault)

    assert run(main) == (1, [])


@pytest.mark.parametrize("when", ["between HELLO and OPENED", "while it is configured"])
def test_a_board_that_resets_while_it_is_opened_is_refused(bench, run, losing, when):
    async def main():
        rig = bench()
        if when.startswith("between"):
            rig.to_host = losing(wire.OPENED)
        else:
            rig.to_board = losing(wire.BATCH)
        rig.clock.call_later(0.1, rig.board.reset, "BROWN_OUT")
        (kind, text), at = await failure(rig.open()), rig.clock.time()
        rig.host.abort()
        return kind, text, at, rig.plug.closed

    kind, text, at, closed = run(main)
    assert kind in (BoardNotFoundError, LinkLostError)
    assert text == "the board has reset (brown_out): it has forgotten this session"
    assert at < 0.2
    assert closed >= 1


def test_a_rig_file_with_more_channels_than_the_board_has_is_refused(bench, run):
    async def main():
        rig = bench(capacity=Capacity(channels=3))
        return await failure(rig.open()), rig.board._epoch

    assert run(main) == ((OrderRefusedError, "the rig file wires 4 channels, this board has room for 3"), 0)


def test_a_channel_that_the_board_refuses_is_named(bench, run):
    async def main():
        rig = bench(capacity=Capacity(channels=2))
        rig.to_host = described(channels=32)
        return await failure(rig.open())

    kind, text = run(main)
    assert kind is OrderRefusedError
    assert text == "the board cannot serve the rig file: left.light: no_room, left.valve: no_room"


def test_a_channel_that_the_wire_cannot_carry_is_refused(bench, run):
    async def main():
        return await failure(bench().open(Wiring((Input("odd", Role.LINE, 300),))))

    kind, text = run(main)
    assert kind is OrderRefusedError
    assert "channel 'odd' is beyond what the wire can carry" in text


def test_a_board_that_does_not_take_its_configuration_is_given_up(bench, run, losing):
    async def main():
        rig = bench()
        rig.to_host = losing(wire.ACK)
        return await failure(rig.open())

    assert run(main) == (LinkLostError, "the board does not take its configuration")


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


def test_a_board_whose_lease_runs_out_while_it_is_configured_is_configured_again(bench, run):
    async def main():
        rig = bench()
        rig.to_board = stalling(rig, 1)
        await rig.open()
        rig.host.batch([LIGHT_ON], 0, 1, 1)
        rig.board.chip.inputs.drive(BEAM, 1)
        await asyncio.sleep(0.1)
        expired = events_of(rig, LeaseExpired)
        assert [(event.board_epoch, event.executed) for event in expired] == [(1, 0)]
        assert [event.channel for event in events_of(rig, Edge)] == ["left.beam"]
        return [(pin, level) for _, pin, level in rig.pins if level], events_of(rig, Refused)

    assert run(main) == ([(LIGHT, 1)], [])


def test_a_board_whose_lease_runs_out_again_and_again_before_it_is_configured_is_given_up(bench, run):
    async def main():
        rig = bench()
        rig.to_board = stalling(rig, 10)
        return await failure(rig.open())

    kind, text = run(main)
    assert (kind, text.partition(":")[0]) == (LinkLostError, "the board's lease runs out before it is configured")


@pytest.mark.parametrize("side", ["to_board", "to_host"])
def test_two_ends_that_check_differently_do_not_come_to_a_session(bench, run, side):
    """A CRC that is wrong on one side, in the firmware or here, must not open a board."""

    async def main():
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
        return outcome, rig.board._epoch, rig.board._deframer.damaged, rig.host._link.protocol.damaged, rig.lines

    outcome, epoch, board_damaged, host_damaged, lines = run(main)
    assert outcome == (BoardNotFoundError, f"no board with this program's firmware answered in 3 s: {WHAT_TO_TRY}")
    assert (epoch, lines) == (0, [])
    assert (board_damaged, host_damaged) == ((12, 0) if side == "to_board" else (0, 12))


def test_a_board_that_an_earlier_session_left_open_begins_again(bench, run):
    async def main():
        rig = await opened(bench, nonce=1)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        for _ in range(5):
            rig.touch(BEAM, 1)
            rig.touch(BEAM, 0)
            await asyncio.sleep(0.1)
        rig.host._link.close()  # the first host dies
        rig.touch(BEAM, 1)
        await asyncio.sleep(5.0)
        second = type(rig.host)(rig.plug, rig.clock, rig.inbox, None, 2)
        rig.inbox.events.clear()
        await second.open(rig.wiring)
        await asyncio.sleep(0.1)
        return rig.pin(LIGHT), list(rig.inbox.events), second._link.protocol.last_journaled

    light, events, heard = run(main)
    assert light == 0
    assert [(type(event), event.number) for event in events] == [(Edge, 1)]
    assert heard == 1


def test_what_an_earlier_session_left_unsaid_is_not_taken_for_this_one(bench, run, losing):
    """A host that died at once leaves a board that repeats event number 1 to the next host."""

    async def main():
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
        return list(rig.inbox.events), rig.lines, second._epoch

    assert run(main) == ([], [], 0)


# --- orders -------------------------------------------------------------------------------------------------


def test_a_batch_is_executed_acknowledged_and_journaled(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON, Pulse("left.valve", 30_000)], 0, 0, 1)
        await asyncio.sleep(0.1)
        return rig

    rig = run(main)
    done = [{key: line[key] for key in line if key not in ("seq", "t", "crc")} for line in rig.lines]
    assert done == [
        {"src": "board", "k": "batch_done", "batch": 1},
        {"src": "board", "k": "output_done", "output": "left.valve"},
    ]
    assert rig.lines[1]["t"] - rig.lines[0]["t"] == 30_000


def test_an_output_that_was_stopped_or_hit_its_limit_says_so(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([Set("left.valve", True)], 0, 0, 1)
        await asyncio.sleep(0.2)
        rig.host.batch([Pulse("left.light", 50_000)], 0, 0, 2)
        await asyncio.sleep(0.01)
        rig.host.batch([LIGHT_OFF], 0, 0, 3)
        await asyncio.sleep(0.1)
        return rig.journal("output_done")

    limit, stopped = run(main)
    assert limit["output_limit"] == "left.valve"
    assert stopped["output_stopped"] == "left.light"


def test_a_sequence_that_starts_is_journaled_with_its_time(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([Load(3, ((0, LIGHT_ON), (20_000, LIGHT_OFF)))], 0, 0, 1)
        rig.host.batch([Start(3, 500_000)], 0, 0, 2)
        await asyncio.sleep(1.0)
        return [line for line in rig.lines if "sequence" in line], rig.pins

    ((line,), pins) = run(main)
    assert (line["sequence"], line["t"]) == (3, 500_000)
    assert [(pin, value) for _, pin, value in pins] == [(LIGHT, 1), (LIGHT, 0)]


def test_a_refused_order_is_named_by_batch_place_and_reason(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        rig.host.batch([LIGHT_OFF, Pulse("left.valve", 50_000), Pulse("left.valve", 5_000)], 0, 0, 2)
        await asyncio.sleep(0.1)
        return events_of(rig, Refused)

    (refused,) = run(main)
    assert (refused.batch, refused.order, refused.reason, refused.number) == (2, 2, "busy", 1)


def test_a_reflex_fires_and_its_edge_says_so(bench, run):
    async def main():
        rig = await opened(bench)
        members = (("left.beam", 1, Pulse("left.valve", 30_000)), ("center.beam", 1, NOTHING))
        rig.host.batch([Arm(9, 2_000_000, members)], 0, 0, 1)
        await asyncio.sleep(1.0)
        rig.touch(BEAM, 1)
        await asyncio.sleep(0.1)
        return events_of(rig, Edge)[0].fired, [(pin, value) for _, pin, value in rig.pins]

    assert run(main) == (9, [(VALVE, 1), (VALVE, 0)])


def test_orders_for_a_channel_that_is_not_wired_are_refused_before_they_leave(bench, run):
    async def main():
        rig = await opened(bench)
        before = len(rig.sent)
        kind, text = await failure(_call(rig.host.batch, [Set("right.light", True)], 0, 0, 1))
        await asyncio.sleep(0.1)
        return kind, text, len(rig.sent) - before

    kind, text, sent = run(main)
    assert kind is OrderRefusedError
    assert text == "the board has no channel 'right.light'; it has left.beam, center.beam, left.light, left.valve"
    assert sent == 0


async def _call(function, *arguments):
    function(*arguments)


def test_more_orders_than_one_frame_carries_are_refused(bench, run):
    async def main():
        rig = await opened(bench)
        return await failure(_call(rig.host.batch, [LIGHT_ON] * 19, 0, 0, 1))

    assert run(main)[1].startswith("19 orders of one instant take 38 bytes and the wire carries 36 at once")


def test_what_is_further_ahead_than_the_clock_can_say_is_refused(bench, run):
    async def main():
        rig = await opened(bench)
        outcome = await failure(_call(rig.host.batch, [Start(1, 1_100_000_000)], 0, 0, 1))
        rig.host.batch([Start(1, 536_000_000)], 0, 0, 1)
        return outcome

    assert run(main) == (
        OrderRefusedError,
        "1100 s ahead is further than a board can schedule (536 s): split the wait in two",
    )


@pytest.mark.parametrize("hours", [0.3, 0.7, 1.3])
def test_a_time_that_is_long_past_is_refused_and_never_taken_for_one_to_come(bench, run, hours):
    """The board's clock wraps every 72 minutes: half of all past times would look like future ones."""

    async def main():
        rig = bench()
        await rig.open(Wiring(rig.wiring.channels, lease_s=10.0))
        rig.host.batch([Load(1, ((0, LIGHT_ON),))], 0, 0, 1)
        await asyncio.sleep(hours * 3600)
        rig.host.batch([Start(1, 1_000_000)], 0, 0, 2)
        rig.host.batch([Arm(1, 1_000_000, (("left.beam", 1, LIGHT_ON),))], 0, 0, 3)
        await asyncio.sleep(1.0)
        rig.touch(BEAM, 1)
        await asyncio.sleep(1.0)
        return [event.reason for event in events_of(rig, Refused)], rig.pins

    assert run(main) == (["past"], [])


# --- time ---------------------------------------------------------------------------------------------------


def test_the_time_is_answered_when_the_instant_has_passed(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        rig.host.ask_time(3_000_000)
        await asyncio.sleep(10.0)
        return events_of(rig, BoardTime), rig.times(wire.GET_TIME)

    (answer,), (asked,) = run(main)
    assert 3_000_000 <= answer.t_us + 1 <= 3_010_000
    assert (answer.executed, answer.number) == (1, 1)
    assert asked == pytest.approx(3.0, abs=0.01)


def test_the_time_can_be_called_off(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.ask_time(3_000_000)
        rig.host.ask_time(None)
        await asyncio.sleep(10.0)
        return events_of(rig, BoardTime)

    assert run(main) == []


def test_batches_of_the_configuration_are_not_counted_as_executed(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.ask_time(0)
        await asyncio.sleep(0.1)
        return events_of(rig, BoardTime)[0].executed

    assert run(main) == 0


def test_more_batches_than_one_byte_can_count_are_counted(bench, run):
    async def main():
        rig = await opened(bench)
        for number in range(1, 1001):
            rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
            await asyncio.sleep(0.01)
        rig.host.ask_time(0)
        await asyncio.sleep(0.1)
        return events_of(rig, BoardTime)[0].executed, [line["batch"] for line in rig.journal("batch_done")]

    assert run(main) == (1000, list(range(1, 1001)))


def test_a_burst_of_batches_leaves_as_the_window_allows_and_is_executed_in_order(bench, run):
    async def main():
        rig = await opened(bench)
        for number in range(1, 501):
            rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
        await asyncio.sleep(2.0)
        return [line["batch"] for line in rig.journal("batch_done")], len(rig.pins), rig.host._link.protocol.resent

    assert run(main) == (list(range(1, 501)), 500, 0)


def test_more_events_than_two_bytes_can_count_are_counted(bench, run):
    async def main():
        rig = await opened(bench)
        rig.board._count = rig.host._link.protocol._accepted = rig.host._link.protocol.last_journaled = 65_530
        for _ in range(10):
            rig.host.ask_time(0)
            await asyncio.sleep(0.01)
        return [event.number for event in events_of(rig, BoardTime)], len(rig.board._events)

    assert run(main) == (list(range(65_531, 65_541)), 0)


def test_the_estimate_of_the_boards_time_says_how_far_it_may_be_off(bench, run):
    async def main():
        rig = await opened(bench, LinkFaults(latency_s=0.004))
        for _ in range(20):
            await asyncio.sleep(0.7)
            t_us, uncertainty_us = rig.host.estimate_us()
            assert abs(t_us - rig.board.ticks.now() + rig.board.opened_at) <= uncertainty_us + 1
        return uncertainty_us

    assert run(main) == pytest.approx(4_000, abs=10)


def test_an_answer_to_a_keep_alive_counts_once_and_only_if_it_was_asked_for(bench, run):
    async def main():
        rig = await opened(bench)
        await asyncio.sleep(20.0)
        believed = rig.host.estimate_us()
        for ask in (1, 39, 200, 0):
            rig.board._send(wire.KEEPALIVE_ACK, ask, 0)
        await asyncio.sleep(0.01)
        return rig.host.estimate_us()[0] - believed[0]

    assert run(main) == 10_000


def test_before_a_board_is_open_nothing_is_claimed_of_its_time(bench, run):
    async def main():
        rig = bench()
        await asyncio.sleep(3.0)
        return rig.host.estimate_us()[1]

    assert run(main) == 0


# --- leases and epochs --------------------------------------------------------------------------------------


async def stall(rig, seconds):
    """The host stands still: it neither reads nor writes."""
    rig.cable.to_board.hold()
    rig.cable.to_host.hold()
    await asyncio.sleep(seconds)
    rig.cable.to_host.release()
    rig.cable.to_board.release()
    await asyncio.sleep(0.1)


def test_an_expired_lease_is_reported_with_what_was_executed_before_it(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        await stall(rig, 2.5)
        return events_of(rig, LeaseExpired), rig.pin(LIGHT), repr(rig.host)

    (expired,), light, text = run(main)
    assert (expired.board_epoch, expired.executed) == (1, 1)
    assert 2_000_000 < expired.t_us < 2_700_000
    assert light == 0
    assert text.startswith("<SerialBoard epoch 1 ")


def test_a_batch_made_before_the_expiry_was_known_is_never_sent(bench, run):
    async def main():
        rig = await opened(bench)
        await stall(rig, 2.5)
        before = len(rig.sends(wire.BATCH))
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(1.0)
        return len(rig.sends(wire.BATCH)) - before, rig.pins

    assert run(main) == (0, [])


def test_a_batch_on_its_way_when_the_lease_expires_is_not_executed_and_not_repeated(bench, run):
    async def main():
        rig = await opened(bench)
        rig.cable.to_board.hold()
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(2.5)
        rig.cable.to_board.release()
        await asyncio.sleep(0.1)
        before = len(rig.sends(wire.BATCH))
        await asyncio.sleep(5.0)
        return events_of(rig, LeaseExpired)[0].executed, rig.pins, len(rig.sends(wire.BATCH)) - before

    assert run(main) == (0, [], 0)


def test_batches_are_counted_from_one_again_in_a_new_epoch(bench, run):
    async def main():
        rig = await opened(bench)
        for number in (1, 2, 3):
            rig.host.batch([LIGHT_OFF], 0, 0, number)
        await asyncio.sleep(0.1)
        await stall(rig, 2.5)
        rig.host.batch([LIGHT_ON], 0, 1, 1)
        rig.host.ask_time(0)
        await asyncio.sleep(0.1)
        return (
            rig.pin(LIGHT),
            events_of(rig, BoardTime)[0].executed,
            [line["batch"] for line in rig.journal("batch_done")],
        )

    assert run(main) == (1, 1, [1, 2, 3, 1])


def test_three_hundred_epochs_are_as_good_as_one(bench, run):
    async def main():
        rig = await opened(bench)
        for epoch in range(1, 301):
            await stall(rig, 2.2)
            rig.host.batch([LIGHT_ON], 0, epoch, 1)
            await asyncio.sleep(0.01)
            assert rig.pin(LIGHT) == 1
        return [event.board_epoch for event in events_of(rig, LeaseExpired)]

    assert run(main) == list(range(1, 301))


def test_a_lease_that_is_renewed_does_not_expire_in_ten_minutes_of_silence(bench, run):
    async def main():
        rig = await opened(bench)
        await asyncio.sleep(600.0)
        return list(rig.inbox.events), rig.host._link.protocol.last_journaled

    assert run(main) == ([], 0)


def test_an_input_that_floods_is_told_by_its_name_and_again_when_it_is_quiet(bench, run):
    async def main():
        rig = await opened(bench)
        for place in range(100):
            rig.touch(BEAM, (place + 1) % 2)
            await asyncio.sleep(25e-6)
        await asyncio.sleep(0.1)
        return events_of(rig, Flood)

    muted, quiet = run(main)
    assert (muted.channel, muted.edges_per_s) == ("left.beam", 41_000)
    assert (quiet.channel, quiet.edges_per_s) == ("left.beam", 0)
    assert quiet.t_us > muted.t_us


def test_events_that_found_no_room_are_counted(bench, run):
    async def main():
        rig = await opened(bench, capacity=Capacity(events=4))
        rig.cable.to_host.hold()
        for _ in range(20):
            rig.touch(BEAM, 1)
            await asyncio.sleep(0.02)
            rig.touch(BEAM, 0)
            await asyncio.sleep(0.02)
        rig.cable.to_host.release()
        await asyncio.sleep(0.5)
        rig.touch(CENTER, 1)
        await asyncio.sleep(0.5)
        return events_of(rig, Edge, Overflow)

    events = run(main)
    (overflow,) = [event for event in events if isinstance(event, Overflow)]
    assert overflow.lost + len(events) - 1 == 41
    assert [event.number for event in events] == list(range(1, len(events) + 1))


# --- losing the board ---------------------------------------------------------------------------------------


def test_a_pulled_cable_is_one_fault_in_the_inbox_and_in_the_journal(bench, run):
    async def main():
        rig = await opened(bench)
        await asyncio.sleep(1.0)
        rig.cable.disconnect()
        await asyncio.sleep(30.0)
        rig.host.ask_time(0)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        rig.host.all_off()
        await asyncio.sleep(1.0)
        health = await rig.host.close()
        return list(rig.inbox.events), rig.journal("fault"), health, repr(rig.host)

    (fault,), (line,), health, text = run(main)
    assert (fault.what, fault.detail) == ("link_lost", "the cable was pulled")
    assert fault.t_us == pytest.approx(1_000_000, abs=20_000)
    assert (line["what"], line["detail"]) == ("link_lost", "the cable was pulled")
    assert not health.complete
    assert text.endswith("the cable was pulled>")


def test_a_board_that_falls_silent_is_lost_after_ten_seconds(bench, run):
    async def main():
        rig = await opened(bench)
        rig.to_host = lambda payload: None
        await asyncio.sleep(30.0)
        return list(rig.inbox.events), rig.plug.closed

    (fault,), closed = run(main)
    assert (fault.what, fault.detail) == ("link_lost", "the board has been silent for 10 s")
    assert 10_000_000 <= fault.t_us <= 10_600_000
    assert closed == 1


@pytest.mark.parametrize("reason", ["WATCHDOG", "POWER"])
def test_a_board_that_resets_is_one_fault_with_the_reason(bench, run, reason):
    async def main():
        rig = await opened(bench)
        await asyncio.sleep(1.0)
        rig.board.reset(reason)
        await asyncio.sleep(5.0)
        return list(rig.inbox.events)

    (fault,) = run(main)
    assert isinstance(fault, Fault)
    assert fault.what == "reset"
    assert fault.detail == f"the board has reset ({reason.lower()}): it has forgotten this session"


def test_an_unreported_reset_is_detected_with_the_next_order(bench, run):
    async def main():
        rig = await opened(bench)
        rig.to_host = first(1, wire.HELLO)
        rig.board.reset()
        await asyncio.sleep(1.0)
        return [event.what for event in events_of(rig, Fault)]

    assert run(main) == ["reset"]


def test_a_reason_that_nobody_knows_is_a_number(bench, run):
    async def main():
        rig = await opened(bench)
        rig.to_host = described(reset=77)
        rig.board.reset()
        await asyncio.sleep(1.0)
        return events_of(rig, Fault)[0].detail

    assert "the board has reset (77)" in run(main)


def test_a_board_that_was_reset_is_let_go_of_at_once(bench, run):
    async def main():
        rig = await opened(bench)
        rig.board.reset()
        await asyncio.sleep(0.1)
        began = rig.clock.time()
        health = await rig.host.close()
        took, sent = rig.clock.time() - began, len(rig.sent)
        await asyncio.sleep(5.0)
        return health.complete, took, rig.plug.closed, len(rig.sent) - sent

    complete, took, closed, later = run(main)
    assert (complete, closed >= 1) == (False, True)
    assert took < 0.1
    assert later <= 1


def test_a_good_frame_with_nonsense_in_it_switches_everything_off(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.board._emit(wire.EDGE, 99, 0, 0)
        await asyncio.sleep(0.1)
        return rig.inbox.failure, rig.pin(LIGHT), rig.host._link.protocol.last_journaled

    failed, light, heard = run(main)
    assert isinstance(failed, WireError)
    assert str(failed).startswith("the board sent nonsense")
    assert (light, heard) == (0, 0)


def test_a_journal_that_cannot_be_written_switches_everything_off_and_acknowledges_nothing(bench, run):
    async def main():
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
        return rig.inbox.failure, rig.host._link.protocol.last_journaled, health.complete, health.last_event

    failed, heard, complete, last_event = run(main)
    assert isinstance(failed, RecordError)
    assert (heard, complete, last_event) == (0, False, 0)


def test_a_journal_that_fails_at_the_very_end_does_not_keep_the_port(bench, run):
    async def main():
        rig = await opened(bench)
        rig.disk_full = True
        health = await rig.host.close()
        return health.complete, rig.plug.closed

    assert run(main) == (False, 1)


def test_a_fault_that_cannot_be_journaled_still_fails_the_inbox(bench, run):
    async def main():
        rig = await opened(bench)
        rig.disk_full = True
        rig.cable.disconnect()
        await asyncio.sleep(0.1)
        return rig.inbox.failure

    assert isinstance(run(main), RecordError)


# --- everything off -----------------------------------------------------------------------------------------


def test_all_off_makes_outputs_safe_and_nothing_is_ordered_after_it(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON, Set("left.valve", True)], 0, 0, 1)
        await asyncio.sleep(0.01)
        rig.host.all_off()
        rig.host.batch([LIGHT_ON], 0, 0, 2)
        rig.host.ask_time(0)
        await asyncio.sleep(0.05)
        return rig.pin(LIGHT), rig.pin(VALVE), len(rig.sends(wire.BATCH)), rig.sends(wire.GET_TIME)

    assert run(main) == (0, 0, 5, [])


def test_all_off_overtakes_the_batches_that_wait(bench, run):
    async def main():
        rig = await opened(bench)
        for number in range(1, 50):
            rig.host.batch([LIGHT_ON], 0, 0, number)
        rig.host.all_off()
        await asyncio.sleep(0.2)
        return rig.pin(LIGHT), rig.board.chip._outputs, rig.sent

    light, _, sent = run(main)
    assert light == 0
    kinds = [message[0] for _, message in sent]
    assert kinds[: kinds.index(wire.ALL_OFF.code)].count(wire.BATCH.code) <= 4 + 4


def test_closing_repeats_all_off_until_it_is_answered(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.to_board = first(5, wire.ALL_OFF)
        began = rig.clock.time()
        health = await rig.host.close()
        return [round(at - began, 3) for at in rig.times(wire.ALL_OFF)], rig.pin(LIGHT), health.complete

    times, light, complete = run(main)
    assert times == pytest.approx([0.0, 0.0, 0.25, 0.5, 0.75, 1.0], abs=0.002)
    assert (light, complete) == (0, True)


def test_an_answer_to_all_off_that_is_lost_is_given_again_the_same(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.to_host = first(3, wire.ALL_OFF_DONE)
        health = await rig.host.close()
        return {message for _, message in rig.heard if message[0] == wire.ALL_OFF_DONE.code}, health

    answers, health = run(main)
    assert len(answers) == 1
    assert (health.complete, health.executed) == (True, 1)


def test_closing_collects_what_the_board_still_had_to_say(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.to_host = first(6, wire.EDGE)
        rig.touch(BEAM, 1)
        await asyncio.sleep(0.001)
        health = await rig.host.close()
        closed, heard = rig.plug.closed, len(rig.lines)
        await asyncio.sleep(5.0)
        assert len(rig.lines) == heard
        return list(rig.inbox.events), health, closed

    events, health, closed = run(main)
    assert [type(event) for event in events] == [Edge, BoardTime]
    assert events[0].channel == "left.beam"
    assert (events[1].number, events[1].executed) == (1, 1)
    assert events[1].t_us >= events[0].t_us
    assert (health.complete, health.last_event, health.executed, health.unacknowledged_batches) == (True, 1, 1, ())
    assert closed == 1


def test_the_health_of_a_good_session_is_zero_all_over(bench, run):
    async def main():
        rig = await opened(bench)
        rig.touch(BEAM, 1)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(60.0)
        return (await rig.host.close()).counters

    counters = run(main)
    assert set(counters.values()) == {0}
    board = {f"board_{name}" for name, _ in wire.HEALTH.layout}
    assert set(counters) == {"damaged", "resent", "duplicates", "gaps", "rate_ppm"} | board


@pytest.mark.parametrize(
    ("kind", "complete_after_s"),
    [(wire.ALL_OFF_DONE, 3.0), (wire.HEALTH, 3.0), (wire.EDGE, 3.0)],
    ids=lambda k: str(k)[:30],
)
def test_a_board_that_does_not_finish_the_exchange_is_let_go_of_as_incomplete(
    bench, run, losing, kind, complete_after_s
):
    async def main():
        rig = await opened(bench)
        rig.to_host = losing(kind)
        rig.touch(BEAM, 1)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        began = rig.clock.time()
        health = await rig.host.close()
        return health.complete, rig.clock.time() - began, rig.plug.closed, rig.pin(LIGHT)

    complete, took, closed, light = run(main)
    assert (complete, closed, light) == (False, 1, 0)
    assert took == pytest.approx(complete_after_s, abs=0.3)


def test_orders_that_may_or_may_not_have_been_executed_are_named(bench, run, losing):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_OFF], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.to_host = losing(wire.ACK, wire.ALL_OFF_DONE)
        rig.host.batch([LIGHT_ON], 0, 0, 2)
        rig.host.batch([LIGHT_OFF], 0, 0, 3)
        await asyncio.sleep(0.1)
        return (await rig.host.close()).unacknowledged_batches

    assert run(main) == (2, 3)


def test_an_aborted_board_is_off_and_nothing_is_waited_for(bench, run):
    async def main():
        rig = await opened(bench)
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.host.abort()
        closed = rig.plug.closed
        sent = len(rig.sent)
        await asyncio.sleep(5.0)
        return closed, rig.pin(LIGHT), [message[0] for _, message in rig.sent[sent:]]

    assert run(main) == (1, 0, [wire.ALL_OFF.code])


def test_a_board_that_was_never_opened_can_be_aborted_and_closed(bench, run, losing):
    async def main():
        rig = bench()
        rig.to_board = losing(wire.ALL_OFF)
        rig.host.abort()
        return (await rig.host.close()).complete, rig.plug.closed >= 1

    assert run(main) == (False, True)


# --- a bad cable --------------------------------------------------------------------------------------------

BAD = {
    "flips": LinkFaults(flip=0.002, seed=3),
    "drops": LinkFaults(drop=0.002, seed=4),
    "doubles": LinkFaults(double=0.002, seed=5),
    "everything, and late": LinkFaults(latency_s=0.004, jitter_s=0.02, flip=0.001, drop=0.001, double=0.001, seed=6),
}


@pytest.mark.parametrize("faults", BAD.values(), ids=BAD)
def test_on_a_bad_cable_every_edge_arrives_once_and_every_batch_is_executed_once(bench, run, faults):
    async def main():
        rig = await opened(bench, faults)
        for number in range(1, 201):
            rig.touch(BEAM, number % 2)
            rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
            await asyncio.sleep(0.05)
        await asyncio.sleep(5.0)
        health = await rig.host.close()
        edges = [(event.level, event.number) for event in events_of(rig, Edge)]
        return edges, [value for _, pin, value in rig.pins if pin == LIGHT], health

    edges, light, health = run(main)
    assert edges == [(number % 2, number) for number in range(1, 201)]
    assert light == [number % 2 for number in range(1, 201)]
    assert (health.complete, health.last_event, health.executed) == (True, 200, 200)
    assert health.counters["damaged"] + health.counters["board_damaged"] > 0


def test_a_slow_link_is_not_flooded_with_repetitions(bench, run):
    async def main():
        rig = await opened(bench, LinkFaults(latency_s=0.03))
        for number in range(1, 101):
            rig.host.batch([LIGHT_ON if number % 2 else LIGHT_OFF], 0, 0, number)
            await asyncio.sleep(0.2)
        return (await rig.host.close()).counters["resent"]

    assert run(main) <= 12  # those of the configuration, before anything was known


def test_messages_that_nobody_waits_for_or_knows_are_no_trouble(bench, run):
    async def main():
        rig = await opened(bench)
        rig.cable.to_host.deliver(frame.encode(struct.pack("<BHI", wire.SAMPLE_CODE, 1, 2)))
        rig.cable.to_host.deliver(frame.encode(wire.ALL_OFF_DONE.pack(0, 0, 0, 0, 0)))
        await asyncio.sleep(1.0)
        return (await rig.host.close()).counters["damaged"]

    assert run(main) == 1


def test_the_last_of_128_channels_can_be_addressed(bench, run):
    async def main():
        rig = bench(capacity=Capacity(channels=128))
        await rig.open(Wiring(tuple(Output(f"n{number}", Role.LINE, number) for number in range(128))))
        rig.host.batch([Set("n127", True)], 0, 0, 1)
        await asyncio.sleep(0.1)
        return [(pin, value) for _, pin, value in rig.pins]

    assert run(main) == [(127, 1)]


# --- the panic input ----------------------------------------------------------------------------------------


def with_panic(bench, pin=12):
    return replace(bench.wiring, panic=PanicInput("uno", pin))


def test_the_panic_input_is_configured_before_all_channels(bench, run):
    async def main():
        rig = bench()
        payloads = []
        rig.to_board = lambda payload: payloads.append(payload) or payload
        await rig.open(with_panic(bench))
        return [payload[wire.BATCH.size.size] for payload in payloads if payload[0] == wire.BATCH.code]

    codes = run(main)
    assert codes[0] == wire.ORDER_PANIC.code
    assert codes.count(wire.ORDER_PANIC.code) == 1
    assert len(codes) == 5


def test_a_panic_input_that_the_board_refuses_is_named_beside_the_channels(bench, run):
    async def main():
        rig = bench(capacity=Capacity(channels=3, can_be_input=range(2, 13).__contains__))
        rig.to_host = described(channels=32)
        return await failure(rig.open(with_panic(bench, pin=13)))

    kind, text = run(main)
    assert kind is OrderRefusedError
    assert text == "the board cannot serve the rig file: panic: unknown, left.valve: no_room"


def test_the_batches_of_a_session_are_counted_from_1_behind_a_panic_input(bench, run):
    async def main():
        rig = bench()
        await rig.open(with_panic(bench))
        rig.host.batch([LIGHT_ON], 0, 0, 1)
        await asyncio.sleep(0.1)
        rig.touch(12, 1)
        await asyncio.sleep(0.1)
        rig.host.batch([LIGHT_ON], 0, 1, 1)
        await asyncio.sleep(0.1)
        health = await rig.host.close()
        return rig, health

    rig, health = run(main)
    assert [line["batch"] for line in rig.lines if line["k"] == "batch_done"] == [1]
    (panic,) = events_of(rig, Panic)
    assert (panic.board, panic.pin, panic.executed) == ("uno", 12, 1)
    assert [(pin, value) for _, pin, value in rig.pins] == [(LIGHT, 1), (LIGHT, 0)]
    assert health.complete
    assert health.executed == 0


def test_a_panic_that_no_input_can_cause_is_nonsense(bench, run):
    async def main():
        rig = await opened(bench)
        rig.board._emit(wire.PANIC, 2, 0, 0)
        await asyncio.sleep(0.1)
        return rig.inbox.failure

    assert isinstance(run(main), WireError)
