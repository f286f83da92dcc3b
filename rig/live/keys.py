"""The keys of the running display: what each does, and what the bottom of the display says."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rig.core.errors import ConfigError

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]

HINT = "r reward, n note, p pause, e end; Ctrl-C stops"
MESSAGE_S = 6.0
"""How long the answer to a key stays at the bottom."""
MAX_SHOWN_CHARS = 40
"""The end of a note that is shown while it is typed."""
MAX_NOTE_CHARS = 1000
ENTER, ESCAPE, ERASE = "\r\n", "\x1b", "\x7f\b"


class SessionKeys:
    """The keys of one display; ``ask`` sends the session a request and returns its answer.

    Keys that were pasted, or typed while an answer was awaited, arrive together: outside a note they do nothing.
    """

    def __init__(self, ask: Ask, now_s: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._now_s = now_s
        self._mode: Callable[[str], None] = self._choose
        self._prompt = ""
        self._typed = ""
        self._message = ""
        self._until_s = 0.0
        self._sources: list[str] = []

    @property
    def hint(self) -> str:
        """Return what the keys do now, or what the last one has done."""
        if self._prompt:
            return self._prompt + self._typed[-MAX_SHOWN_CHARS:]
        return self._message if self._message and self._now_s() < self._until_s else HINT

    def press(self, text: str) -> None:
        """Handle what was read from the terminal at once: one key, or a text that was pasted."""
        if self._mode == self._take_note:
            self._take_note(text)
        elif len(text) == 1:
            self._mode(text)

    def _choose(self, key: str) -> None:
        self._message = ""
        if key == "r":
            self._ask_for_source()
        elif key == "n":
            self._await_key(self._take_note, "note (Enter writes it, Esc does not): ")
        elif key == "p":
            self._pause_or_resume()
        elif key == "e":
            self._await_key(self._confirm_end, "end the session? y: yes, any other key: no")

    def _await_key(self, mode: Callable[[str], None], prompt: str) -> None:
        self._mode, self._prompt, self._typed = mode, prompt, ""

    def _ask_for_source(self) -> None:
        status = self._request({"do": "status"})
        self._sources = [str(name) for name in (status or {}).get("sources", ())][:9]
        if self._sources:
            places = ", ".join(f"{number} {name}" for number, name in enumerate(self._sources, 1))
            self._await_key(self._take_source, f"reward at {places}; any other key: none")
        elif status is not None:
            self._say("nothing on this rig gives a reward by hand")

    def _pause_or_resume(self) -> None:
        status = self._request({"do": "status"})
        if status is not None:
            is_wanted = status.get("paused") or status.get("pausing")
            self._do({"do": "resume" if is_wanted else "pause"})

    def _take_source(self, key: str) -> None:
        self._await_key(self._choose, "")
        if key in "123456789" and int(key) <= len(self._sources):
            self._do({"do": "reward", "source": self._sources[int(key) - 1]})

    def _take_note(self, text: str) -> None:
        if text.startswith(ESCAPE):
            if len(text) == 1:  # a longer one is an arrow or another key without a letter
                self._await_key(self._choose, "")
            return
        for character in text:
            if character in ENTER:
                note = self._typed.strip()
                self._await_key(self._choose, "")
                if note:
                    self._do({"do": "note", "text": note})
                return
            if character in ERASE:
                self._typed = self._typed[:-1]
            elif character.isprintable() and len(self._typed) < MAX_NOTE_CHARS:
                self._typed += character

    def _confirm_end(self, key: str) -> None:
        self._await_key(self._choose, "")
        if key in "yY":
            self._do({"do": "end"})

    def _do(self, request: Mapping[str, Any]) -> None:
        answer = self._request(request)
        if answer is not None:
            self._say(str(answer.get("text")))

    def _request(self, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
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
        return answer

    def _say(self, message: str) -> None:
        self._message, self._until_s = message, self._now_s() + MESSAGE_S
