"""The portable part of the firmware, on this machine, watched by the sanitizers."""

import re
from pathlib import Path

import pytest

from rig.boards.chips import CHIPS
from tests.firmware.tools import make, needs


@pytest.mark.parametrize(
    ("board", "seeds", "frames"),
    [("uno", 3, 20_000), *(pytest.param(board, 200, 5_000_000, marks=pytest.mark.campaign) for board in CHIPS)],
)
def test_the_portable_part_keeps_its_promises_with_the_limits_of_either_board(
    tmp_path: Path, board: str, seeds: int, frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("g++", "make")
    monkeypatch.setenv("FUZZ_SEEDS", str(seeds))
    monkeypatch.setenv("FUZZ_FRAMES", str(frames))
    printed = make(f"test-{board}", tmp_path)
    ((done, all_),) = re.findall(r"(\d+) of (\d+) tests passed", printed)
    assert done == all_
    assert int(all_) > 80
