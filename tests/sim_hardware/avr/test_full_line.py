"""The firmware under full load: eight inputs toggling, sixteen reflexes armed, a tone, the line full both ways."""

import random

import pytest

from rig.boards.chips import AVRS
from rig.boards.wire.go_back_n import WINDOW_BYTES
from rig.diagnostics.timing.bench import Losses, open_bench
from rig.diagnostics.timing.load import LoadGenerator, Reflex, Throughput
from rig.diagnostics.timing.wiring import BEAMS, wired
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrProbe
from sim_hardware.board.pin_probe import BENCH_CABLE

TOOK_S = 2
REFLEXES = tuple(Reflex(group, beam) for group, beam in enumerate(BEAMS, 1))


def loaded(chip: str) -> tuple[Throughput, Losses]:
    def make_probe(wiring, seed, heard=frozenset()):
        return AvrProbe(chip, wiring.channels, heard=heard, faults=BENCH_CABLE, seed=seed)

    async def main() -> tuple[Throughput, Losses]:
        async with open_bench(make_probe, wired(chip), 1, heard=frozenset({"speaker.tone"})) as bench:
            busy = LoadGenerator(bench, (), REFLEXES, random.Random(1))
            await bench.wait(TOOK_S * 1e6)
            moved = busy.stop()
            await bench.wait(100_000)
        return moved, bench.losses()

    return loop.run(main(), t_max=60)


@pytest.mark.parametrize("chip", AVRS)
def test_of_a_hundred_frames_not_one_is_lost_and_no_event(chip: str) -> None:
    moved, losses = loaded(chip)
    assert moved.to_board > 20_000
    assert moved.to_host > 20_000
    frames = TOOK_S * moved.to_board / WINDOW_BYTES  # at least: none is longer
    assert losses.damaged_at_board < frames / 100
    assert losses.damaged_at_host == losses.events_lost == 0
