"""A channel is named by its device and its role, and the device is found again from the name."""

from dataclasses import replace

import pytest

from rig.core.model.board import Input, Output
from rig.core.model.channels import Role, channel_name, device_of


@pytest.mark.parametrize("role", Role)
def test_a_name_tells_its_device(role: Role) -> None:
    assert device_of(channel_name("left", role)) == "left"


def test_names_are_those_of_the_journal() -> None:
    assert Input("left", Role.BEAM, 6).name == "left.beam"
    assert Output("laser", Role.LINE, 6).name == "laser"
    assert len({channel_name("left", role) for role in Role}) == len(Role)


def test_a_channel_with_another_pin_is_called_the_same() -> None:
    assert replace(Output("left", Role.LIGHT, 6), pin=7) == Output("left", Role.LIGHT, 7)


@pytest.mark.parametrize("role", [Role.VALVE, Role.FEEDER, Role.HOPPER])
def test_an_output_that_gives_rewards_has_a_limit(role: Role) -> None:
    assert Output("left", role, 6, max_on_us=1).max_on_us == 1
    with pytest.raises(ValueError, match=f"output left.{role} gives rewards: it needs max_on_us"):
        Output("left", role, 6)
