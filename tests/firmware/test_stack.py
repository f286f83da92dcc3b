"""The stack of the firmware: its computed depth is at least what was ever measured, and the chip has room for it."""

import re

import pytest

from rig.boards.chips import AVRS
from rig.boards.pin_probe import Memory
from rig.core.model.board import Wiring
from rig.diagnostics.timing.under_load import under_load
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrProbe
from tests.avr_tools import need_avr_tools
from tests.firmware.tools import make_shared

REFLEXES = 300


def memory_after_load(board: str) -> Memory:
    probes: list[AvrProbe] = []

    def make_probe(wiring: Wiring, seed: int, heard: frozenset[str]) -> AvrProbe:
        probes.append(AvrProbe(board, wiring.channels, heard=heard, seed=seed))
        return probes[-1]

    loop.run(under_load(make_probe, board, REFLEXES, seed=1), t_max=1_000)
    return probes[0].memory()


@pytest.mark.parametrize("board", AVRS)
def test_no_load_takes_more_of_the_stack_than_is_computed_and_that_fits(board: str) -> None:
    need_avr_tools()
    printed = make_shared(f"stack-{board}")
    found = re.match(rf"{board}: stack (\d+) of (\d+) bytes: reset > main > ", printed)
    assert found, printed
    computed, room = map(int, found.groups())
    memory = memory_after_load(board)
    assert room == memory.ram_room - memory.ram
    assert room - memory.untouched <= computed <= room
