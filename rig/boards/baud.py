"""The speeds that the serial line to a board may have."""

from __future__ import annotations

TOUCH_BAUD = 1_200
"""The end of a line of this speed restarts a Pico, and some Arduinos, without their program."""


def check_baud(baud: int) -> int:
    """Return the speed of a line to a board. Raises ``ValueError`` for the speed that would stop its program."""
    if baud == TOUCH_BAUD:
        raise ValueError(
            f"closing a port at {baud} baud restarts a Pico as a drive: give another speed, such as 500000"
        )
    return baud
