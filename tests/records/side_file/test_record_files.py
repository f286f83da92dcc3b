"""Files of records beside a journal, of every kind: torn, damaged, of another session, gone on with, killed."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.kinds import PositionsLine, SamplesLine
from rig.records.journal.read import of_kind, scan_journal
from rig.records.track.positions import Sample
from tests.records.side_file.kinds import BLOCK, KINDS, Kind
from tests.repository import ROOT

coordinate = st.floats(-500, 500, width=32)
times_us = st.integers(0, 2**40)
RECORDS: dict[str, st.SearchStrategy[Any]] = {
    "positions": st.builds(
        Sample, times_us, st.integers(-(2**63), 2**63 - 1), coordinate, coordinate, st.integers(0, 2**32 - 1)
    ),
    "samples": st.tuples(times_us, st.integers(-(2**31), 2**31 - 1)),
}
any_appends = st.sampled_from(sorted(KINDS)).flatmap(
    lambda name: st.tuples(st.just(KINDS[name]), st.lists(st.lists(RECORDS[name], min_size=1, max_size=5), max_size=4))
)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@given(any_appends)
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, case: tuple[Kind, list[Any]]) -> None:
    (kind, parts), folder = case, tmp_path_factory.mktemp("f")
    _, lines = kind.written(folder, *parts)
    assert kind.read(folder, lines) == [record for part in parts for record in part]
    found = kind.stored(folder, lines)
    assert (found.damaged, found.torn_bytes, found.missing, found.unindexed) == (0, 0, 0, 0)


def test_a_file_torn_at_any_byte_keeps_every_whole_record_and_can_go_on(kind: Kind, tmp_path: Path) -> None:
    path, lines = kind.written(tmp_path, kind.records(3), kind.records(2, first=3))
    raw = path.read_bytes()
    for size in range(len(raw) + 1):
        path.write_bytes(raw[:size])
        found = kind.stored(tmp_path, lines)
        whole = max(0, (size - kind.start) // kind.layout.size)
        torn = (size - kind.start) % kind.layout.size if size >= kind.start else size
        assert kind.read(tmp_path, lines) == kind.records(whole)
        assert (found.damaged, found.torn_bytes, found.missing) == (0, torn, 5 - whole)
        line = kind.file(tmp_path, indexed=whole).append(kind.records(2, first=90))
        assert line.first == whole
        assert kind.read(tmp_path, [line]) == [*kind.records(whole), *kind.records(2, first=90)]


@given(st.sampled_from(sorted(KINDS)), st.data(), st.integers(1, 255))
def test_a_damaged_byte_costs_its_record_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject, change: int
) -> None:
    kind, folder = KINDS[name], tmp_path_factory.mktemp("f")
    path, lines = kind.written(folder, kind.records(3), kind.records(2, first=3))
    place = data.draw(st.integers(0, 5 * kind.layout.size - 1))
    raw = bytearray(path.read_bytes())
    raw[kind.start + place] ^= change
    path.write_bytes(raw)
    damaged = place // kind.layout.size
    assert kind.read(folder, lines) == [*kind.records(damaged), *kind.records(4 - damaged, first=damaged + 1)]
    assert list(kind.stored(folder, lines).damage(path.name)) == [f"{path.name}: 1 records are damaged"]


def test_blocks_that_a_power_cut_left_as_zeros_are_damaged(kind: Kind, tmp_path: Path) -> None:
    path, lines = kind.written(tmp_path, kind.records(2))
    path.write_bytes(path.read_bytes() + bytes(3 * kind.layout.size))
    assert kind.stored(tmp_path, lines).damaged == 3


@pytest.mark.parametrize(("whole", "more_bytes"), [(None, 0), (0, -10), (0, 0), (1, 0), (4, 5)])
def test_a_session_goes_on_behind_the_records_that_a_power_cut_has_taken(
    kind: Kind, tmp_path: Path, whole: int | None, more_bytes: int
) -> None:
    path, lines = kind.written(tmp_path, kind.records(3), kind.records(2, first=3))
    if whole is None:
        path.unlink()
    else:
        os.truncate(path, kind.start + kind.layout.size * whole + more_bytes)
    lines.append(kind.file(tmp_path, indexed=5).append(kind.records(2, first=90)))
    assert lines[-1].first == 5
    assert kind.read(tmp_path, lines) == [*kind.records(whole or 0), *kind.records(2, first=90)]
    found = kind.stored(tmp_path, lines)
    assert (found.damaged, found.missing, found.unindexed) == (5 - (whole or 0), 0, 0)


def test_records_that_no_line_names_are_kept_and_counted_also_when_a_session_goes_on(
    kind: Kind, tmp_path: Path
) -> None:
    _, lines = kind.written(tmp_path, kind.records(3), kind.records(2, first=3))
    assert kind.stored(tmp_path, lines[:1]).unindexed == 2
    lines[1:] = [kind.file(tmp_path, indexed=3).append(kind.records(2, first=90))]
    assert lines[-1].first == 5
    assert kind.read(tmp_path, lines) == [*kind.records(5), *kind.records(2, first=90)]


def test_the_file_of_another_session_is_refused(kind: Kind, tmp_path: Path) -> None:
    _, lines = kind.written(tmp_path, kind.records(3))
    kind.written(tmp_path, kind.records(3, first=1))
    with pytest.raises(RecordError, match=r"records 0 to 2 are not those .* the file of another session"):
        kind.read(tmp_path, lines)


def test_a_block_of_another_session_is_refused_beside_damaged_records(kind: Kind, tmp_path: Path) -> None:
    path, lines = kind.written(tmp_path, kind.records(3), kind.records(2, first=3))
    raw = bytearray(path.read_bytes())
    raw[kind.start] ^= 1
    path.write_bytes(raw)
    assert kind.read(tmp_path, lines) == kind.records(4, first=1)
    other, _ = kind.written(tmp_path, kind.records(3), kind.records(2, first=70))
    first_record = kind.start + kind.layout.size
    other.write_bytes(raw[:first_record] + other.read_bytes()[first_record:])
    with pytest.raises(RecordError, match=r"records 3 to 4 are not those .* the file of another session"):
        kind.read(tmp_path, lines)


@pytest.mark.parametrize("content", ["another kind", "first letter", "last letter", "zeros", "a table"])
def test_a_file_that_is_something_else_is_refused_and_left_as_it_is(kind: Kind, tmp_path: Path, content: str) -> None:
    header, record = kind.layout.header, bytes(kind.layout.size)
    (other,) = (another.layout.header for another in KINDS.values() if another is not kind)
    raw = {
        "another kind": other + bytes(64),
        "first letter": b"X" + header[1:] + record,
        "last letter": header[:-1] + b"!" + record,
        "zeros": bytes(kind.start),
        "a table": b"lap,side\n",
    }[content]
    path = tmp_path / kind.name
    path.write_bytes(raw)
    with pytest.raises(RecordError, match=f"no file of {kind.layout.what} of this format"):
        kind.read(tmp_path, [])
    with pytest.raises(RecordError, match=f"no file of {kind.layout.what} of this format"):
        kind.file(tmp_path, indexed=1)
    assert path.read_bytes() == raw


def test_a_file_that_is_not_there_is_named(kind: Kind, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=rf"{kind.name}: cannot be read: No such file"):
        kind.read(tmp_path, [])


@pytest.mark.skipif(os.name != "posix", reason="devices are files on POSIX")
def test_a_device_in_its_place_is_refused_before_it_is_opened(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / kind.name).symlink_to(os.devnull)
    with pytest.raises(RecordError, match="is no file of at most"):
        kind.read(tmp_path, [])


def test_a_file_larger_than_that_of_any_session_is_refused(kind: Kind, tmp_path: Path) -> None:
    with (tmp_path / kind.name).open("wb") as file:
        file.truncate(10 << 30)
    with pytest.raises(RecordError, match="is no file of at most"):
        kind.read(tmp_path, [])


def test_the_records_of_a_session_are_never_written_over(kind: Kind, tmp_path: Path) -> None:
    _, lines = kind.written(tmp_path, kind.records(1))
    with pytest.raises(RecordError, match="cannot be made: File exists"):
        kind.file(tmp_path)
    assert kind.read(tmp_path, lines) == kind.records(1)


def test_a_file_that_is_removed_in_a_session_is_not_made_again_without_its_header(kind: Kind, tmp_path: Path) -> None:
    file, path = kind.file(tmp_path), tmp_path / kind.name
    path.unlink()
    with pytest.raises(RecordError, match=f"{kind.layout.what} could not be written: No such file"):
        file.append(kind.records(1))
    assert not path.exists()


def test_on_a_full_disk_nothing_of_an_append_is_left_and_the_next_may_succeed(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = kind.file(tmp_path)
    lines = [file.append(kind.records(2))]

    def full(path: Path, raw: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("rig.records.side_file.write.append_atomic", full)
        with pytest.raises(RecordError, match=f"{kind.layout.what} could not be written: No space left"):
            file.append(kind.records(2, first=2))
    lines.append(file.append(kind.records(1, first=2)))
    assert kind.read(tmp_path, lines) == kind.records(3)


@pytest.mark.real_time
@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("name", KINDS)
def test_kill_in_the_middle_of_an_append_loses_no_record_that_the_journal_names(
    tmp_path: Path, name: str, turn: int
) -> None:
    kind, command = KINDS[name], [sys.executable, "-m", "tests.records.side_file.kinds", name, tmp_path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    journal = scan_journal(tmp_path / "journal.jsonl").lines
    lines = [*of_kind(journal, PositionsLine), *of_kind(journal, SamplesLine)]
    found, named = kind.stored(tmp_path, lines), sum(line.samples for line in lines)
    assert (found.damaged, found.missing) == (0, 0)
    assert kind.read(tmp_path, lines) == kind.records(len(found.records))
    assert 10 * BLOCK < named <= len(found.records) <= named + BLOCK
