"""What is wired to the board that is measured."""

import pytest

from rig.boards.chips import CHIPS
from rig.config import find
from rig.core.model.board import Input
from rig.diagnostics.timing.wiring import BEAMS, PORTS, wired
from rig.session.spec.read_rig import read_rig, rig_spec_of


def test_the_ports_are_those_of_the_rig_file() -> None:
    assert rig_spec_of(read_rig(find("rigs", "nose_ports_uno"))).wiring.channels == PORTS


@pytest.mark.parametrize("chip", CHIPS)
def test_every_channel_has_a_pin_of_its_own_and_there_are_eight_beams(chip: str) -> None:
    channels = wired(chip).channels
    assert len({channel.pin for channel in channels}) == len(channels) <= CHIPS[chip].channels
    assert all(channel.pin in CHIPS[chip].pins for channel in channels)
    assert {channel.name for channel in channels if isinstance(channel, Input)} == set(BEAMS)
    assert len(BEAMS) == 8
