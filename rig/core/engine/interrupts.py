"""How a wait is left without its answer.

These are not errors and a protocol must not catch them by accident, so they derive from ``BaseException``, as
asyncio's own cancellation does and for the same reason.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

OwnEnd: TypeAlias = Literal["task_finished", "participant_left"]
"""How a protocol ends a session itself: it has nothing more to ask, or the participant declined or withdrew."""

OWN_ENDS: tuple[OwnEnd, ...] = get_args(OwnEnd)


class Interrupt(BaseException):
    """Something outside the protocol ends what a state was waiting for."""


class SessionEnded(Interrupt):
    """The session is over: ``reason`` is the footer's word, ``detail`` says it to a person."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class TrialAborted(Interrupt):
    """This trial cannot be completed, the session goes on: the board began a new epoch or lost events."""
