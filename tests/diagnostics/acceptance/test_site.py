"""Pins for the jumper."""

import pytest

from rig.core.errors import ConfigError
from rig.diagnostics.acceptance.site import LoopPins, free_pins, wiring_hash
from rig.session.spec.build import load_rig_spec


def test_the_jumper_is_put_on_the_last_two_free_pins() -> None:
    assert free_pins(load_rig_spec("nose_ports_uno"), "uno") == LoopPins(18, 19)
    assert free_pins(load_rig_spec("nose_ports_uno"), "uno", "11:12") == LoopPins(11, 12)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("11", "wanted two pins"),
        ("11:11", "wanted two pins"),
        ("a:b", "wanted two pins"),
        ("11:13", "pin 13 cannot be used; free pins: 2, 11, 12"),
        ("0:12", "pin 0 cannot be used"),
        ("3:12", "pin 3 belongs to left.valve"),
        ("11:999", "pin 999 cannot be used"),
    ],
)
def test_a_pair_that_cannot_be_is_refused_with_the_free_pins(asked: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        free_pins(load_rig_spec("nose_ports_uno"), "uno", asked)


def test_another_wiring_has_another_hash() -> None:
    assert wiring_hash(load_rig_spec("nose_ports_uno")) != wiring_hash(load_rig_spec("t_maze_uno"))
