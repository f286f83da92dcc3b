"""Nonsense on the line of a Pico, at its full speed, while the outputs are in use: the firmware heeds none of it."""

import pytest

from sim_hardware.rp2040.firmware_chip import firmware_on_rp2040js
from tests.avr_tools import need_pico_tools
from tests.sim_hardware.avr.test_noise import Amount, endure

SHORT = Amount(5_000, 50, 50)
PARTS, PART = 20, Amount(50_000, 5_000, 5_000)
"""A hundred thousand damaged and as many mutated frames in all parts; a part takes a minute on a quiet computer."""


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_pico_tools()


@pytest.mark.slow
def test_nonsense_opens_nothing_hangs_nothing_and_the_next_good_frame_is_understood() -> None:
    endure("pico", SHORT, firmware_on_rp2040js)


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_a_lot_of_nonsense_opens_nothing_and_hangs_nothing(part: int) -> None:
    endure("pico", PART, firmware_on_rp2040js, part)
