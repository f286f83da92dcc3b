"""The journal of a simulated session that no program follows: blocks of whole lines."""

import math
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.records.journal.read import JOURNAL, read_ends, scan_journal
from rig.session.run import run_session as module
from rig.session.run.block_recorder import BLOCK_LINES, BlockRecorder
from tests.harness import run_as
from tests.journal_lines import FOOTER, made
from tests.session.real_driver import RealBoardDriver
from tests.session.run.test_journal_file import Disk, lines_in
from tests.session.run.test_run_session import bandit, order, use

LINE = b"0123456\n"
MANY_BYTES = 40_000
"""More than a block of the notes below."""


def test_lines_are_written_in_whole_blocks_and_the_rest_at_the_end(tmp_path: Path) -> None:
    recorder = BlockRecorder(tmp_path)
    for _ in range(BLOCK_LINES - 1):
        recorder.append(LINE)
    assert lines_in(tmp_path) == []
    recorder.append(LINE)
    recorder.append(LINE)
    assert len(lines_in(tmp_path)) == BLOCK_LINES
    recorder.close()
    recorder.close()
    assert lines_in(tmp_path) == [LINE] * (BLOCK_LINES + 1)


def test_a_full_disk_refuses_one_line_and_keeps_all_that_fit_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = BlockRecorder(tmp_path)
    Disk(monkeypatch, 10 * len(LINE) + 3, short=False)
    for _ in range(BLOCK_LINES - 1):
        recorder.append(LINE)
    with pytest.raises(RecordError, match=r"journal\.jsonl: a line could not be written: No space left"):
        recorder.append(LINE)
    assert recorder.failed
    assert lines_in(tmp_path) == [LINE] * 10
    with pytest.raises(RecordError, match="No space left"):
        recorder.close()
    assert lines_in(tmp_path) == [LINE] * 10


@given(room=st.integers(0, 3 * MANY_BYTES), more=st.integers(0, MANY_BYTES), short=st.booleans())
@settings(max_examples=15)
def test_a_journal_whose_line_failed_goes_on_with_the_same_number(
    tmp_path_factory: pytest.TempPathFactory, room: int, more: int, short: bool
) -> None:
    folder = tmp_path_factory.mktemp("session")
    with pytest.MonkeyPatch.context() as patch:
        recorder = BlockRecorder(folder)
        journal = Journal(recorder.append)
        disk = Disk(patch, room, short=short)
        try:
            for n in range(700):
                journal.note(n, "x" * 40)
        except RecordError:
            disk.room = more
            with suppress(RecordError):
                journal.note(3, "again")
        disk.room = 4 * MANY_BYTES
        journal.write(made("footer", 4, **FOOTER))
        recorder.close()
    found = scan_journal(folder / JOURNAL)
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert found.footer is not None
    assert read_ends(folder / JOURNAL).last_seq == journal.seq - 1
    assert len(lines_in(folder)) == journal.seq


@pytest.mark.parametrize(
    ("speed", "how", "in_blocks"),
    [
        (math.inf, {}, True),
        (1e6, {}, False),
        (math.inf, {"on_folder": lambda folder: None}, False),
        (math.inf, {"on_beat": lambda: None}, False),
        (math.inf, {"controlled": True}, False),
    ],
)
def test_a_session_is_written_in_blocks_if_no_program_follows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speed: float, how: dict[str, Any], in_blocks: bool
) -> None:
    written, write = [], os.write

    def count(fd: int, data: bytes) -> int:
        written.append(data.count(b'{"seq":'))
        return write(fd, data)

    monkeypatch.setattr(os, "write", count)
    performed = run_as(bandit(), order(tmp_path, speed=speed), **how)
    lines = len(lines_in(performed.folder))
    assert [lines] == [n for n in written if n] if in_blocks else written.count(1) == lines


def test_a_real_session_is_never_written_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, RealBoardDriver())
    made: list[Path] = []
    monkeypatch.setattr(module, "BlockRecorder", made.append)
    run_as(bandit(), order(tmp_path))
    assert made == []
