import asyncio
from itertools import pairwise

import pytest

from rig.boards.serial.requests import ANSWER_S, REPEAT_S, RequestTracker
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, LinkLostError

HEALTH = (wire.HEALTH.code, 0, 0, 0, 0, 0, 0, 0)
KEEPALIVE_ACK = (wire.KEEPALIVE_ACK.code, 5)


class Asked:
    """Stands for a link; notes when it was asked to send what."""

    def __init__(self) -> None:
        self.clock = running()
        self.sent = []
        self.others = []
        self.handlers = {wire.HEALTH.code: self.others.append}
        self.requests = RequestTracker(self, self.clock, self.handlers)

    def hear(self, message) -> None:
        self.handlers.get(message[0], self.others.append)(message)

    def send(self, kind, *values) -> None:
        self.sent.append((self.clock.time(), kind.name, values))

    def times(self) -> list[float]:
        return [round(at, 6) for at, *_ in self.sent]


def later(asked: Asked, seconds: float, call, *args) -> None:
    asyncio.get_running_loop().call_later(seconds, call, *args)


async def failure(waiting) -> tuple[str, str, float]:
    """How a wait fails, and when."""
    try:
        await waiting
    except (BoardNotFoundError, LinkLostError) as error:
        return type(error).__name__, str(error), round(running().time(), 6)
    return "nothing", "", 0.0


# --- asking -------------------------------------------------------------------------------------------------


async def test_a_question_is_asked_until_it_is_answered():
    asked = Asked()
    later(asked, 0.6, asked.hear, HEALTH)
    answer = await asked.requests.request(wire.OPEN, (1, 2, 3), wire.HEALTH)
    assert answer == HEALTH
    assert asked.sent == [(0.0, "OPEN", (1, 2, 3)), (0.25, "OPEN", (1, 2, 3)), (0.5, "OPEN", (1, 2, 3))]
    assert running().time() == 0.6


async def test_a_question_that_is_never_answered_is_given_up_after_three_seconds():
    asked = Asked()
    outcome = await failure(asked.requests.request(wire.GET_HELLO, (), wire.HELLO))
    times = asked.times()
    assert outcome == ("BoardNotFoundError", "no board with this program's firmware answered in 3 s", ANSWER_S)
    assert times[0] == 0.0
    assert {round(end - start, 6) for start, end in pairwise(times)} == {REPEAT_S}
    assert len(times) == ANSWER_S / REPEAT_S


async def test_what_answers_no_question_is_left_for_others():
    asked = Asked()
    asked.hear(HEALTH)
    later(asked, 0.1, asked.hear, KEEPALIVE_ACK)
    later(asked, 0.2, asked.hear, HEALTH)
    answer = await asked.requests.request(wire.GET_HEALTH, (), wire.HEALTH)
    asked.hear((*HEALTH, "again"))
    assert (answer, asked.others) == (HEALTH, [HEALTH, KEEPALIVE_ACK, (*HEALTH, "again")])


async def test_a_question_that_has_no_usual_handler_leaves_none():
    asked = Asked()
    asked.handlers.clear()
    later(asked, 0.1, asked.hear, HEALTH)
    await asked.requests.request(wire.GET_HEALTH, (), wire.HEALTH)
    assert asked.handlers == {}


async def test_two_answers_in_one_read_are_one():
    asked = Asked()
    later(asked, 0.1, lambda: [asked.hear(HEALTH), asked.hear((wire.HEALTH.code, 9))])
    assert (await asked.requests.request(wire.GET_HEALTH, (), wire.HEALTH)) == HEALTH


async def test_an_answer_at_the_instant_of_the_repetition_counts():
    asked = Asked()
    task = asyncio.ensure_future(asked.requests.request(wire.GET_HEALTH, (), wire.HEALTH))
    await asyncio.sleep(0)
    later(asked, REPEAT_S, asked.hear, HEALTH)
    assert (await task, asked.times()) == (HEALTH, [0.0, REPEAT_S])


async def test_giving_up_ends_the_wait_with_its_reason():
    asked = Asked()
    later(asked, 0.3, asked.requests.give_up, "the cable was pulled")
    assert (await failure(asked.requests.request(wire.GET_HELLO, (), wire.HELLO)), len(asked.sent)) == (
        ("BoardNotFoundError", "the cable was pulled", 0.3),
        2,
    )


async def test_nothing_is_asked_of_a_board_that_was_given_up():
    asked = Asked()
    asked.requests.give_up("gone")
    assert (await failure(asked.requests.request(wire.GET_HELLO, (), wire.HELLO)), asked.sent) == (
        ("BoardNotFoundError", "gone", 0.0),
        [],
    )


async def test_a_question_whose_asker_is_cancelled_is_discarded():
    asked = Asked()
    task = asyncio.ensure_future(asked.requests.request(wire.GET_HEALTH, (), wire.HEALTH))
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await asyncio.sleep(1.0)
    asked.hear(HEALTH)
    assert (asked.others, len(asked.sent)) == ([HEALTH], 1)


# --- waiting for what comes of it ---------------------------------------------------------------------------


async def test_what_is_true_already_is_not_waited_for():
    await Asked().requests.until(lambda: True, "never")
    assert running().time() == 0.0


async def test_a_condition_is_looked_at_whenever_something_arrives():
    asked, count = Asked(), []
    for at in (0.1, 0.2, 0.3):
        later(asked, at, lambda at=at: [count.append(at), asked.requests.changed()])
    await asked.requests.until(lambda: len(count) == 2, "never")
    assert running().time() == 0.2


async def test_a_condition_that_does_not_come_true_in_time_says_what_was_expected():
    asked = Asked()
    later(asked, 1.0, asked.requests.changed)
    assert (await failure(asked.requests.until(lambda: False, "the last events did not arrive"))) == (
        "LinkLostError",
        "the last events did not arrive",
        ANSWER_S,
    )


async def test_a_wait_for_a_board_that_is_lost_says_why_it_is_lost():
    asked = Asked()
    later(asked, 1.0, asked.requests.give_up, "the board has reset")
    assert (await failure(asked.requests.until(lambda: False, "never"))) == (
        "LinkLostError",
        "the board has reset",
        1.0,
    )


async def test_news_that_nobody_waits_for_is_no_trouble():
    asked = Asked()
    asked.requests.changed()
    await asked.requests.until(lambda: True, "never")
    with pytest.raises(LinkLostError):
        await asked.requests.until(lambda: False, "never")
    asked.requests.changed()
