"""The keys at the table of the boxes: choose one, and do to it what the keys of a session's own display do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rig.supervisor.box import Box
from rig.supervisor.box_requests import NO_SESSION, BoxRequests

HINT = "1-9, arrows: choose; r reward, n note, p pause, s set, e end; s start; q leave; Ctrl-C: end"
UP, DOWN = ("\x1b[A", "\x1bOA"), ("\x1b[B", "\x1bOB")
LEAVE_OR_END = "Ctrl-C: e ends all sessions, l leaves them running and closes this table, any other key: go on"


class BoxKeys:
    """The keys of the table; each box has those of its session's display, and is asked in a thread of its own.

    ``start`` starts the session of a box, or says why not; None where none can be started.
    """

    def __init__(self, boxes: Sequence[Box], start: Callable[[Box], str] | None = None) -> None:
        self.chosen = 0
        self.wants_leave = False
        self._boxes = boxes
        self._start = start
        self._requests = {box.name: BoxRequests(box) for box in boxes}
        self._question = ""
        self._answer: Callable[[str], None] = lambda key: None
        self._message = ""

    @property
    def hint(self) -> str:
        """Return what the keys do now, or what the last one has done."""
        if self._question:
            return self._question
        box = self._boxes[self.chosen]
        hint = self._requests[box.name].keys.hint or self._message
        if hint:
            return f"{box.name}: {hint}"
        return HINT

    def press(self, text: str) -> None:
        """Handle what was read from the terminal at once: one key, or a text that was pasted."""
        box = self._boxes[self.chosen]
        requests = self._requests[box.name]
        if self._question:
            self._take_answer(text)
        elif requests.keys.is_asking:  # a letter of a note, or the answer to a question: also a digit, and an arrow
            requests.press(text)
        elif text in UP or text in DOWN:
            self._choose((self.chosen + (1 if text in DOWN else -1)) % len(self._boxes))
        elif requests.is_busy:
            return
        elif text in "123456789" and len(text) == 1:
            self._choose(int(text) - 1)
        else:
            self._do(box, text)

    def interrupt(self) -> None:
        """Handle Ctrl-C: ask what it means; the second one leaves the sessions running."""
        if self._question == LEAVE_OR_END:
            self.wants_leave = True
        self._ask_person(LEAVE_OR_END, self._leave_or_end)

    def end_all(self) -> None:
        """Queue the end of every session that runs."""
        for box in self._boxes:
            box.end()

    # --- what keys do -----------------------------------------------------------------------------------------------

    def _choose(self, place: int) -> None:
        self._message = ""
        if place < len(self._boxes):
            self.chosen = place

    def _do(self, box: Box, text: str) -> None:
        self._message = ""
        if text == "q":
            self.wants_leave = True
        elif text == "s" and not box.is_active:  # in a session it sets a parameter
            self._ask_start(box)
        elif not box.is_active and text in ("r", "n", "p", "e"):
            self._message = NO_SESSION
        else:
            self._requests[box.name].press(text)

    def _ask_start(self, box: Box) -> None:
        if self._start is None:
            self._message = "is started with `rig run --boxes FILE --only " + box.name + "`"
        else:
            self._ask_person(f"start {box.name} with {box.subject}? y: yes, any other key: no", self._start_if(box))

    def _start_if(self, box: Box) -> Callable[[str], None]:
        def answer(key: str) -> None:
            if key in ("y", "Y") and self._start is not None:
                self._message = self._start(box)

        return answer

    def _leave_or_end(self, key: str) -> None:
        if key == "l":
            self.wants_leave = True
        elif key == "e":
            self.end_all()

    def _ask_person(self, question: str, answer: Callable[[str], None]) -> None:
        self._question, self._answer = question, answer

    def _take_answer(self, text: str) -> None:
        self._question = ""
        self._answer(text)
