"""The figures of `rig board bench`: what one simulator finds within its bound, the other one does too."""

import asyncio
import math
from dataclasses import replace

import pytest

from rig.boards.pin_probe import PinProbe
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec
from rig.diagnostics.timing.report_rows import Row
from rig.diagnostics.timing.suite import PARTS, Part
from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr8js.driver import Avr8jsDriver

REPETITIONS, SEED = 20, 1


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
@pytest.mark.parametrize("kind", ["uno", pytest.param("mega", marks=pytest.mark.campaign)])
def test_both_simulators_find_the_same_figures_within_their_bounds(kind: str, part: Part) -> None:
    first, second = (verdicts(driver, kind, part) for driver in (AvrDriver(), Avr8jsDriver()))
    assert second
    assert [what for what, met in first.items() if met and second.get(what) is False] == []


def verdicts(driver: AvrDriver, kind: str, part: Part) -> dict[str, bool | None]:
    """Measure; return of each figure whether it is within its bound, or None if it was not measured."""
    plan = RigSpec("bench", BoardSpec("board", "avr8js", chip=kind), Wiring(()))

    def make_probe(wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> PinProbe:
        return driver.probe(replace(plan, wiring=wiring), heard, seed)

    async def measured() -> list[Row]:
        return await part(make_probe, kind, REPETITIONS, SEED)

    with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf)) as runner:
        rows = runner.run(measured())
    return {row.what: row.met for row in rows}
