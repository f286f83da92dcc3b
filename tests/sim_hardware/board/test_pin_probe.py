"""Leads on the board in Python."""

from rig.core.model.actions import Pulse
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.diagnostics.timing.bench import TimingBench, open_bench
from sim_hardware import loop
from sim_hardware.board.pin_probe import SimProbe

WIRING = Wiring((Input("beam", Role.LINE, 2), Output("lamp", Role.LINE, 10, inverted=True)))


def test_what_is_put_and_what_is_done_have_the_time_of_the_session() -> None:
    async def main() -> TimingBench:
        async with open_bench(lambda wiring, seed, heard=frozenset(): SimProbe(), WIRING, 1) as bench:
            await bench.until(10_000)
            bench.drive_input("beam", 1)
            bench.order(Pulse("lamp", 3_000))
            await bench.wait(20_000)
        return bench

    bench = loop.run(main(), t_max=10)
    assert bench.inputs_driven["beam"] == [(10_000.0, 1)]
    on, off = bench.changes("lamp")
    assert (on.value, off.value, off.t_us - on.t_us) == (1, 0, 3_000)
    assert bench.rises("lamp") == [on.t_us]
    assert 10_000 < on.t_us < 12_000
    assert bench.all_off_at_us() == off.t_us


def test_the_line_counts_what_it_carries_and_keeps_a_host_silent() -> None:
    async def main() -> tuple[int, int, float]:
        async with open_bench(lambda wiring, seed, heard=frozenset(): SimProbe(), WIRING, 1) as bench:
            before = bench.line.to_board
            bench.line.mute = True
            bench.order(Pulse("lamp", 3_000))
            await bench.wait(10_000)
            muted = bench.line.to_board - before
            spoke_us = bench.last_write_us()
            bench.line.mute = False
            bench.order(Pulse("lamp", 3_000))
            await bench.wait(100_000)
            return muted, bench.line.to_board - before, spoke_us

    muted, carried, spoke_us = loop.run(main(), t_max=10)
    assert muted == 0
    assert carried >= 2 * 17  # the first one is repeated
    assert spoke_us < 1_000


def test_a_late_host_says_everything_later() -> None:
    async def answered_us(late_s: float) -> float:
        async with open_bench(lambda wiring, seed, heard=frozenset(): SimProbe(), WIRING, 1, late_s=late_s) as bench:
            begun_us = bench.probe.now_us()
            await bench.client.acknowledged(bench.order(Pulse("lamp", 3_000)))
            return bench.probe.now_us() - begun_us

    prompt = loop.run(answered_us(0.0), t_max=10)
    assert 4_000 <= loop.run(answered_us(0.004), t_max=10) - prompt < 4_010
