"""A rig under acceptance whose board, cable and world are simulated, in virtual time."""

from collections.abc import Callable

from rig.boards.driver_lookup import Connection
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import LoopPins, Site, SiteOperator
from rig.diagnostics.acceptance.wiring import check_wiring
from rig.diagnostics.io_test import Answer
from rig.session.spec.build import load_rig_spec
from sim_hardware.driver import SimDriver, SimRig, connection
from sim_hardware.loop import run

Arrange = Callable[[SimRig], object]


class ArrangedDriver(SimDriver):
    """Builds rigs with something that is wrong with them, or with their cable."""

    def __init__(self, arrange: Arrange, faults: dict[str, float]) -> None:
        self._arrange = arrange
        self._faults = faults

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        rig = SimRig(plan, SimulationOptions(faults=self._faults))
        self._arrange(rig)
        return connection(rig, options)


class Onlooker(SiteOperator):
    """A person who does everything at once."""

    within_s = 1.0
    presses_panic = False

    def __init__(self) -> None:
        self.said: list[str] = []

    def instruct(self, text: str) -> None:
        self.said.append(text)

    async def done(self, task: str) -> None:
        self.said.append(task)

    async def observed(self, question: str) -> Answer:
        return "yes"

    async def confirm(self, question: str) -> bool:
        return True


def wiring_rows(
    name: str, arrange: Arrange = lambda rig: None, faults: dict[str, float] | None = None
) -> dict[str, AcceptanceRow]:
    """The rows of the step `wiring` of a shipped rig."""

    async def main() -> list[AcceptanceRow]:
        site = Site(load_rig_spec(name), ArrangedDriver(arrange, faults or {}), Onlooker(), "uno", LoopPins(18, 19))
        return await check_wiring(site)

    return {row.what: row for row in run(main())}
