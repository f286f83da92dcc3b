"""Leads on a simulated chip with the firmware on it."""

from rig.core.model.actions import Set
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.diagnostics.timing.bench import Station, at_station
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrLeads
from tests.avr_tools import need_avr_tools

WIRING = Wiring((Input("beam", Role.LINE, 2), Output("lamp", Role.LINE, 10)))


def told(interrupts: bool | None = None) -> Station:
    """Put a beam on, a lamp on, and perhaps let the program hang."""
    need_avr_tools()

    async def main() -> Station:
        async with at_station(lambda wiring, seed, heard: AvrLeads("uno", wiring.channels, seed=seed), WIRING, 1) as it:
            await it.until(10_000.3)
            it.lead("beam", 1)
            it.order(Set("lamp", True))
            await it.rest(20_000)
            if interrupts is not None:
                it.hung_us = it.leads.hang(interrupts=interrupts)  # type: ignore[attr-defined]
                await it.rest(400_000)
        return it

    station: Station = loop.run(main(), t_max=10)
    return station


def test_what_is_put_and_done_is_known_to_the_cycle() -> None:
    station = told()
    ((at, level),) = station.puts["beam"]
    assert level == 1
    assert 10_000.3 <= at < 10_001  # an instruction takes up to four cycles
    assert at * 16 == int(at * 16)
    on, off = station.changes("lamp")
    assert at < on.t_us < off.t_us
    assert on.t_us * 16 == int(on.t_us * 16)


def test_a_hang_lasts_until_the_watchdog_makes_all_safe_and_the_host_is_told() -> None:
    station = told(interrupts=True)
    assert 100_000 < station.safe_since_us() - station.hung_us < 300_000  # type: ignore[attr-defined]
    assert station.client.fault is not None
    assert "watchdog" in station.client.fault.detail


def test_it_tells_how_full_the_chip_is_and_how_deep_the_stack_went() -> None:
    station = told()
    found = station.leads.memory()
    assert found is not None
    assert (found.flash_room, found.ram_room) == (32_768, 2_048)
    assert 10_000 < found.flash < found.flash_room
    assert 1_000 < found.ram < found.ram_room
    assert 0 < found.untouched < found.ram_room - found.ram
    assert station.leads.overruns() == 0
