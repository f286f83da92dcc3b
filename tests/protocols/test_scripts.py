"""Protocols as scripts: what an animal does, and what must come of it, in the files of each room."""

from pathlib import Path

import pytest

from tests.protocols.delay_discounting import maze
from tests.protocols.disk_bandit import disks, human_disks
from tests.session_scripts import MOVES, Named, judge, read_cases

FILES = sorted(Path(__file__).parent.glob("*/*sessions.yaml"))
OWN_MOVES = {
    **MOVES,
    "lap": lambda at_s, side, stay_s: maze.acts(maze.lap(at_s, side, stay_s)),
    "peck": lambda at_s, location, aside_cm=0.0: [disks.peck(at_s, int(location), aside_cm)],
    "peck_at": lambda at_s, x_cm, y_cm: [disks.peck_at(at_s, x_cm, y_cm)],
    "press": lambda at_s, location: [disks.press(at_s, int(location))],
    "head": disks.head,
    "click": human_disks.click_at,
    "double": human_disks.double_click,
    "type": human_disks.write,
    "begin": human_disks.begin,
    "whole": human_disks.whole,
}
"""A lap of the maze; pecks on a disk by its number, or beside it; a touch that is not lifted; a head in the hopper;
what a participant clicks and types."""


@pytest.mark.parametrize("named", [case for path in FILES for case in read_cases(path)])
def test_a_session_is_as_its_script_says(named: Named) -> None:
    judge(named, OWN_MOVES)
