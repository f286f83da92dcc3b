import asyncio

import pytest

from rig.boards.serial.openings import ATTEMPTS, read_latest_opening, read_openings
from rig.boards.wire import messages as wire
from rig.core.errors import LinkLostError, WireError
from rig.core.model.actions import Pulse, Set
from rig.core.model.board import KeptOpening
from tests.boards.conftest import WIRING, SerialBench
from tests.boards.serial.test_requests import Asked

VALVE = 3


class Answering(Asked):
    """Answers each question for an opening from a list of what the board has kept, latest first."""

    def __init__(self, *kept) -> None:
        super().__init__()
        self.kept = list(kept)
        self.asked = []
        self.before_answer = lambda place: None

    def send(self, kind, *values) -> None:
        super().send(kind, *values)
        (place,) = values
        self.asked.append(place)
        self.before_answer(place)
        there = place < len(self.kept)
        fields = self.kept[place] if there else (0,) * 9
        self.hear((wire.OPENING.code, place, len(self.kept), *fields))


def opening(number, flags=0, cause=(0, 5, 1)):
    return number & 0xFFFF, VALVE, 7, *cause, flags, 1_000 * number, 40


async def test_nothing_kept_is_one_question():
    asked = Answering()
    assert (await read_openings(asked.requests), asked.asked) == ((), [0])


async def test_all_kept_openings_are_read_oldest_first_also_where_their_numbers_wrap():
    asked = Answering(opening(1, flags=1, cause=(2, 4, 3)), opening(0, flags=2, cause=(1, 9, 128)), opening(-1))
    kept = await read_openings(asked.requests)
    latest = await read_latest_opening(asked.requests)
    assert kept == (
        KeptOpening(0xFFFF, VALVE, 7, "order", 5, 1, -1_000, 40),
        KeptOpening(0, VALVE, 7, "reflex", 9, 128, 0, 40, "cut"),
        KeptOpening(1, VALVE, 7, "sequence", 4, 3, 1_000, 40, "open"),
    )
    assert latest == kept[-1:]


async def test_an_opening_of_an_unknown_cause_is_refused_in_words():
    with pytest.raises(WireError, match="an opening of an unknown cause"):
        await read_openings(Answering(opening(1, cause=(3, 0, 0))).requests)


async def test_a_list_that_changes_while_it_is_read_is_read_again():
    asked = Answering(opening(2), opening(1))

    def change(place):
        if len(asked.asked) == 2:
            asked.kept.insert(0, opening(3))

    asked.before_answer = change
    kept = await read_openings(asked.requests)
    assert [one.number for one in kept] == [1, 2, 3]
    assert asked.asked == [0, 1, 2, 0, 1, 2]


async def test_a_list_that_keeps_changing_is_given_up():
    asked = Answering(opening(2), opening(1))
    asked.before_answer = lambda place: asked.kept.insert(0, opening(asked.kept[0][0] + 1)) if place == 1 else None
    with pytest.raises(LinkLostError, match="change while they are read"):
        await read_openings(asked.requests)
    assert asked.asked.count(0) == ATTEMPTS


async def test_a_late_answer_to_the_place_before_is_not_taken_for_this_one():
    asked = Answering(opening(2), opening(1))
    told = asked.hear

    def hear(message):
        # The answer to the repeated question for place 0 comes first.
        late = asked.asked == [0, 1]
        told((wire.OPENING.code, 0, 2, *opening(2)) if late else message)

    asked.hear = hear
    kept = await read_openings(asked.requests)
    assert [one.number for one in kept] == [1, 2]
    assert asked.asked == [0, 1, 1]


async def test_a_session_reads_before_its_open_what_the_last_one_did():
    bench = SerialBench()
    await bench.host.open(WIRING)
    bench.host.batch([Pulse("left.valve", 30_000)], 0, 0, 1)
    await asyncio.sleep(0.1)
    bench.host.abort()
    second = bench.next_host(nonce=2)
    info = await second.open(WIRING)
    kinds = [wire.TO_BOARD[message[0]].name for _, message in bench.sent]
    log = info.openings
    assert [(one.number, one.channel, one.ticks, one.state) for one in log.kept] == [(1, VALVE, 30_000, "ended")]
    assert log.tick_ns == 1_000
    last = len(kinds) - 1 - kinds[::-1].index("OPEN")
    assert kinds[last - 1] == "GET_OPENING"
    assert kinds[last + 1 : last + 3] == ["GET_OPENING", "BATCH"]
    assert kinds.count("GET_OPENING") == 2 + 2


async def test_an_opening_that_open_has_ended_is_read_again():
    bench = SerialBench()
    await bench.host.open(WIRING)
    bench.host.batch([Set("left.valve", True)], 0, 0, 1)
    await asyncio.sleep(0.02)
    # All-off is lost with the host.
    bench.to_board = lambda payload: None
    bench.host.abort()
    await asyncio.sleep(0.001)
    bench.to_board = lambda payload: payload
    info = await bench.next_host(nonce=2).open(WIRING)
    (kept,) = info.openings.kept
    assert kept.state == "ended"
    assert 20_000 <= kept.ticks < 100_000


async def test_a_lost_answer_behind_open_is_asked_for_again():
    bench = SerialBench()
    opened = []

    def loses_one(payload):
        if payload[0] == wire.OPENED.code:
            opened.append(True)
        if payload[0] == wire.OPENING.code and len(opened) == 1:
            opened.append(True)
            return None
        return payload

    bench.to_host = loses_one
    info = await bench.host.open(WIRING)
    assert (info.openings.kept, len(bench.sends(wire.GET_OPENING))) == ((), 3)


async def test_a_board_that_keeps_nothing_is_not_asked():
    bench = SerialBench()
    names = [name for name, _ in wire.HELLO.layout]

    def keeps_none(payload):
        if payload[0] != wire.HELLO.code:
            return payload
        fields = dict(zip(names, wire.HELLO.size.unpack(payload)[1:], strict=True))
        return wire.HELLO.pack(*{**fields, "openings": 0}.values())

    bench.to_host = keeps_none
    info = await bench.host.open(WIRING)
    assert (info.openings.kept, bench.sends(wire.GET_OPENING)) == ((), [])
