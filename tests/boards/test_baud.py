"""The speeds that the serial line to a board may have."""

import re

import pytest

from rig.boards.baud import TOUCH_BAUD, check_baud
from tests.firmware.tools import FIRMWARE


def test_the_speed_that_restarts_a_pico_as_a_drive_is_refused_and_no_other() -> None:
    assert [check_baud(baud) for baud in (300, 2_400, 57_600, 500_000)] == [300, 2_400, 57_600, 500_000]
    with pytest.raises(ValueError, match="closing a port at 1200 baud restarts a Pico as a drive"):
        check_baud(1_200)


def test_it_is_the_speed_at_which_the_firmware_restarts() -> None:
    source = (FIRMWARE / "targets" / "rp2040" / "usb_device.cpp").read_text()
    assert re.findall(r"BOOTLOADER_BAUD = (\d+);", source) == [str(TOUCH_BAUD)]
