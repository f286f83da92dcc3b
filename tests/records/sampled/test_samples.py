"""The file of a source's values beside the journal."""

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
from rig.core.journal.kinds import SamplesLine
from rig.records.journal.read import of_kind, scan_journal
from rig.records.sampled.read import read_samples
from rig.records.sampled.samples import FORMAT, SamplesFile, is_samples_name, samples_path
from tests.journal_lines import read_line

HEADER, SIZE = FORMAT.header, FORMAT.size
Value = tuple[int, int]
parts = st.lists(
    st.lists(st.tuples(st.integers(0, 2**40), st.integers(-(2**31), 2**31 - 1)), min_size=1, max_size=5), max_size=4
)


def values(count: int, first: int = 0) -> list[Value]:
    return [(1_000 * n, -n) for n in range(first, first + count)]


def written(folder: Path, *blocks: list[Value]) -> tuple[Path, list[SamplesLine]]:
    samples_path(folder, "wheel").unlink(missing_ok=True)
    file = SamplesFile(folder, "wheel")
    return samples_path(folder, "wheel"), [file.append(block) for block in blocks]


def read(folder: Path, lines: list[SamplesLine]) -> list[Value]:
    return [(t_us, value) for t_us, value, _ in read_samples(folder, "wheel", lines).records.tolist()]


@given(parts)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, parts: list[list[Value]]) -> None:
    folder = tmp_path_factory.mktemp("s")
    _, lines = written(folder, *parts)
    assert read(folder, lines) == [value for part in parts for value in part]


def test_the_layout_is_the_one_that_is_described(tmp_path: Path) -> None:
    path, lines = written(tmp_path, [(1, -2)])
    raw = path.read_bytes()
    assert (path.name, len(HEADER), SIZE, len(raw)) == ("samples.wheel.bin", 28, 16, 44)
    assert raw[:28] == b"rig samples, 1: <qi, crc-32\n"
    assert raw[28:40].hex() == "0100000000000000" + "feffffff"
    assert lines == [SamplesLine(1, "wheel", first=0, samples=1, digest=lines[0].digest)]


def test_a_file_torn_at_any_byte_keeps_every_whole_record_and_can_go_on(tmp_path: Path) -> None:
    path, lines = written(tmp_path, values(3), values(2, first=3))
    raw = path.read_bytes()
    for size in range(len(raw) + 1):
        path.write_bytes(raw[:size])
        found = read_samples(tmp_path, "wheel", lines)
        whole = max(0, (size - len(HEADER)) // SIZE)
        assert read(tmp_path, lines) == values(whole)
        torn = (size - len(HEADER)) % SIZE if size >= len(HEADER) else size
        assert (found.damaged, found.torn_bytes, found.missing) == (0, torn, 5 - whole)
        line = SamplesFile(tmp_path, "wheel", indexed=whole).append(values(2, first=90))
        assert line.first == whole
        assert read(tmp_path, [line]) == [*values(whole), *values(2, first=90)]


@given(st.integers(0, 5 * SIZE - 1), st.integers(1, 255))
def test_a_damaged_byte_costs_its_record_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    folder = tmp_path_factory.mktemp("s")
    path, lines = written(folder, values(3), values(2, first=3))
    raw = bytearray(path.read_bytes())
    raw[len(HEADER) + place] ^= change
    path.write_bytes(raw)
    assert read(folder, lines) == [value for value in values(5) if value[1] != -(place // SIZE)]
    assert list(read_samples(folder, "wheel", lines).damage(path.name)) == ["samples.wheel.bin: 1 records are damaged"]


@pytest.mark.parametrize("kept", [None, 0, 10, len(HEADER) + SIZE, len(HEADER) + 4 * SIZE + 5])
def test_a_session_goes_on_behind_the_values_that_a_power_cut_has_taken(tmp_path: Path, kept: int | None) -> None:
    path, lines = written(tmp_path, values(3), values(2, first=3))
    if kept is None:
        path.unlink()
    else:
        os.truncate(path, kept)
    file = SamplesFile(tmp_path, "wheel", indexed=5)
    lines.append(file.append(values(2, first=90)))
    assert lines[-1].first == 5
    whole = max(0, (kept or 0) - len(HEADER)) // SIZE
    assert read(tmp_path, lines) == [*values(whole), *values(2, first=90)]
    assert list(read_samples(tmp_path, "wheel", lines).damage(path.name)) == [
        f"samples.wheel.bin: {5 - whole} records are damaged"
    ]


def test_values_that_no_line_names_are_kept_when_a_session_goes_on(tmp_path: Path) -> None:
    _, lines = written(tmp_path, values(3), values(2, first=3))
    lines[1:] = [SamplesFile(tmp_path, "wheel", indexed=3).append(values(2, first=90))]
    assert lines[-1].first == 5
    assert read(tmp_path, lines) == [*values(5), *values(2, first=90)]


def test_a_block_of_another_session_is_refused_beside_damaged_records(tmp_path: Path) -> None:
    path, lines = written(tmp_path, values(3), values(2, first=3))
    raw = bytearray(path.read_bytes())
    raw[len(HEADER)] ^= 1
    path.write_bytes(raw)
    assert read(tmp_path, lines) == values(4, first=1)
    other, _ = written(tmp_path, values(3), values(2, first=70))
    other.write_bytes(raw[: len(HEADER) + SIZE] + other.read_bytes()[len(HEADER) + SIZE :])
    with pytest.raises(RecordError, match=r"records 3 to 4 are not those .* the file of another session"):
        read(tmp_path, lines)


@pytest.mark.parametrize("content", [b"X" + HEADER[1:] + bytes(SIZE), b"lap,side\n", bytes(len(HEADER))])
def test_a_session_that_goes_on_leaves_a_file_that_is_something_else_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = samples_path(tmp_path, "wheel")
    path.write_bytes(content)
    with pytest.raises(RecordError, match="no file of samples of this format"):
        SamplesFile(tmp_path, "wheel", indexed=1)
    assert path.read_bytes() == content


def test_a_file_that_is_removed_in_a_session_is_not_made_anew_without_its_header(tmp_path: Path) -> None:
    file = SamplesFile(tmp_path, "wheel")
    path = samples_path(tmp_path, "wheel")
    path.unlink()
    with pytest.raises(RecordError, match="samples could not be written: No such file"):
        file.append(values(1))
    assert not path.exists()


def test_the_file_of_another_session_or_of_positions_is_refused(tmp_path: Path) -> None:
    _, lines = written(tmp_path, values(3))
    path, _ = written(tmp_path, values(3, first=1))
    with pytest.raises(RecordError, match=r"records 0 to 2 are not those .* the file of another session"):
        read(tmp_path, lines)
    path.write_bytes(b"rig positions, 1: <qqffI, crc-32")
    with pytest.raises(RecordError, match="no file of samples of this format"):
        read(tmp_path, [])


def test_only_a_name_of_a_rig_file_is_a_source() -> None:
    kept: list[bytes] = []
    Journal(kept.append).write(SamplesLine(5, "wheel_2", 0, 30, "0badcafe", lost=2, unsent=1))
    assert read_line(kept[0]) == SamplesLine(5, "wheel_2", 0, 30, "0badcafe", lost=2, unsent=1)
    Journal(kept.append).write(SamplesLine(5, "../wheel", 0, 30, "0badcafe"))
    with pytest.raises(ValueError, match="regex"):
        read_line(kept[1])
    assert is_samples_name("samples.wheel_2.bin")
    assert not is_samples_name("samples../x.bin")


WRITER = """
import sys
from pathlib import Path
from rig.core.journal.journal import Journal
from rig.records.sampled.samples import SamplesFile
folder = Path(sys.argv[1])
file = SamplesFile(folder, "wheel")
journal = Journal((folder / "journal.jsonl").open("wb", buffering=0).write)
for start in range(0, 10**9, 50):
    journal.write(file.append([(1000 * n, -n) for n in range(start, start + 50)]))
    if start == 500:
        print("going", flush=True)
"""


@pytest.mark.real_time
@pytest.mark.parametrize("turn", range(3))
def test_kill_in_the_middle_of_an_append_loses_no_value_that_the_journal_names(tmp_path: Path, turn: int) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    lines = list(of_kind(scan_journal(tmp_path / "journal.jsonl").lines, SamplesLine))
    found = read_samples(tmp_path, "wheel", lines)
    named = sum(line.samples for line in lines)
    assert (found.damaged, found.missing) == (0, 0)
    assert read(tmp_path, lines) == values(len(found.records))
    assert named <= len(found.records) <= named + 50
