import asyncio
from itertools import pairwise

import pytest

from rig.boards.serial.link import ACK_PAUSE_S, SILENCE_S, Link
from rig.boards.transport import Transport
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running

LEASE_S = 2.0


class Port(Transport):
    """A port whose other end is the test."""

    def __init__(self) -> None:
        self.clock = running()
        self.sent = []
        self.closed = 0
        self.deaf_until_s = float("inf")
        """The port answers no keep-alive before this time."""

    def start(self, on_bytes, on_lost) -> None:
        self.arrive, self.lost = on_bytes, on_lost

    def write(self, data: bytes) -> None:
        for payload in frame.Deframer().feed(data):
            message = wire.unpack(payload, wire.TO_BOARD)
            self.sent.append((round(self.clock.time(), 6), *message))
            if message[0] == wire.EVENT_ACK.code and message[2] and self.clock.time() >= self.deaf_until_s:
                self.clock.call_soon(self.say, wire.KEEPALIVE_ACK, message[2], 0)

    def close(self) -> None:
        self.closed += 1

    def say(self, kind, *values) -> None:
        self.arrive(frame.encode(kind.pack(*values)))

    def times(self, kind) -> list[float]:
        return [at for at, code, *_ in self.sent if code == kind.code]


class Ends:
    """A link, its port, and what came out of it."""

    def __init__(self, lease_s: float = LEASE_S, deaf_until_s: float = float("inf")) -> None:
        self.port = Port()
        self.port.deaf_until_s = deaf_until_s
        self.link = Link(self.port, running(), lease_s)
        self.messages = []
        self.lost = []
        self.turn = lambda: None
        self.link.start(self.take, lambda why: self.lost.append((round(running().time(), 6), why)))
        self.link.protocol.begin_epoch(1, fresh=True)

    def take(self, messages) -> None:
        self.messages.extend(messages)
        for message in messages:
            if message[0] >= wire.FIRST_EVENT:
                self.link.protocol.mark_journaled(message[1])
        self.turn()

    def batch(self) -> None:
        self.link.protocol.add_batch([(b"\0", 1)], 0)
        self.link.push()

    def acknowledge(self, number: int) -> None:
        self.port.say(wire.ACK, 1, number, 0)
        self.link.protocol.acknowledged(1, number, running().time())


# --- messages -----------------------------------------------------------------------------------------------


async def test_messages_go_both_ways():
    ends = Ends()
    ends.link.send(wire.GET_HELLO)
    ends.port.say(wire.KEEPALIVE_ACK, 5, 7)
    assert (ends.port.sent, ends.messages) == ([(0.0, wire.GET_HELLO.code)], [(wire.KEEPALIVE_ACK.code, 5, 7)])


async def test_the_events_of_a_read_are_acknowledged_together_when_the_task_has_had_its_turn():
    ends = Ends()
    ends.turn = lambda: ends.link.send(wire.GET_HELLO)
    ends.port.arrive(b"".join(frame.encode(wire.TIME.pack(number, 0, 0)) for number in (1, 2, 3)))
    await asyncio.sleep(1.0)
    assert ends.port.sent == [(0.0, wire.GET_HELLO.code), (0.0, wire.EVENT_ACK.code, 3, 0)]


async def test_a_batch_that_answers_an_event_acknowledges_it():
    ends = Ends()
    ends.turn = ends.batch
    ends.port.say(wire.TIME, 1, 0, 0)
    await asyncio.sleep(0.001)
    assert ends.port.sent == [(0.0, wire.BATCH.code, 1, 1, 1, 0, 1)]


async def test_a_repeated_event_is_acknowledged_again():
    ends = Ends()
    ends.port.say(wire.TIME, 1, 0, 0)
    await asyncio.sleep(0.1)
    ends.port.say(wire.TIME, 1, 0, 0)
    await asyncio.sleep(0.1)
    assert (ends.port.times(wire.EVENT_ACK), len(ends.messages)) == ([0.0, 0.1], 1)


async def test_events_in_quick_succession_are_acknowledged_together_and_the_last_of_them_soon():
    ends = Ends()
    for number in (1, 2, 3):
        ends.port.say(wire.TIME, number, 0, 0)
        await asyncio.sleep(0.000_5)
    await asyncio.sleep(1.0)
    assert [(at, *values) for at, code, *values in ends.port.sent if code == wire.EVENT_ACK.code] == [
        (0.0, 1, 0),
        (ACK_PAUSE_S, 3, 0),
    ]


async def test_a_batch_on_its_way_takes_the_acknowledgement_that_waited_along():
    ends = Ends()
    ends.port.say(wire.TIME, 1, 0, 0)
    ends.port.say(wire.TIME, 2, 0, 0)
    ends.batch()
    await asyncio.sleep(1.0)
    assert ends.port.times(wire.EVENT_ACK) == [0.0]


# --- keeping the lease --------------------------------------------------------------------------------------


async def test_a_keep_alive_goes_out_after_a_quarter_of_the_lease_in_silence():
    ends = Ends(deaf_until_s=0)
    await asyncio.sleep(1.0)
    assert ends.port.sent == []
    ends.link.keep_alive()
    await asyncio.sleep(1.9)
    ends.link.close()
    assert ends.port.sent == [(at, wire.EVENT_ACK.code, 0, ask) for ask, at in enumerate((1.5, 2.0, 2.5), 1)]


async def test_a_keep_alive_without_an_answer_is_repeated_after_waits_that_double():
    ends = Ends(deaf_until_s=1.05)
    ends.link.keep_alive()
    await asyncio.sleep(2.4)
    ends.link.close()
    await asyncio.sleep(1.0)
    tries = (0.5, 0.52, 0.56, 0.64, 0.8, 1.0, 1.02, 1.06, 1.5, 2.0)
    assert [(at, ask) for at, _, _, ask in ends.port.sent] == [(at, ask) for ask, at in enumerate(tries, 1)]


@pytest.mark.parametrize("round_trip_s", [0.002, 0.1])
async def test_a_keep_alive_is_not_repeated_within_three_round_trips(round_trip_s):
    ends = Ends()
    ends.link.protocol.round_trip = round_trip_s
    ends.link.keep_alive()
    await asyncio.sleep(0.99)
    ends.link.close()
    first, second, *_ = ends.port.times(wire.EVENT_ACK)
    assert (first, second) == (0.5, pytest.approx(0.5 + max(0.02, 3 * round_trip_s)))


async def test_every_keep_alive_has_a_number_of_its_own_by_which_its_answer_is_known_once():
    ends = Ends(deaf_until_s=0)
    ends.link.keep_alive()
    await asyncio.sleep(1.2)
    told = [ends.link.keepalive_sent_at(ask) for ask in (2, 1, 1, 2, 3, 0)]
    ends.link.close()
    assert told == [1.0, 0.5, None, None, None, None]


async def test_the_numbers_of_keep_alives_come_round_and_are_never_zero():
    ends = Ends()
    ends.link.keep_alive()
    for _ in range(300):
        ends.port.say(wire.KEEPALIVE_ACK, 0, 0)
        await asyncio.sleep(LEASE_S / 4)
    ends.link.close()
    asks = [ask for *_, ask in ends.port.sent]
    assert asks[253:257] == [254, 255, 1, 2]
    assert 0 not in asks


async def test_a_host_that_speaks_anyway_sends_no_keep_alives():
    ends = Ends(deaf_until_s=0)
    ends.link.keep_alive()
    for _ in range(50):
        await asyncio.sleep(0.3)
        ends.link.send(wire.GET_TIME, 0)
        ends.port.say(wire.KEEPALIVE_ACK, 0, 0)
    await asyncio.sleep(0.7)
    ends.link.close()
    assert ends.port.times(wire.EVENT_ACK) == [15.5]


@pytest.mark.parametrize("lease_s", [0.2, 2.0, 10.0])
async def test_the_board_never_waits_longer_than_a_third_of_its_lease(lease_s):
    ends = Ends(lease_s)
    ends.link.keep_alive()
    for step in range(100):
        await asyncio.sleep(lease_s * (0.07 + 0.19 * (step % 2)))
        ends.link.send(wire.GET_TIME, 0)
        ends.port.say(wire.KEEPALIVE_ACK, 0, 0)
    ends.link.close()
    times = [0.0, *(at for at, *_ in ends.port.sent)]
    assert max(end - start for start, end in pairwise(times)) <= lease_s / 3


# --- losing the board ---------------------------------------------------------------------------------------


async def test_a_board_that_is_silent_for_ten_seconds_is_lost_once():
    ends = Ends()
    await asyncio.sleep(5.0)
    ends.link.keep_alive()
    await asyncio.sleep(60.0)
    ((when, why),) = ends.lost
    assert why == "the board has been silent for 10 s"
    assert SILENCE_S <= when - 5.0 <= SILENCE_S + LEASE_S / 4 + 0.001
    assert ends.port.closed == 1
    assert ends.port.sent[-1][0] <= when


async def test_a_silent_board_is_lost_even_while_the_host_speaks():
    ends = Ends()
    ends.link.keep_alive()
    for _ in range(100):
        ends.link.send(wire.GET_TIME, 0)
        await asyncio.sleep(0.2)
    ((when, _),) = ends.lost
    assert SILENCE_S <= when <= SILENCE_S + LEASE_S / 4 + 0.001


async def test_a_board_that_speaks_now_and_then_is_not_lost():
    ends = Ends()
    ends.link.keep_alive()
    for _ in range(20):
        await asyncio.sleep(9.9)
        ends.port.say(wire.KEEPALIVE_ACK, 0, 0)
    ends.link.close()
    assert ends.lost == []


async def test_rubbish_does_not_count_as_the_board_speaking():
    ends = Ends()
    ends.link.keep_alive()
    for _ in range(20):
        await asyncio.sleep(1.0)
        ends.port.arrive(b"rubbish\0")
    assert len(ends.lost) == 1


async def test_a_lost_port_is_reported_once_with_the_error_of_the_system():
    ends = Ends()
    ends.link.keep_alive()
    ends.port.lost("the cable was pulled")
    ends.port.lost("again")
    await asyncio.sleep(20.0)
    assert (ends.lost, ends.port.closed) == ([(0.0, "the cable was pulled")], 1)


# --- repeating ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0.0, 0.1, 0.7, 1.1, 3.3, 777.7, 12345.678])
async def test_a_batch_is_repeated_after_waits_that_double_until_it_is_acknowledged(start):
    ends = Ends()
    await asyncio.sleep(start)
    ends.batch()
    await asyncio.sleep(1.9)
    ends.acknowledge(1)
    await asyncio.sleep(5.0)
    assert [round(at - start, 6) for at in ends.port.times(wire.BATCH)] == [
        0.0,
        0.02,
        0.06,
        0.14,
        0.3,
        0.62,
        1.12,
        1.62,
    ]


async def test_what_had_no_room_follows_what_was_repeated():
    ends = Ends()
    for _ in range(6):
        ends.batch()
    assert [number for _, _, _, number, *_ in ends.port.sent] == [1, 2, 3]
    ends.acknowledge(1)
    await asyncio.sleep(0.03)
    assert [(at, number) for at, _, _, number, *_ in ends.port.sent] == [
        (0.0, 1),
        (0.0, 2),
        (0.0, 3),
        (0.02, 2),
        (0.02, 3),
        (0.02, 4),
    ]


# --- the end ------------------------------------------------------------------------------------------------


async def test_a_closed_link_neither_speaks_nor_listens():
    ends = Ends()
    ends.link.keep_alive()
    ends.batch()
    ends.port.say(wire.TIME, 1, 0, 0)
    ends.link.close()
    before = len(ends.port.sent), len(ends.messages)
    ends.link.send(wire.GET_HELLO)
    ends.batch()
    ends.port.say(wire.KEEPALIVE_ACK, 0, 0)
    ends.port.lost("too late")
    ends.link.keep_alive()
    await asyncio.sleep(20.0)
    assert (len(ends.port.sent), len(ends.messages)) == before
    assert (ends.lost, ends.port.closed) == ([], 1)


async def test_a_link_that_is_closed_before_it_was_used_closes_the_port():
    port = Port()
    Link(port, running(), LEASE_S).close()
    assert port.closed == 1
