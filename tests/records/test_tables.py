"""Further tables of a protocol: from the journal alone, byte for byte, whatever happened to the session."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from rig.cli.run_and_save import run_and_save
from rig.core.journal.header import Header
from rig.core.journal.kinds import RowLine
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL, read_ends, read_journal, tables_of
from rig.records.recover import recover
from rig.session.replay import replay_lines
from rig.session.spec.request import SessionRequest
from tests.replay_decisions import replayed_decisions
from tests.session_specs import protocol_spec


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of the disk bandit on disk."""
    request = SessionRequest(
        data=tmp_path_factory.mktemp("data"),
        subject="P1",
        seed=1,
        start=datetime.datetime(2026, 11, 21, 9),
        simulation=SimulationOptions(model="random_explorer"),
    )
    spec = replace(protocol_spec("disk_bandit", stop_session_s=120), request=request)
    return Path(run_and_save(spec).summary.folder)


def header_of(session: Path) -> Header:
    header = read_ends(session / JOURNAL).header
    assert header is not None
    return header


def test_a_session_leaves_every_table_with_the_columns_of_its_header(session: Path) -> None:
    header = header_of(session)
    for name, columns in (("trials", header.columns), ("intervals", header.tables["intervals"])):
        lines = (session / f"{name}.csv").read_text().splitlines()
        assert lines[0] == ",".join(columns)
        assert len(lines) > 8
    assert header.columns[0] == "t"


def test_recovery_makes_the_same_bytes_again(session: Path) -> None:
    before = {name: (session / name).read_bytes() for name in ("trials.csv", "intervals.csv")}
    for name in before:
        (session / name).unlink()
    recover(session)
    assert {name: (session / name).read_bytes() for name in before} == before


def test_a_replay_records_the_same_rows(session: Path) -> None:
    lines = read_journal(session)
    assert replay_lines(lines)[1] is None
    recorded = tables_of(lines, header_of(session))["intervals"]
    replayed = [decision for decision in replayed_decisions(lines) if isinstance(decision, RowLine)]
    assert len(replayed) == len(recorded) > 8
    assert [line.row["draw_s"] for line in replayed] == [row["draw_s"] for row in recorded]


def test_a_replay_notices_another_row(session: Path) -> None:
    lines = read_journal(session)
    changed = next(line for line in lines if isinstance(line, RowLine))
    other = [structs.replace(line, row={**line.row, "draw_s": 99.0}) if line is changed else line for line in lines]
    difference = replay_lines(other)[1]
    assert difference is not None
    assert isinstance(difference.recorded, RowLine)
    assert difference.recorded.row["draw_s"] == 99.0


def test_of_a_crashed_session_the_tables_hold_what_was_written(session: Path, tmp_path: Path) -> None:
    whole = (session / "journal.jsonl").read_bytes().splitlines(keepends=True)
    cut = next(number for number, raw in enumerate(whole) if b'"k":"row"' in raw) + 1
    (tmp_path / "journal.jsonl").write_bytes(b"".join(whole[:cut]))
    recover(tmp_path)
    lines = (tmp_path / "intervals.csv").read_text().splitlines()
    assert len(lines) == 2
    assert lines[1] == (session / "intervals.csv").read_text().splitlines()[1]


def test_a_table_without_rows_has_its_columns(session: Path, tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes((session / "journal.jsonl").read_bytes().splitlines(keepends=True)[0])
    recover(tmp_path)
    assert (tmp_path / "intervals.csv").read_text() == "disk,draw_s,t_started,t_armed,t_collected,session,vi_s\n"


def test_the_summary_says_what_the_session_was_run_with_also_of_a_recovered_one(session: Path) -> None:
    before = json.loads((session / "summary.json").read_text())["conditions"]["assignment"]
    assert sorted(before["vi_s"]) == [3, 9, 27, 81, 243, 729, 2187, 6561]
    assert before["removed"] == []
    assert "what" not in before
    (session / "summary.json").unlink()
    recover(session)
    assert json.loads((session / "summary.json").read_text())["conditions"]["assignment"] == before
