"""The keys of the running display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.live.keys import HINT, MAX_NOTE_CHARS, MESSAGE_S, SessionKeys


class Desk:
    """A display's keys, what they asked for, and a clock."""

    def __init__(self, sources: tuple[str, ...] = ("left", "right")) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.now_s = 0.0
        self.pause = {"paused": False, "pausing": False}
        self.answer: dict[str, Any] | ConfigError = {"ok": True, "text": "done"}
        self.live = {"reward_ul": 2.5, "iti_min_s": 1.0}
        self._sources = list(sources)
        self.keys = SessionKeys(self._ask, lambda: self.now_s)

    def _ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if request["do"] == "status":
            return {"ok": True, "text": "ready", "sources": self._sources, "live": self.live, **self.pause}
        self.asked.append(request)
        if isinstance(self.answer, ConfigError):
            raise self.answer
        return self.answer

    def press(self, *texts: str) -> str:
        for text in texts:
            self.keys.press(text)
        return self.keys.hint


def test_the_bottom_names_every_key() -> None:
    assert Desk().keys.hint == HINT == "r reward, n note, p pause, s set, e end; Ctrl-C stops"


def test_a_reward_takes_two_keys_and_its_answer_is_shown_for_a_while() -> None:
    desk = Desk()
    assert desk.press("r") == "reward at 1 left, 2 right; any other key: none"
    assert desk.press("2") == "done"
    assert desk.asked == [{"do": "reward", "source": "right"}]
    desk.now_s = MESSAGE_S
    assert desk.keys.hint == HINT


@pytest.mark.parametrize("other", ["3", "0", "x", "\x1b", "²"])
def test_any_other_key_gives_none(other: str) -> None:
    desk = Desk()
    assert desk.press("r", other) != "done"
    assert desk.asked == []
    assert desk.press("x") == HINT


def test_a_rig_without_rewards_says_so() -> None:
    assert Desk(sources=()).press("r") == "nothing on this rig gives a reward by hand"


def test_a_note_is_typed_corrected_and_written_by_enter() -> None:
    desk = Desk()
    assert desk.press("n", "g", "r", "u", "\x7f", "oomed", " µ", "\x1b[A") == (
        "note (Enter writes it, Esc does not): groomed µ"
    )
    assert desk.press("\r") == "done"
    assert desk.asked == [{"do": "note", "text": "groomed µ"}]


@pytest.mark.parametrize("end", ["\x1b", "\r", " \r"])
def test_a_note_that_is_empty_or_given_up_is_not_written(end: str) -> None:
    desk = Desk()
    desk.press("n")
    if end == "\x1b":
        desk.press("half a note")
    assert desk.press(end) == HINT
    assert desk.asked == []


def test_a_note_has_an_end_and_its_last_characters_are_shown() -> None:
    desk = Desk()
    shown = desk.press("n", "a" * 2 * MAX_NOTE_CHARS, "\x00")
    assert len(shown) < 90
    desk.press("\n")
    assert desk.asked == [{"do": "note", "text": "a" * MAX_NOTE_CHARS}]


@pytest.mark.parametrize(("key", "asked"), [("y", [{"do": "end"}]), ("n", []), ("\r", []), ("e", [])])
def test_the_end_must_be_confirmed(key: str, asked: list[dict[str, Any]]) -> None:
    desk = Desk()
    assert desk.press("e") == "end the session? y: yes, any other key: no"
    desk.press(key)
    assert desk.asked == asked


def test_a_parameter_is_chosen_by_its_number_and_its_value_typed() -> None:
    desk = Desk()
    assert desk.press("s") == "set 1 reward_ul, 2 iti_min_s; any other key: none"
    assert desk.press("2", "1", ".", "x", "\x7f", "5") == "iti_min_s (Enter sets it): 1.5"
    assert desk.press("\r") == "done"
    assert desk.press("s", "1", "\x1b") == HINT
    assert desk.press("s", "3", "x") == HINT
    assert desk.asked == [{"do": "set", "param": "iti_min_s=1.5"}]
    desk.press("n", "wet", "\r")
    assert desk.asked[-1] == {"do": "note", "text": "wet"}


def test_a_protocol_without_live_parameters_says_so() -> None:
    desk = Desk()
    desk.live = {}
    assert desk.press("s") == "no parameter of this protocol may change during a session"


def test_what_is_pasted_presses_no_key() -> None:
    desk = Desk()
    assert desk.press("ey", "r1", "\x1b[A") == HINT
    assert desk.asked == []


def test_a_refusal_is_shown_with_its_reason() -> None:
    desk = Desk()
    desk.answer = {"ok": False, "error": "the limit is 800"}
    assert desk.press("r", "1") == "the limit is 800"
    desk.answer = ConfigError("this session has ended")
    assert desk.press("r", "1") == "this session has ended"


@pytest.mark.parametrize(("state", "asked"), [(None, "pause"), ("pausing", "resume"), ("paused", "resume")])
def test_one_key_pauses_and_resumes(state: str | None, asked: str) -> None:
    desk = Desk()
    if state is not None:
        desk.pause[state] = True
    assert desk.press("p") == "done"
    assert desk.asked == [{"do": asked}]


def test_a_window_can_offer_the_answers_as_buttons() -> None:
    desk = Desk()
    assert not desk.keys.choices
    desk.press("r")
    assert desk.keys.choices == [("1", "left"), ("2", "right")]
    desk.press("1", "e")
    assert desk.keys.choices == (("y", "yes"), ("n", "no"))
    desk.press("n", "n")
    assert desk.keys.is_writing
    assert not desk.keys.choices
    desk.press("\x1b")
    assert not desk.keys.is_writing
