"""Leads on the board in Python."""

from rig.core.model.actions import Pulse
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.diagnostics.timing.bench import Station, at_station
from sim_hardware import loop
from sim_hardware.board.pin_probe import SimLeads

WIRING = Wiring((Input("beam", Role.LINE, 2), Output("lamp", Role.LINE, 10, inverted=True)))


def test_what_is_put_and_what_is_done_have_the_time_of_the_session() -> None:
    async def main() -> Station:
        async with at_station(lambda wiring, seed, heard=frozenset(): SimLeads(), WIRING, 1) as station:
            await station.until(10_000)
            station.lead("beam", 1)
            station.order(Pulse("lamp", 3_000))
            await station.rest(20_000)
        return station

    station = loop.run(main(), t_max=10)
    assert station.puts["beam"] == [(10_000.0, 1)]
    on, off = station.changes("lamp")
    assert (on.value, off.value, off.t_us - on.t_us) == (1, 0, 3_000)
    assert station.rises("lamp") == [on.t_us]
    assert 10_000 < on.t_us < 12_000
    assert station.safe_since_us() == off.t_us


def test_the_line_counts_what_it_carries_and_keeps_a_host_silent() -> None:
    async def main() -> tuple[int, int, float]:
        async with at_station(lambda wiring, seed, heard=frozenset(): SimLeads(), WIRING, 1) as station:
            before = station.line.to_board
            station.line.mute = True
            station.order(Pulse("lamp", 3_000))
            await station.rest(10_000)
            muted = station.line.to_board - before
            spoke_us = station.spoke_at_us()
            station.line.mute = False
            station.order(Pulse("lamp", 3_000))
            await station.rest(100_000)
            return muted, station.line.to_board - before, spoke_us

    muted, carried, spoke_us = loop.run(main(), t_max=10)
    assert muted == 0
    assert carried >= 2 * 17  # the first one is repeated
    assert spoke_us < 1_000


def test_a_late_host_says_everything_later() -> None:
    async def answered_us(late_s: float) -> float:
        async with at_station(lambda wiring, seed, heard=frozenset(): SimLeads(), WIRING, 1, late_s=late_s) as station:
            begun_us = station.leads.now_us()
            await station.client.acknowledged(station.order(Pulse("lamp", 3_000)))
            return station.leads.now_us() - begun_us

    prompt = loop.run(answered_us(0.0), t_max=10)
    assert 4_000 <= loop.run(answered_us(0.004), t_max=10) - prompt < 4_010
