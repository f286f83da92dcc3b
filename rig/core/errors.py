"""Errors, named after the part that has to be changed: your file, the board, the link, the journal or the protocol."""

from __future__ import annotations

import copyreg


class RigError(Exception):
    """The base class of this program's errors; ``lines`` is the message for the user."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is pickled: with all attributes, whatever the class wants for its construction."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class ConfigError(RigError):
    """A mistake in a configuration file; the message names file and line, and what is accepted.

    ``mistakes`` holds one line per mistake, each ``file:line: key: what is wrong, what would be accepted``.
    """

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Return one line per mistake."""
        return self.lines


class CalibrationError(RigError):
    """A valve was never measured at this volume, would open too long, or has a calibration that is no curve."""


class BoardError(RigError):
    """A failure of the hardware."""


class BoardNotFoundError(BoardError):
    """A missing port, or a port at which no board answers."""


class FirmwareMismatchError(BoardError):
    """The board uses another version of the wire protocol, or is another board than the rig file names."""


class OrderRefusedError(BoardError):
    """The board cannot do what was ordered: no such channel, no room, or beyond its limits."""


class NewerEdgeError(OrderRefusedError):
    """An input changed before the board armed a reflex on it."""


class ScreenError(BoardError):
    """The screen cannot be used: no such monitor, no touch screen, no Qt, or it was disconnected."""


class ScaleError(BoardError):
    """A scale that does not answer, or that reports no stable weight."""


class NotReadyError(BoardError):
    """The rig is not ready for a session: a beam is broken, or a laser is missing."""


class LinkLostError(BoardError):
    """The board does not answer any more; its lease turns all outputs off."""


class WireError(BoardError):
    """The board sent bytes that are no valid message."""


class RecordError(RigError):
    """The journal cannot be written or read."""


class TaskError(RigError):
    """A mistake of the protocol, such as an unknown state or an impossible order.

    ``where`` holds the file and line at fault when they differ from those at which the error was raised.
    """

    where: tuple[str, int] | None = None


class ActionError(TaskError):
    """A device was ordered to do what its section of the rig file does not allow.

    ``asked`` is the number at fault, in ``unit``: a parameter with that value is the one to change.
    """

    def __init__(self, text: str, asked: float, unit: str) -> None:
        super().__init__(text)
        self.asked = asked
        self.unit = unit
