"""A small rig for worlds, bodies and models: three ports, the lamp and the water of each."""

import pytest

from rig.core.board import Input, Output, Wiring
from rig.core.plan import BoardSpec, RigPlan

CHANNELS = (
    Input("left.beam", 2),
    Output("left.light", 3),
    Output("left.valve", 4, max_on_us=1_000_000),
    Input("centre.beam", 5, inverted=True),
    Output("centre.light", 6),
    Input("right.beam", 7),
    Output("right.light", 8, inverted=True),
    Output("right.valve", 9, max_on_us=1_000_000),
)


@pytest.fixture
def plan() -> RigPlan:
    ul_of = {"left.valve": lambda us: us / 10_000, "right.valve": lambda us: us / 20_000}
    return RigPlan("small", BoardSpec("sim", "sim"), Wiring(CHANNELS), ul_of)
