"""The keys of the running display: what each does, and what the bottom of the display says."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rig.core.errors import ConfigError

Ask = Callable[[Mapping[str, object]], Mapping[str, object]]

HINT = "r reward, n note, p pause, s set, e end; Ctrl-C stops"
MESSAGE_S = 6.0
"""How long the answer to a key stays at the bottom."""
MAX_SHOWN_CHARS = 40
"""The end of a note that is shown while it is typed."""
MAX_NOTE_CHARS = 1000
ENTER, ESCAPE, ERASE = "\r\n", "\x1b", "\x7f\b"


class SessionKeys:
    """The keys of one display; ``ask`` sends the session a request and returns its answer.

    Keys that were pasted, or typed while an answer was awaited, arrive together: outside a text they do nothing.
    """

    def __init__(self, ask: Ask, now_s: Callable[[], float] = time.monotonic, idle_hint: str = HINT) -> None:
        self._ask = ask
        self._now_s = now_s
        self._idle_hint = idle_hint
        self._mode: Callable[[str], None] = self._choose
        self._prompt = ""
        self._typed = ""
        self._message = ""
        self._until_s = 0.0
        self._choices: list[str] = []
        self._typed_request: Callable[[str], Mapping[str, object]] = _note_request

    @property
    def hint(self) -> str:
        """Return what the keys do now, or what the last one has done."""
        if self._prompt:
            return self._prompt + self._typed[-MAX_SHOWN_CHARS:]
        return self._message if self._message and self._now_s() < self._until_s else self._idle_hint

    @property
    def is_asking(self) -> bool:
        """Whether the next key is the answer to a question, or a letter of a note."""
        return bool(self._prompt)

    @property
    def is_writing(self) -> bool:
        """Whether the next keys are letters of a text, which Enter sends."""
        return self._mode == self._take_text

    @property
    def choices(self) -> Sequence[tuple[str, str]]:
        """Return the keys that answer the question of the moment, each with its words; none while a text is written."""
        if self._mode == self._confirm_end:
            return (("y", "yes"), ("n", "no"))
        if self._mode in (self._take_source, self._take_param):
            return [(str(number), name) for number, name in enumerate(self._choices, 1)]
        return ()

    def press(self, text: str) -> None:
        """Handle what was read from the terminal at once: one key, or a text that was pasted."""
        if self._mode == self._take_text:
            self._take_text(text)
        elif len(text) == 1:
            self._mode(text)

    def _choose(self, key: str) -> None:
        self._message = ""
        if key == "r":
            self._ask_for_source()
        elif key == "n":
            self._await_text(_note_request, "note (Enter writes it, Esc does not): ")
        elif key == "p":
            self._pause_or_resume()
        elif key == "s":
            self._ask_for_param()
        elif key == "e":
            self._await_key(self._confirm_end, "end the session? y: yes, any other key: no")

    def _await_key(self, mode: Callable[[str], None], prompt: str) -> None:
        self._mode, self._prompt, self._typed = mode, prompt, ""

    def _await_text(self, request: Callable[[str], Mapping[str, object]], prompt: str) -> None:
        self._typed_request = request
        self._await_key(self._take_text, prompt)

    def _ask_for_source(self) -> None:
        self._await_choice("sources", "reward at", self._take_source, "nothing on this rig gives a reward by hand")

    def _ask_for_param(self) -> None:
        none = "no parameter of this protocol may change during a session"
        self._await_choice("live", "set", self._take_param, none)

    def _await_choice(self, fact: str, what: str, take: Callable[[str], None], none: str) -> None:
        """Wait for the number of one of the names in a fact of the session's status."""
        status = self._request({"do": "status"})
        self._choices = [str(name) for name in (status or {}).get(fact, ())][:9]
        if self._choices:
            listed = ", ".join(f"{number} {name}" for number, name in enumerate(self._choices, 1))
            self._await_key(take, f"{what} {listed}; any other key: none")
        elif status is not None:
            self._say(none)

    def _chosen(self, key: str) -> str:
        """Return the name whose number was pressed; an empty text for another key."""
        self._await_key(self._choose, "")
        return self._choices[int(key) - 1] if key in "123456789" and int(key) <= len(self._choices) else ""

    def _pause_or_resume(self) -> None:
        status = self._request({"do": "status"})
        if status is not None:
            is_wanted = status.get("paused") or status.get("pausing")
            self._do({"do": "resume" if is_wanted else "pause"})

    def _take_source(self, key: str) -> None:
        if source := self._chosen(key):
            self._do({"do": "reward", "source": source})

    def _take_param(self, key: str) -> None:
        if name := self._chosen(key):
            self._await_text(lambda value: {"do": "set", "param": f"{name}={value}"}, f"{name} (Enter sets it): ")

    def _take_text(self, text: str) -> None:
        if text.startswith(ESCAPE):
            if len(text) == 1:  # a longer one is an arrow or another key without a letter
                self._await_key(self._choose, "")
            return
        for character in text:
            if character in ENTER:
                typed = self._typed.strip()
                self._await_key(self._choose, "")
                if typed:
                    self._do(self._typed_request(typed))
                return
            if character in ERASE:
                self._typed = self._typed[:-1]
            elif character.isprintable() and len(self._typed) < MAX_NOTE_CHARS:
                self._typed += character

    def _confirm_end(self, key: str) -> None:
        self._await_key(self._choose, "")
        if key in "yY":
            self._do({"do": "end"})

    def _do(self, request: Mapping[str, object]) -> None:
        answer = self._request(request)
        if answer is not None:
            self._say(str(answer.get("text")))

    def _request(self, request: Mapping[str, object]) -> Mapping[str, Any] | None:
        """Send a request; return its answer, or show why there is none."""
        self._say("…")
        try:
            answer = self._ask(request)
        except ConfigError as error:
            self._say(str(error))
            return None
        if not answer["ok"]:
            self._say(str(answer.get("error")))
            return None
        self._message = ""
        return answer

    def _say(self, message: str) -> None:
        self._message, self._until_s = message, self._now_s() + MESSAGE_S


def _note_request(text: str) -> Mapping[str, object]:
    return {"do": "note", "text": text}
