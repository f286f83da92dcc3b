"""A Pico at a port restarts as a drive."""

import os
import sys

import pytest

from rig.boards.serial.touch import restart_as_drive
from rig.core.errors import BoardNotFoundError


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX has pseudo-terminals")
def test_a_port_is_opened_at_1200_baud_and_closed() -> None:
    import termios

    far, near = os.openpty()
    try:
        restart_as_drive(os.ttyname(near))
        assert termios.tcgetattr(near)[5] == termios.B1200
    finally:
        os.close(far)
        os.close(near)


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(BoardNotFoundError, match="/dev/nowhere: there is no such port"):
        restart_as_drive("/dev/nowhere")
