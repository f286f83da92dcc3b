"""One session as a job: it depends on its order alone."""

import datetime
import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from rig.campaigns import session_job
from rig.campaigns.condition import condition_of
from rig.campaigns.session_job import ALL_RECORDS, KeptSession, SessionOrder, SessionProduct, run_job
from rig.campaigns.session_tables import SESSIONS, sessions_of
from rig.core.errors import ConfigError, RecordError
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal.read import JOURNAL
from rig.records.recorded_session import read_session
from rig.session.run.run_session import run_session
from rig.session.spec.request import SessionRequest
from rig.system.config_paths import SIMULATED

MOUSE = """\
from sim_hardware.models.base import Model

class Mouse(Model):
    async def live(self, body):
        1 / 0
"""
START = datetime.datetime(2026, 1, 5, 9)


def order(protocol: str = "two_armed_bandit", model: str = "rflr", *sets: str, rig: str | None = None) -> SessionOrder:
    request = SessionRequest(
        protocol=protocol, rig=rig, sets=sets or ("stop.session_s=60",), simulation=SimulationOptions(model)
    )
    return SessionOrder(condition_of(1, request), "base", "base-001", 1, seed=7, start=START, keeps=ALL_RECORDS)


def test_a_file_that_was_changed_since_the_command_began_is_refused(tmp_path: Path) -> None:
    protocol = tmp_path / "mine.yaml"
    # No value that another test has too: a process that knows the condition has read its files before.
    protocol.write_text("extends: two_armed_bandit.yaml\nparams: {p_high: 0.83}\n", encoding="utf-8")
    first = order(str(protocol))
    protocol.write_text("extends: two_armed_bandit.yaml\nparams: {p_high: 0.9}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"^arm base: .* is not the one with which the command began"):
        run_job(first)


def record_in(folder: Path, product: SessionProduct) -> Path:
    assert product.record is not None
    subject = folder / SIMULATED / product.subject
    product.record.write(subject)
    return subject / product.record.name


def test_the_same_order_gives_the_same_bytes_again() -> None:
    first, again = run_job(order()), run_job(order())
    assert first.record == again.record
    assert first.tables is not None
    assert again.tables is not None
    assert all(table.equals(again.tables[name]) for name, table in first.tables.items())


def test_a_session_that_the_operator_stops_gives_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_job, "run_session", lambda spec: replace(run_session(spec), stopped=True))
    with pytest.raises(KeyboardInterrupt):
        run_job(order())


def test_a_fault_names_the_session_and_how_it_runs_alone(tmp_path: Path) -> None:
    mouse = tmp_path / "mouse.py"
    mouse.write_text(MOUSE, encoding="utf-8")
    broken = order("two_armed_bandit", f"{mouse}:Mouse")
    with pytest.raises(RecordError) as caught:
        run_job(broken)
    said, alone = caught.value.lines
    assert said.startswith("arm base, base-001, session 1, seed 7: ")
    assert "mouse.py:5: ZeroDivisionError" in said
    assert shlex.split(alone.partition("rig sim ")[2]) == [
        *("two_armed_bandit", "--model", f"{mouse}:Mouse", "--set", "stop.session_s=60"),
        *("--subject", "base-001", "--seed", "7", "--start", "2026-01-05T09:00", "--data", "alone"),
    ]


def test_a_virtual_subject_that_ends_the_program_is_a_fault_and_prints_beside_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mouse = tmp_path / "leaver.py"
    mouse.write_text(MOUSE.replace("1 / 0", "print('hello'); raise SystemExit(0)"), encoding="utf-8")
    with pytest.raises(RecordError, match=r"session 1, seed 7: leaver\.py:5: .*sys\.exit"):
        run_job(order("two_armed_bandit", f"{mouse}:Mouse"))
    assert capsys.readouterr() == ("", "hello\n")


def test_another_seed_gives_another_session() -> None:
    assert run_job(order()).record != run_job(replace(order(), seed=8)).record


@pytest.mark.parametrize(
    ("protocol", "model", "sets", "rig"),
    [
        ("two_armed_bandit", "rflr", ("stop.session_s=60",), None),
        ("disk_bandit", "pigeon", ("stop.session_s=120",), None),
        ("delay_discounting", "rat", ("stop.session_s=120",), "sim_t_maze_tracked"),
        ("grid_bandit", "grid_random", (), None),
    ],
)
def test_a_session_out_of_tables_is_the_session_of_its_journal(
    protocol: str, model: str, sets: tuple[str, ...], rig: str | None, tmp_path: Path
) -> None:
    ordered = order(protocol, model, *sets, rig=rig)
    product = run_job(ordered)
    assert product.tables is not None
    [again] = sessions_of(product.tables, ordered.condition.header, tmp_path / "base-001")
    read = read_session(record_in(tmp_path, product))
    assert again.header == read.header
    assert again.footer == read.footer is not None
    assert again.all_notes == read.all_notes
    assert again.recorded_tables.keys() == read.recorded_tables.keys()
    for name, table in read.recorded_tables.items():
        kept = again.recorded_tables[name]
        assert (kept.columns, kept.times_us) == (table.columns, table.times_us)
        if name != TRIAL_TABLE:
            assert kept.row_dicts() == table.row_dicts()
    computed = {"idphi", "zidphi", "pause_s", "tracking_ok"}
    assert [known(row, computed) for row in again.rows()] == [known(row, computed) for row in read.rows()]


def known(row: dict[str, object], without: set[str]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in without}


def test_what_a_campaign_does_not_keep_of_a_session_is_no_empty_table(tmp_path: Path) -> None:
    ordered = order()
    product = run_job(ordered)
    assert product.tables is not None
    [session] = sessions_of(product.tables, ordered.condition.header, tmp_path / "base-001")
    for part in ("lines", "states", "session_tables", "tables", "track", "scan"):
        with pytest.raises(RecordError, match=r"base-001/1: a campaign keeps .* and no journal"):
            getattr(session, part)


def test_the_turning_of_a_tracked_rat_is_in_the_tables_without_its_track() -> None:
    product = run_job(order("delay_discounting", "rat", "stop.session_s=300", rig="sim_t_maze_tracked"))
    assert product.tables is not None
    assert any(value is not None for value in product.tables["trials"].column("idphi").to_pylist())


def test_a_second_session_goes_on_from_the_first_one() -> None:
    first = run_job(order())
    assert first.record is not None
    again = replace(
        order(), number=2, seed=8, start=START + datetime.timedelta(days=1), past=(first.record,), state=first.state
    )
    second = run_job(again)
    assert second.tables is not None
    header = json.loads(second.tables[SESSIONS].column("header")[0].as_py())
    assert header["carry_over"] == json.loads(first.state)["two_armed_bandit"]


def test_a_record_keeps_the_files_of_the_names_alone(tmp_path: Path) -> None:
    record = KeptSession("2026-01-05/001", {JOURNAL: b"", "positions.bin": b""})
    assert set(record.only(JOURNAL).files) == {JOURNAL}


def test_a_record_has_what_the_board_sampled_and_no_other_name(tmp_path: Path) -> None:
    folder = tmp_path / "2026-01-05" / "001"
    folder.mkdir(parents=True)
    for name in (JOURNAL, "samples.wheel.bin", "samples.lever.bin", "summary.json"):
        (folder / name).write_bytes(b"x")
    record = KeptSession.of(folder, ALL_RECORDS)
    assert set(record.files) == {JOURNAL, "samples.wheel.bin", "samples.lever.bin"}
    assert KeptSession.checked(record.name, record.files) == record
    with pytest.raises(ValueError, match="no record of a session"):
        KeptSession.checked(record.name, {"samples../../x.bin": b""})
