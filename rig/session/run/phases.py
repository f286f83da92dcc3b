"""The phases of a session's life, and the only ways from one to another.

Every part of a session asks for the current phase, and none keeps flags of its own. See docs/decisions/phases.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rig.core.errors import RigError


class Phase(Enum):
    """A phase of a session's life."""

    REBUILDING = "rebuilding"
    OPENING = "opening"
    RUNNING = "running"
    DISCONNECTED = "disconnected"
    ENDING = "ending"
    CANCELED = "canceled"
    STOPPED = "stopped"
    WRITTEN = "written"
    REFUSED = "refused"


MEANINGS: Mapping[Phase, str] = {
    Phase.REBUILDING: "the task of a broken session decides its recorded part again; the events of now wait",
    Phase.OPENING: "the header is written, then the camera and the board are opened",
    Phase.RUNNING: "the board is open and the task runs; after its end the last drop falls",
    Phase.DISCONNECTED: "the board is lost, the task stands still, and the host tries to open the board again",
    Phase.ENDING: "all outputs are ordered off; the board's last events, the last rewards and rows are written",
    Phase.CANCELED: "the operator has stopped at once, and the board was not open yet",
    Phase.STOPPED: "the operator has stopped at once: all outputs are ordered off, and nothing is waited for",
    Phase.WRITTEN: "the footer is the last line, unless the disk had no room for it; no line may follow",
    Phase.REFUSED: "no session: nothing was ordered, and the caller gets the error",
}

_STOP = "the operator stops at once"
_REFUSED_BY_TASK = "the task has refused its configuration or the rig, and has ordered nothing"

TRANSITIONS: Mapping[tuple[Phase, Phase], str] = {
    (Phase.REBUILDING, Phase.OPENING): "the task has decided as recorded, and waits",
    (Phase.REBUILDING, Phase.CANCELED): _STOP,
    (Phase.REBUILDING, Phase.REFUSED): "the task decides otherwise than recorded, or has come to its end",
    (Phase.OPENING, Phase.RUNNING): "camera and board are open",
    (Phase.OPENING, Phase.CANCELED): _STOP,
    (Phase.OPENING, Phase.REFUSED): "the header cannot be written, or camera or board cannot be opened",
    (Phase.RUNNING, Phase.DISCONNECTED): "the board is lost, and may be back in time",
    (Phase.RUNNING, Phase.ENDING): "the task has ended; or the disk or the camera fails",
    (Phase.RUNNING, Phase.STOPPED): _STOP,
    (Phase.DISCONNECTED, Phase.RUNNING): "the same board is open again",
    (
        Phase.DISCONNECTED,
        Phase.ENDING,
    ): "it is not back in time; or the task has ended, or the disk or the camera fails",
    (Phase.DISCONNECTED, Phase.STOPPED): _STOP,
    (Phase.ENDING, Phase.STOPPED): f"{_STOP}: the board's answer is not waited for",
    (Phase.ENDING, Phase.WRITTEN): "the last rewards and rows are written",
    (Phase.ENDING, Phase.REFUSED): _REFUSED_BY_TASK,
    (Phase.CANCELED, Phase.STOPPED): "the board had opened in the same instant",
    (Phase.CANCELED, Phase.WRITTEN): "a new session gets its footer",
    (Phase.CANCELED, Phase.REFUSED): "a broken session stays as it was",
    (Phase.STOPPED, Phase.WRITTEN): "the last rewards and rows are written, those in doubt as unconfirmed",
    (Phase.STOPPED, Phase.REFUSED): _REFUSED_BY_TASK,
}
"""Each way from a phase to another, and what leads there."""

WITH_TASK = frozenset({Phase.RUNNING, Phase.DISCONNECTED})
"""The board was opened, and its outputs are not yet ordered off."""
IMMEDIATE_STOP: Mapping[Phase, Phase] = {
    Phase.REBUILDING: Phase.CANCELED,
    Phase.OPENING: Phase.CANCELED,
    Phase.RUNNING: Phase.STOPPED,
    Phase.DISCONNECTED: Phase.STOPPED,
    Phase.ENDING: Phase.STOPPED,
}
"""Where an immediate stop leads; in a phase that is missing here it changes nothing."""
_BEFORE_THE_END = frozenset({Phase.REBUILDING, Phase.OPENING, *WITH_TASK})


class Phases:
    """The phases of one session so far; ``path`` holds all of them, the current one last."""

    def __init__(self, first: Phase) -> None:
        self.path = [first]

    @property
    def now(self) -> Phase:
        """Return the current phase."""
        return self.path[-1]

    def enter(self, phase: Phase) -> None:
        """Set the next phase. Raises ``RigError`` if `TRANSITIONS` does not have this way."""
        if (self.now, phase) not in TRANSITIONS:
            path = ", ".join(passed.value for passed in self.path)
            raise RigError(
                f"a session cannot go from '{self.now.value}' to '{phase.value}' (its phases were: {path}); this is a "
                "mistake of the program: please report it with the session's folder"
            )
        self.path.append(phase)

    @property
    def is_stopped(self) -> bool:
        """Whether the operator has stopped at once, so that no part is waited for."""
        return self.now in (Phase.CANCELED, Phase.STOPPED)

    @property
    def is_ending(self) -> bool:
        """Whether the end has begun, so that the task reads no request any more."""
        return self.now not in _BEFORE_THE_END

    @property
    def is_over(self) -> bool:
        """Whether no line may follow."""
        return self.now in (Phase.WRITTEN, Phase.REFUSED)
