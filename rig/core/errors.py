"""Errors, named by whose fault they are, so that the reader knows where to look."""

from __future__ import annotations


class RigError(Exception):
    """Anything this product raises on purpose; its ``lines`` are written for the person who reads them."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class ConfigError(RigError):
    """Your file: which, where, what would be accepted.

    ``mistakes`` holds one line per mistake, each ``file:line: key: what is wrong, what would be accepted``.
    """

    @property
    def mistakes(self) -> tuple[str, ...]:
        """One line per mistake."""
        return self.lines


class CalibrationError(RigError):
    """This valve was never measured at this volume, or too long ago."""


class BoardError(RigError):
    """The hardware's side."""


class BoardNotFoundError(BoardError):
    """No such port, or nobody answers on it."""


class FirmwareMismatchError(BoardError):
    """The board speaks another version of the wire, or is another board."""


class OrderRefusedError(BoardError):
    """The board cannot do what it was told: no such channel, no room, or over its limits."""


class ScreenError(BoardError):
    """The screen is not there or not right: no such monitor, no touch screen, no Qt, or it is gone."""


class NotReadyError(BoardError):
    """Something on the rig is not as it must be before a session: a broken beam, a missing laser."""


class LinkLostError(BoardError):
    """The board is silent; its lease turns everything off."""


class WireError(BoardError):
    """The board sent nonsense."""


class RecordError(RigError):
    """The journal cannot be written or read."""


class TaskError(RigError):
    """The protocol's side: a state returned something that is not a state, or asked for the impossible.

    ``where`` are the file and the line that are at fault, when they are not those at which it was raised.
    """

    where: tuple[str, int] | None = None


class ActionError(TaskError):
    """A device was asked for what its section of the rig file does not allow.

    ``asked`` is the number at fault, in ``unit``: a parameter that holds it is what to change.
    """

    def __init__(self, text: str, asked: float, unit: str) -> None:
        super().__init__(text)
        self.asked = asked
        self.unit = unit
