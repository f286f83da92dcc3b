"""Leads on a simulated chip with the firmware on it."""

from rig.core.model.actions import Set
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.diagnostics.timing.bench import TimingBench, open_bench
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrProbe
from tests.avr_tools import need_avr_tools

WIRING = Wiring((Input("beam", Role.LINE, 2), Output("lamp", Role.LINE, 10)))


def told(interrupts: bool | None = None) -> TimingBench:
    """Put a beam on, a lamp on, and perhaps let the program hang."""
    need_avr_tools()

    async def main() -> TimingBench:
        async with open_bench(lambda wiring, seed, heard: AvrProbe("uno", wiring.channels, seed=seed), WIRING, 1) as it:
            it.probe.measure_interrupts()
            await it.until(10_000.3)
            it.drive_input("beam", 1)
            it.order(Set("lamp", True))
            await it.wait(20_000)
            if interrupts is not None:
                it.hung_us = it.probe.hang(interrupts=interrupts)  # type: ignore[attr-defined]
                await it.wait(400_000)
        return it

    bench: TimingBench = loop.run(main(), t_max=10)
    return bench


def test_what_is_put_and_done_is_known_to_the_cycle() -> None:
    bench = told()
    ((at, level),) = bench.inputs_driven["beam"]
    assert level == 1
    assert 10_000.3 <= at < 10_001  # an instruction takes up to four cycles
    assert at * 16 == int(at * 16)
    on, off = bench.changes("lamp")
    assert at < on.t_us < off.t_us
    assert on.t_us * 16 == int(on.t_us * 16)


def test_a_hang_lasts_until_the_watchdog_makes_all_safe_and_the_host_is_reported() -> None:
    bench = told(interrupts=True)
    assert 100_000 < bench.all_off_at_us() - bench.hung_us < 300_000  # type: ignore[attr-defined]
    assert bench.client.fault is not None
    assert "watchdog" in bench.client.fault.detail


def test_it_tells_how_full_the_chip_is_and_how_deep_the_stack_went() -> None:
    bench = told()
    found = bench.probe.memory()
    assert found is not None
    assert (found.flash_room, found.ram_room) == (32_768, 2_048)
    assert 10_000 < found.flash < found.flash_room
    assert 1_000 < found.ram < found.ram_room
    assert 0 < found.untouched < found.ram_room - found.ram
    assert bench.probe.overruns() == 0


def test_it_tells_how_long_interrupts_were_off_and_from_where() -> None:
    found = told().probe.interrupts_off()
    assert found is not None
    assert 1 < found.unpolled_us < found.longest_us < 200
    assert all("0x" not in name for name in (found.began, found.unpolled_began))
