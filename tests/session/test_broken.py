"""What is left of a session that broke off."""

from pathlib import Path

import pytest

from rig.core.journal.kinds import SamplesLine
from rig.records.journal.read import of_kind, read_journal
from rig.records.recorded_session import read_session
from rig.session.broken import read_broken
from rig.session.run.sampling import build_sample_recorder
from rig.session.spec.build import load_rig_spec
from tests.cli.conftest import Rig
from tests.records.journals import Book, on_this_machine, put
from tests.sampled_lab import write_lab


def test_values_that_a_power_cut_has_taken_cost_none_of_those_that_come_when_the_session_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rig: Rig, data: Path
) -> None:
    monkeypatch.chdir(write_lab(tmp_path))
    answer = rig(
        "sim", "treadmill.yaml", "--model", "random_explorer", "--seed", "1", "--start", "2026-11-21", "--subject", "M1"
    )
    assert answer.status == 0, answer.err
    session = data / "sim" / "M1" / "2026-11-21" / "001"
    journal = session / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: next(n for n, line in enumerate(lines) if b'"k":"all_off"' in line)]))
    ends = {line.source: line.first + line.samples for line in of_kind(read_journal(session), SamplesLine)}
    (session / "samples.wheel.bin").unlink()

    broken = read_broken(session)
    assert broken.indexed == {f"samples.{source}.bin": end for source, end in ends.items()}
    build_sample_recorder(load_rig_spec("./room.yaml"), session, broken.indexed)
    assert read_session(session).damage == (f"samples.wheel.bin: {ends['wheel']} records are damaged",)


def test_one_whose_lines_have_the_ends_of_windows_goes_on_with_those_of_the_program(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.line("state", name="ready")
    plain = b"".join(book.raw)
    broken = read_broken(put(on_this_machine(tmp_path), plain.replace(b"\n", b"\r\n")))
    assert (broken.kept, broken.lines, f"{broken.crc:08x}") == (plain, 2, book.digest)
