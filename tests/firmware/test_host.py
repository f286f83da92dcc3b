"""The portable part of the firmware, on this machine, watched by the sanitizers."""

import re
from pathlib import Path

from tests.firmware.tools import make, needs


def test_the_portable_part_keeps_its_promises_with_the_limits_of_either_board(tmp_path: Path) -> None:
    needs("g++", "make")
    printed = make("test", tmp_path)
    passed = re.findall(r"(\d+) of (\d+) tests passed", printed)
    assert len(passed) == 2
    assert all(done == all_ and int(all_) > 80 for done, all_ in passed)
