"""The members of a simulated body that a laboratory's tests may use, against the body of this program."""

import inspect

import pytest

from rig.boards.simulation import SimulatedBody
from sim_hardware.world.body import Body


@pytest.mark.parametrize("name", [name for name in vars(SimulatedBody) if not name.startswith("_")])
def test_a_body_has_all_that_its_description_lists(name: str) -> None:
    described, there = getattr(SimulatedBody, name), getattr(Body, name)
    assert type(there) is type(described)
    if not isinstance(described, property):
        assert inspect.signature(there) == inspect.signature(described)
