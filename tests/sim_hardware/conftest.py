"""A small rig for worlds, bodies and models: three ports, the lamp and the water of each."""

import pytest

from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.core.model.rig_spec import BoardSpec, RigSpec

CHANNELS = (
    Input("left", Role.BEAM, 2),
    Output("left", Role.LIGHT, 3),
    Output("left", Role.VALVE, 4, max_on_us=1_000_000),
    Input("center", Role.BEAM, 5, inverted=True),
    Output("center", Role.LIGHT, 6),
    Input("right", Role.BEAM, 7),
    Output("right", Role.LIGHT, 8, inverted=True),
    Output("right", Role.VALVE, 9, max_on_us=1_000_000),
)


@pytest.fixture
def plan() -> RigSpec:
    ul_of = {"left.valve": lambda us: us / 10_000, "right.valve": lambda us: us / 20_000}
    return RigSpec("small", BoardSpec("sim", "sim"), Wiring(CHANNELS), ul_of)
