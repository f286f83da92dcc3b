"""The file of a tracked animal's positions; `tests/records/side_file` has what holds for every kind of file."""

import math
from pathlib import Path

from rig.core.journal.journal import Journal
from rig.core.journal.kinds import PositionsLine
from rig.records.track.positions import FORMAT, LOST, POSITIONS, PositionsFile, Sample
from rig.records.track.read import read_positions


def test_a_frame_in_which_nothing_was_found_is_kept(tmp_path: Path) -> None:
    line = PositionsFile(tmp_path).append([Sample(5, 6, LOST, LOST, 7)])
    (found,) = read_positions(tmp_path / POSITIONS, [line]).samples
    assert (found.t_us, found.raw_us, found.frame) == (5, 6, 7)
    assert math.isnan(found.x_cm)
    assert math.isnan(found.y_cm)


def test_the_layout_is_the_one_that_is_described(tmp_path: Path) -> None:
    line = PositionsFile(tmp_path).append([Sample(1, -2, 3.0, 4.0, 5)])
    raw = (tmp_path / POSITIONS).read_bytes()
    assert (len(FORMAT.header), FORMAT.size, len(raw)) == (32, 32, 64)
    assert raw[:32] == FORMAT.header
    assert raw[32:60].hex() == "0100000000000000" + "feffffffffffffff" + "00004040" + "00008040" + "05000000"
    assert line == PositionsLine(1, first=0, samples=1, lost=0, digest=line.digest)


def test_a_line_of_the_journal_can_hold_a_block(tmp_path: Path) -> None:
    kept: list[bytes] = []
    Journal(kept.append).write(PositionsLine(5, 0, 30, 2, "0badcafe"))
    assert b'"k":"positions","t":5,"first":0,"samples":30,"lost":2,"digest":"0badcafe"' in kept[0]
