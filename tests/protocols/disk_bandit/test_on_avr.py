"""The eight-disk bandit on the firmware: the hopper's three seconds, to the cycle."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from sim_hardware.world.body import Body
from tests.avr_tools import need_avr_tools
from tests.chip_outputs import watch_outputs
from tests.harness import FaultHarness, run_harness
from tests.protocols.disk_bandit.disks import ALL_SAME, bird, peck
from tests.session_specs import protocol_spec, session_spec

MS = 1e-3


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@dataclass
class Hopper:
    """When the chip raised the hopper and lowered it, each at the cycle at which it did, in seconds."""

    edges: list[tuple[float, int]] = field(default_factory=list)

    def listen(self, harness: FaultHarness) -> None:
        watch_outputs(harness, self._changed)

    def _changed(self, output: str, at_s: float, value: int) -> None:
        if output == "hopper.hopper":
            self.edges.append((at_s, value))


class Bird:
    """Pecks by a list."""

    def __init__(self, *script: Any) -> None:
        self._live = bird(script)

    async def live(self, body: Body) -> None:
        await self._live(body)


def test_the_hopper_is_up_for_three_seconds_to_the_millisecond() -> None:
    values = {"vi_s": ALL_SAME, "vi_distribution": "fixed", "stop_session_s": 90}
    hopper, pecks = Hopper(), [peck(10.0 + 4.1 * number, number % 8) for number in range(19)]
    made: Any = Bird(*pecks)
    harness = run_harness(
        session_spec(protocol_spec("disk_bandit", **values)), model=made, arrange=hopper.listen, board="avr"
    )
    assert harness.error is None
    assert sum(row["rewarded"] for row in harness.rows) == 19
    ups = [at_s for at_s, value in hopper.edges if value]
    lasted = [down - up for up, down in zip(ups, (at_s for at_s, value in hopper.edges if not value), strict=True)]
    assert len(lasted) == 19
    print(f"hopper up for {min(lasted):.6f} to {max(lasted):.6f} s")  # noqa: T201
    assert lasted == pytest.approx([3.0] * 19, abs=1 * MS)
    pecked = [row["t"] for row in harness.rows]
    assert max(up - at for up, at in zip(ups, pecked, strict=True)) < 0.02
