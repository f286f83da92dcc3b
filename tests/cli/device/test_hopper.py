"""`rig device` with a hopper."""

import math
from pathlib import Path

import pytest

from rig.records.stock.stock import StockFile
from tests.cli.conftest import Rig

CHAMBER = "sim_pigeon_chamber"


def test_cycles_are_timed_by_the_clock_of_the_board(rig: Rig) -> None:
    said = rig("device", "cycles", CHAMBER, "hopper", "--cycles", "3", "--up-s", "2.5")
    assert said.status == 0, said.err
    assert said.out.count("up for 2.5000 s") == 3
    assert "3 cycles of 2.5 s, the largest error 0.000 ms" in said.out


def test_a_filling_is_recorded_and_too_little_is_said(rig: Rig, data: Path) -> None:
    said = rig("device", "fill", CHAMBER, "hopper", "--grain-g", "40", "--by", "anna")
    assert said.status == 0
    assert "a session needs 60 g or more" in said.err
    line = StockFile(data).last_filled(CHAMBER, "hopper")
    assert line is not None
    assert (line["grain_g"], line["by"]) == (40, "anna")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cycles", CHAMBER, "hoper"), "has no device 'hoper'; did you mean 'hopper'?"),
        (
            ("cycles", CHAMBER, "hopper", "--up-s", "11"),
            "--up-s 11: hopper: up for 11 s: wanted more than 0 and at most 10 s (max_up_s)",
        ),
        (("cycles", CHAMBER, "hopper", "--up-s", str(math.nan)), "--up-s nan"),
        (("cycles", CHAMBER, "hopper", "--cycles", "0"), "--cycles 0: wanted 1 to 100"),
        (("fill", CHAMBER, "hopper", "--grain-g", "-3"), "--grain-g -3: wanted 0 to 10000 g"),
    ],
)
def test_wrong_input_is_refused(rig: Rig, words: tuple[str, ...], said: str) -> None:
    answer = rig("device", *words)
    assert answer.status == 2
    assert said in answer.err
