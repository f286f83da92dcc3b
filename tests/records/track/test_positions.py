import errno
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import PositionsLine
from rig.records.journal.read import of_kind, scan_journal
from rig.records.track.positions import (
    FORMAT,
    LOST,
    POSITIONS,
    PositionsFile,
    Sample,
)
from rig.records.track.read import read_positions

HEADER, SIZE = FORMAT.header, FORMAT.size

coordinate = st.floats(-500, 500, width=32)
samples = st.lists(
    st.builds(
        Sample,
        st.integers(0, 2**40),
        st.integers(-(2**63), 2**63 - 1),
        coordinate,
        coordinate,
        st.integers(0, 2**32 - 1),
    ),
    min_size=1,
    max_size=4,
)
appends = st.lists(samples, max_size=4)


def walk(count: int, first: int = 0) -> list[Sample]:
    return [Sample(16_667 * n, 1_000_000 + 16_667 * n, n / 4, -n / 8, n) for n in range(first, first + count)]


def written(folder: Path, *parts: list[Sample]) -> tuple[Path, list[PositionsLine]]:
    (folder / POSITIONS).unlink(missing_ok=True)
    file = PositionsFile(folder)
    return file.path, [file.append(part) for part in parts]


@given(appends)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, parts: list[list[Sample]]) -> None:
    path, lines = written(tmp_path_factory.mktemp("p"), *parts)
    found = read_positions(path, lines)
    assert found.samples == [sample for part in parts for sample in part]
    assert (found.damaged, found.torn_bytes, found.missing, found.unindexed) == (0, 0, 0, 0)


def test_a_frame_in_which_nothing_was_found_is_kept(tmp_path: Path) -> None:
    path, lines = written(tmp_path, [Sample(5, 6, LOST, LOST, 7)])
    (found,) = read_positions(path, lines).samples
    assert (found.t_us, found.raw_us, found.frame) == (5, 6, 7)
    assert math.isnan(found.x_cm)
    assert math.isnan(found.y_cm)


def test_the_layout_is_the_one_that_is_described(tmp_path: Path) -> None:
    path, lines = written(tmp_path, [Sample(1, -2, 3.0, 4.0, 5)])
    raw = path.read_bytes()
    assert (len(HEADER), SIZE, len(raw)) == (32, 32, 64)
    assert raw[:32] == HEADER
    assert raw[32:60].hex() == "0100000000000000" + "feffffffffffffff" + "00004040" + "00008040" + "05000000"
    assert lines == [PositionsLine(1, first=0, samples=1, lost=0, digest=lines[0].digest)]


def test_a_file_torn_at_any_byte_keeps_every_whole_record(tmp_path: Path) -> None:
    path, lines = written(tmp_path, walk(3), walk(2, first=3))
    raw = path.read_bytes()
    for size in range(len(raw) + 1):
        path.write_bytes(raw[:size])
        found = read_positions(path, lines)
        whole = max(0, size // SIZE - 1)
        assert found.samples == walk(whole)
        assert (found.damaged, found.torn_bytes, found.missing) == (0, size % SIZE, 5 - whole)


@given(st.integers(0, 5 * SIZE - 1), st.integers(1, 255))
def test_a_damaged_byte_costs_its_record_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    path, lines = written(tmp_path_factory.mktemp("p"), walk(3), walk(2, first=3))
    raw = bytearray(path.read_bytes())
    raw[SIZE + place] ^= change
    path.write_bytes(raw)
    found = read_positions(path, lines)
    assert found.samples == [sample for sample in walk(5) if sample.frame != place // SIZE]
    assert found.damaged == 1


def test_blocks_that_a_power_cut_left_as_zeros_are_damaged(tmp_path: Path) -> None:
    path, lines = written(tmp_path, walk(2))
    path.write_bytes(path.read_bytes() + bytes(3 * SIZE))
    assert read_positions(path, lines).damaged == 3


@pytest.mark.parametrize("kept", [None, 0, SIZE, 3 * SIZE + 5])
def test_a_session_goes_on_behind_the_positions_that_a_power_cut_has_taken(tmp_path: Path, kept: int | None) -> None:
    path, lines = written(tmp_path, walk(3), walk(2, first=3))
    if kept is None:
        path.unlink()
    else:
        os.truncate(path, kept)
    lines.append(PositionsFile(tmp_path, indexed=5).append(walk(2, first=90)))
    found = read_positions(path, lines)
    whole = max(0, (kept or 0) // SIZE - 1)
    assert found.samples == [*walk(whole), *walk(2, first=90)]
    assert (found.damaged, found.missing, found.unindexed) == (5 - whole, 0, 0)


def test_records_that_no_line_of_the_journal_names_are_kept_and_counted(tmp_path: Path) -> None:
    path, lines = written(tmp_path, walk(3), walk(2, first=3))
    found = read_positions(path, lines[:1])
    assert (len(found.samples), found.unindexed) == (5, 2)


def test_the_file_of_another_session_is_refused(tmp_path: Path) -> None:
    _, lines = written(tmp_path, walk(3))
    path, _ = written(tmp_path, walk(3, first=1))
    with pytest.raises(RecordError, match=r"records 0 to 2 are not those .* the file of another session"):
        read_positions(path, lines)


@pytest.mark.parametrize("content", [b"lap,side\n", HEADER[:-1] + b"!" + bytes(SIZE)])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / POSITIONS
    path.write_bytes(content)
    with pytest.raises(RecordError, match="no file of positions of this format"):
        read_positions(path, [])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"positions\.bin: cannot be read: No such file"):
        read_positions(tmp_path / POSITIONS, [])


@pytest.mark.skipif(os.name != "posix", reason="devices are files on POSIX")
def test_a_device_in_its_place_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / POSITIONS).symlink_to(os.devnull)
    with pytest.raises(RecordError, match="is no file of at most"):
        read_positions(tmp_path / POSITIONS, [])


def test_a_file_larger_than_that_of_any_session_is_refused(tmp_path: Path) -> None:
    with (tmp_path / POSITIONS).open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(RecordError, match="is no file of at most"):
        read_positions(tmp_path / POSITIONS, [])


def test_the_positions_of_a_session_are_never_written_over(tmp_path: Path) -> None:
    path, lines = written(tmp_path, walk(1))
    with pytest.raises(RecordError, match="cannot be made: File exists"):
        PositionsFile(tmp_path)
    assert len(read_positions(path, lines).samples) == 1


def test_on_a_full_disk_nothing_of_an_append_is_left_and_the_next_may_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = PositionsFile(tmp_path)
    lines = [file.append(walk(2))]

    def full(path: Path, raw: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("rig.records.side_file.write.append_atomic", full)
        with pytest.raises(RecordError, match="positions could not be written: No space left"):
            file.append(walk(2, first=2))
    lines.append(file.append(walk(1, first=2)))
    assert read_positions(file.path, lines).samples == walk(3)


WRITER = """
import os, sys
from pathlib import Path
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import PositionsLine
from rig.records.track.positions import PositionsFile, Sample
folder = Path(sys.argv[1])
file = PositionsFile(folder)
journal = Journal((folder / "journal.jsonl").open("wb", buffering=0).write)
for start in range(0, 10**9, 30):
    journal.write(file.append([Sample(n, n, n % 97, 1.0, n) for n in range(start, start + 30)]))
    if start == 300:
        print("going", flush=True)
"""


@pytest.mark.real_time
@pytest.mark.parametrize("turn", range(3))
def test_kill_in_the_middle_of_an_append_loses_no_record_that_the_journal_names(tmp_path: Path, turn: int) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    journal = scan_journal(tmp_path / "journal.jsonl")
    found = read_positions(tmp_path / POSITIONS, journal.lines)
    named = sum(line.samples for line in of_kind(journal.lines, PositionsLine))
    assert (found.damaged, found.missing) == (0, 0)
    assert [sample.frame for sample in found.samples] == list(range(len(found.samples)))
    assert named <= len(found.samples) <= named + 30


def test_a_line_of_the_journal_can_hold_a_block(tmp_path: Path) -> None:
    kept: list[bytes] = []
    Journal(kept.append).write(PositionsLine(5, 0, 30, 2, "0badcafe"))
    assert b'"k":"positions","t":5,"first":0,"samples":30,"lost":2,"digest":"0badcafe"' in kept[0]
