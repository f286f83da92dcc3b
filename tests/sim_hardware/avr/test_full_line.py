"""The firmware under full load: eight inputs toggling, sixteen reflexes armed, a tone, the line full both ways."""

import random

import pytest

from rig.boards.wire.protocol import WINDOW_BYTES
from rig.diagnostics.timing.bench import Losses, at_station
from rig.diagnostics.timing.load import Busy, Moved, Reflex
from rig.diagnostics.timing.wiring import BEAMS, wired
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrLeads
from sim_hardware.board.pin_probe import BENCH_CABLE

TOOK_S = 4
REFLEXES = tuple(Reflex(group, beam) for group, beam in enumerate(BEAMS, 1))


def loaded(chip: str) -> tuple[Moved, Losses]:
    def bench(wiring, seed, heard=frozenset()):
        return AvrLeads(chip, wiring.channels, heard=heard, faults=BENCH_CABLE, seed=seed)

    async def main() -> tuple[Moved, Losses]:
        async with at_station(bench, wired(chip), 1, heard=frozenset({"speaker.tone"})) as station:
            busy = Busy(station, (), REFLEXES, random.Random(1))
            await station.rest(TOOK_S * 1e6)
            moved = busy.stop()
            await station.rest(100_000)
        return moved, station.losses()

    return loop.run(main(), t_max=60)


@pytest.mark.parametrize("chip", ["uno", "mega"])
def test_of_a_hundred_frames_not_one_is_lost_and_no_event(chip: str) -> None:
    moved, losses = loaded(chip)
    assert moved.to_board > 20_000
    assert moved.to_host > 20_000
    frames = TOOK_S * moved.to_board / WINDOW_BYTES  # at least: none is longer
    assert losses.damaged_at_board < frames / 100
    assert losses.damaged_at_host == losses.events_lost == 0
