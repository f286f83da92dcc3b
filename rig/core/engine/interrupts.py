"""Interrupts that end a wait before its answer.

They are no errors, and a protocol must not catch them by accident. So they derive from ``BaseException``, as asyncio's
cancellation does for the same reason.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

OwnEnd: TypeAlias = Literal["task_finished", "participant_left"]
"""Reasons of a protocol to end a session: it is complete, or the participant declined or withdrew."""

OWN_ENDS: tuple[OwnEnd, ...] = get_args(OwnEnd)


class Interrupt(BaseException):
    """An event outside the protocol that ends a wait."""


class SessionEnded(Interrupt):
    """The end of the session: ``reason`` is the footer's word, ``detail`` is a text for people."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class TrialAborted(Interrupt):
    """The end of a trial within a session that continues: the board started a new epoch or lost events."""
