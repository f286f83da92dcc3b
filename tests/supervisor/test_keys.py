"""The keys at the table of the boxes."""

from __future__ import annotations

import pytest

from rig.supervisor.box import Box
from rig.supervisor.keys import HINT, LEAVE_OR_END, BoxKeys
from tests.supervisor.boxes import PlayedBox
from tests.supervisor.conftest import Make

Asked = list[dict[str, str]]


class Desk:
    """Two running boxes, and their keys."""

    def __init__(self, make: Make) -> None:
        self.boxes: list[PlayedBox] = [make("one", "M1").run(), make("two", "M2").run()]
        self.started: list[str] = []
        self.keys = BoxKeys([played.box for played in self.boxes], self._start)

    def _start(self, box: Box) -> str:
        self.started.append(box.name)
        return "starting"

    def press(self, *texts: str) -> str:
        for text in texts:
            self.keys.press(text)
            for played in self.boxes:
                played.asker.run()
        return self.keys.hint

    @property
    def asked(self) -> list[Asked]:
        return [[dict(each) for each in played.asker.asked] for played in self.boxes]


@pytest.fixture
def desk(make: Make) -> Desk:
    return Desk(make)


def test_without_a_question_the_bottom_names_every_key(desk: Desk) -> None:
    assert desk.keys.hint == HINT


@pytest.mark.parametrize("key", ["2", "\x1b[B", "\x1bOB", "\x1b[A"])
def test_a_number_or_an_arrow_chooses_the_box_that_the_other_keys_act_on(desk: Desk, key: str) -> None:
    desk.press(key)
    assert desk.keys.chosen == 1
    assert desk.press("r") == "two: reward at 1 left, 2 right; any other key: none"
    assert desk.press("1") == "two: done"
    assert desk.asked == [[], [{"do": "reward", "source": "left"}]]


def test_a_number_answers_the_question_and_chooses_no_box(desk: Desk) -> None:
    desk.press("r", "2")
    assert desk.keys.chosen == 0
    assert desk.asked == [[{"do": "reward", "source": "right"}], []]


def test_letters_digits_and_keys_belong_to_the_note_that_is_typed(desk: Desk) -> None:
    desk.press("n", "2", "q", "s", " ", "drops", "\r")
    assert desk.asked == [[{"do": "note", "text": "2qs drops"}], []]
    assert not desk.keys.wants_leave


def test_a_box_that_does_not_answer_holds_no_other_box(desk: Desk) -> None:
    desk.keys.press("r")  # its question waits
    desk.keys.press("\x1b[B")
    assert desk.press("p") == "two: done"
    assert desk.asked[1] == [{"do": "pause"}]


def test_what_is_typed_before_the_question_is_shown_answers_nothing(desk: Desk) -> None:
    desk.keys.press("r")
    desk.keys.press("2")
    assert desk.keys.chosen == 0
    desk.boxes[0].asker.run()
    assert desk.keys.hint == "one: reward at 1 left, 2 right; any other key: none"
    assert desk.asked == [[], []]


def test_a_session_is_ended_after_a_question(desk: Desk) -> None:
    assert desk.press("e") == "one: end the session? y: yes, any other key: no"
    desk.press("n")
    assert desk.asked == [[], []]
    desk.press("e", "y")
    assert desk.asked == [[{"do": "end"}], []]


def test_a_box_without_a_session_says_so(desk: Desk) -> None:
    desk.boxes[0].end()
    for key in "rnpe":
        assert desk.press(key) == "one: runs no session"
    assert desk.asked == [[], []]


def test_a_session_that_ends_during_a_question_is_not_asked(desk: Desk) -> None:
    desk.press("e")
    desk.boxes[0].end()
    assert desk.press("y") == "one: runs no session"
    assert desk.asked == [[], []]


def test_a_box_is_started_after_a_question_and_not_while_it_runs(desk: Desk) -> None:
    desk.press("s", "\x1b")
    assert desk.started == []
    desk.boxes[0].end()
    assert desk.press("s") == "start one with M1? y: yes, any other key: no"
    desk.press("x")
    assert desk.started == []
    assert desk.press("s", "y") == "one: starting"
    assert desk.started == ["one"]


def test_where_nothing_can_be_started_the_bottom_says_how(make: Make) -> None:
    keys = BoxKeys([make().run().end().box])
    keys.press("s")
    assert keys.hint == "box_1: is started with `rig run --boxes FILE --only box_1`"


def test_q_leaves_and_asks_no_session_anything(desk: Desk) -> None:
    desk.press("q")
    assert desk.keys.wants_leave
    assert desk.asked == [[], []]


@pytest.mark.parametrize(
    ("key", "leaves", "ends"), [("l", True, 0), ("e", False, 2), ("x", False, 0), ("ee", False, 0)]
)
def test_ctrl_c_asks_what_it_means(desk: Desk, key: str, leaves: bool, ends: int) -> None:
    desk.keys.interrupt()
    assert desk.keys.hint == LEAVE_OR_END
    assert desk.press(key) != LEAVE_OR_END
    assert desk.keys.wants_leave is leaves
    assert sum(map(len, desk.asked)) == ends


def test_a_second_ctrl_c_leaves_the_sessions_running(desk: Desk) -> None:
    desk.keys.interrupt()
    desk.keys.interrupt()
    assert desk.keys.wants_leave
    assert desk.asked == [[], []]
