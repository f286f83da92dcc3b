import asyncio
from itertools import accumulate

import pytest

from rig.boards.serial.board_clock import BoardClock
from rig.boards.serial.time_query import ASK_AGAIN_S, TimeQuery
from rig.core.clock import running


class Talk:
    """Stands for the conversation of a link."""

    last_journaled = 0x1_0005

    def resend_after(self) -> float:
        return 0.02


class Asked:
    """Stands for a link to a board whose clock is believed to show the loop's time."""

    def __init__(self, offset_s: float = 0.0) -> None:
        self.clock = running()
        self.protocol = Talk()
        self.sent = []
        self.times = []
        clock = BoardClock(1000)
        clock.begin(0)
        clock.sample(offset_s, 0, offset_s)
        self.asker = TimeQuery(self, self.clock, clock)

    def send(self, kind, *values) -> None:
        self.times.append(round(self.clock.time(), 6))
        self.sent.append((kind.name, *values))

    def answer_after(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.asker.answered)


async def test_it_asks_when_the_estimated_clock_has_passed_the_instant():
    asked = Asked(offset_s=0.25)
    asked.asker.set(1_000_000)
    asked.answer_after(1.251)
    await asyncio.sleep(5.0)
    assert (asked.times, asked.sent) == ([1.25], [("GET_TIME", 5)])


async def test_it_asks_at_once_about_an_instant_that_has_passed():
    asked = Asked()
    await asyncio.sleep(2.0)
    asked.asker.set(0)
    asked.answer_after(0.001)
    await asyncio.sleep(1.0)
    assert asked.times == [2.0]


async def test_it_repeats_the_question_until_it_is_answered():
    asked = Asked()
    asked.asker.set(1_000_000)
    asked.answer_after(5.0)
    await asyncio.sleep(9.0)
    waits = [0.02 * 2**count for count in range(5)] + [0.5] * 6
    assert asked.times == pytest.approx(list(accumulate(waits, initial=1.0)))


async def test_it_asks_one_question_at_a_time():
    asked = Asked()
    for _ in range(5):
        asked.asker.set(0)
    asked.answer_after(0.01)
    await asyncio.sleep(1.0)
    assert asked.times == [0.0]


async def test_it_asks_again_no_sooner_than_a_millisecond_after_an_answer():
    asked = Asked()
    asked.asker.set(0)
    await asyncio.sleep(0.01)
    asked.asker.answered()
    asked.asker.set(0)
    asked.answer_after(0.005)
    await asyncio.sleep(1.0)
    assert asked.times == [0.0, 0.01 + ASK_AGAIN_S]


@pytest.mark.parametrize(("first", "then", "expected"), [(3, 1, [1.0]), (1, 3, [3.0]), (2, 2, [2.0])])
async def test_the_latest_instant_is_the_one_that_counts(first, then, expected):
    asked = Asked()
    asked.asker.set(first * 1_000_000)
    asked.asker.set(then * 1_000_000)
    asked.answer_after(expected[0] + 0.001)
    await asyncio.sleep(5.0)
    assert asked.times == expected


async def test_it_can_be_called_off_and_set_again():
    asked = Asked()
    asked.asker.set(1_000_000)
    asked.asker.set(None)
    await asyncio.sleep(2.0)
    assert asked.times == []
    asked.asker.set(3_000_000)
    asked.answer_after(1.001)
    await asyncio.sleep(2.0)
    assert asked.times == [3.0]


async def test_stopping_silences_the_alarm_and_the_repetition():
    waiting, asking = Asked(), Asked()
    waiting.asker.set(1_000_000)
    asking.asker.set(0)
    await asyncio.sleep(0.5)
    repeated = len(asking.times)
    waiting.asker.stop()
    asking.asker.stop()
    asking.asker.stop()
    await asyncio.sleep(2.0)
    assert (waiting.times, len(asking.times) - repeated) == ([], 0)


async def test_an_alarm_keeps_the_loop_running():
    asked = Asked()
    asked.asker.set(7_000_000)
    done = asyncio.get_running_loop().create_future()
    asked.send = lambda kind, *values: done.set_result(running().time())
    assert (await done) == 7.0
