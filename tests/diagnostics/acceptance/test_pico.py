"""The steps of an acceptance with the firmware on a simulated Pico, in virtual time; leads do what a person does."""

from collections.abc import Awaitable, Callable

import pytest

from rig.boards.driver_lookup import Connection
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.diagnostics.acceptance import loop_back
from rig.diagnostics.acceptance.channels import check_devices
from rig.diagnostics.acceptance.loop_back import measure_lease, measure_reflex
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.simulated_chip import simulated_reflex, simulated_watchdog
from rig.diagnostics.acceptance.site import Site, free_pins
from rig.diagnostics.acceptance.wiring import check_wiring
from rig.session.spec.build import load_rig_spec
from sim_hardware.avr.rig import AvrRig
from sim_hardware.driver import connection
from sim_hardware.loop import run
from sim_hardware.rp2040.driver import PicoDriver
from sim_hardware.rp2040.firmware_chip import firmware_on_rp2040js
from tests.avr_tools import need_pico_tools
from tests.diagnostics.acceptance.site_helpers import Onlooker

pytestmark = pytest.mark.slow

PLAN = load_rig_spec("nose_ports_pico")
PINS = free_pins(PLAN, "pico")
Step = Callable[[Site], Awaitable[list[AcceptanceRow]]]


class Leads(Onlooker):
    """Leads at the pins: they join the pins of the jumper, and break the beam that is named."""

    rig: AvrRig | None = None

    def instruct(self, text: str) -> None:
        super().instruct(text)
        if self.rig is None:
            return
        for place in self.rig.body.places:
            if place in text and "break" in text:
                running().call_later(0.3, self.rig.body.enter, place)
            elif place in text and "clear" in text:
                running().call_later(0.3, self.rig.body.leave, place)


class JoinedDriver(PicoDriver):
    """Builds one Pico with the jumper in, and hands it to the leads."""

    def __init__(self, leads: Leads) -> None:
        super().__init__()
        self._leads = leads

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        if self._leads.rig is None:
            self._leads.rig = AvrRig(plan, options, make_chip=firmware_on_rp2040js)
            self._leads.rig.board.join(PINS.output, PINS.input)
        return connection(self._leads.rig, options)


def rows_of(step: Step) -> dict[str, AcceptanceRow]:
    need_pico_tools()
    leads = Leads()

    async def main() -> list[AcceptanceRow]:
        return await step(Site(PLAN, JoinedDriver(leads), leads, "pico", PINS))

    return {row.what: row for row in run(main())}


def test_the_jumper_is_between_the_last_pins_that_the_rig_leaves_free() -> None:
    assert (PINS.output, PINS.input) == (27, 28)


@pytest.mark.parametrize("step", [check_wiring, lambda site: check_devices(site, 100.0), measure_reflex, measure_lease])
def test_each_step_passes(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_back, "REFLEXES", 20)
    rows = rows_of(step)
    assert {row.verdict for row in rows.values()} <= {"pass", "info"}, rows


@pytest.mark.parametrize("compared", [simulated_reflex, simulated_watchdog])
def test_a_simulated_pico_is_compared_with(compared: Callable[[str], AcceptanceRow]) -> None:
    need_pico_tools()
    row = compared("pico")
    assert "n " in row.found, row
