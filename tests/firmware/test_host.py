"""The portable part of the firmware, on this machine, watched by the sanitizers."""

import re
from pathlib import Path

import pytest

from tests.firmware.tools import make, needs


@pytest.mark.parametrize("board", ["uno", pytest.param("mega", marks=pytest.mark.campaign)])
def test_the_portable_part_keeps_its_promises_with_the_limits_of_either_board(tmp_path: Path, board: str) -> None:
    needs("g++", "make")
    printed = make(f"test-{board}", tmp_path)
    ((done, all_),) = re.findall(r"(\d+) of (\d+) tests passed", printed)
    assert done == all_
    assert int(all_) > 80
