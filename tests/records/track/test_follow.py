"""The positions that a growing journal names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.kinds import PositionsLine
from rig.records.track.follow import PositionsFollower
from rig.records.track.positions import FORMAT, POSITIONS, PositionsFile, Sample


def samples(first: int, count: int) -> list[Sample]:
    return [Sample(1000 * place, place, float(place), -float(place), place) for place in range(first, first + count)]


def test_named_blocks_are_read_once_and_in_their_order(tmp_path: Path) -> None:
    file, follower = PositionsFile(tmp_path), PositionsFollower(tmp_path)
    for first in (0, 30):
        follower.note(file.append(samples(first, 30)))
    found = follower.read()
    assert found.t_us.tolist() == [1000 * place for place in range(60)]
    assert found.y_cm[-1] == -59.0
    assert len(follower.read().t_us) == 0
    follower.note(file.append(samples(60, 1)))
    assert follower.read().x_cm.tolist() == [60.0]


def test_frames_without_the_animal_stay(tmp_path: Path) -> None:
    file, follower = PositionsFile(tmp_path), PositionsFollower(tmp_path)
    follower.note(file.append([Sample(0, 0, float("nan"), float("nan"), 0)]))
    assert np.isnan(follower.read().x_cm).tolist() == [True]


def test_a_damaged_block_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    file, follower = PositionsFile(tmp_path), PositionsFollower(tmp_path)
    blocks = [file.append(samples(first, 10)) for first in (0, 10, 20)]
    raw = bytearray((tmp_path / POSITIONS).read_bytes())
    raw[FORMAT.size * 15 + 3] ^= 1
    (tmp_path / POSITIONS).write_bytes(raw)
    for block in blocks:
        follower.note(block)
    assert follower.read().x_cm.tolist() == [*range(10), *range(20, 30)]


def test_a_missing_file_or_one_of_another_kind_has_no_positions(tmp_path: Path) -> None:
    follower = PositionsFollower(tmp_path)
    follower.note(PositionsLine(0, 0, 1, 0, "00000000"))
    assert len(follower.read().t_us) == 0
    (tmp_path / POSITIONS).write_bytes(b"x" * 100)
    follower.note(PositionsLine(0, 0, 1, 0, "00000000"))
    assert len(follower.read().t_us) == 0


numbers = st.integers(0, 40) | st.integers(0, 2**63 - 1)


@given(blocks=st.lists(st.tuples(numbers, numbers), max_size=8))
def test_blocks_that_no_program_wrote_are_left_out(blocks: list[tuple[int, int]], tmp_path_factory: object) -> None:
    folder = Path(tmp_path_factory.mktemp("positions"))  # type: ignore[attr-defined]
    PositionsFile(folder).append(samples(0, 20))
    follower = PositionsFollower(folder)
    for first, count in blocks:
        follower.note(PositionsLine(0, first, count, 0, "no digest"))
    assert len(follower.read().t_us) == 0
