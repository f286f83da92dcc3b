"""Calibration files are written under new names, and checks are appended."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rig.config.inheritance import load_config
from rig.config.models.calibration_file import CalibrationFile
from rig.config.read_calibration import load_calibration
from rig.config.validate import validate
from rig.core.errors import ConfigError, RecordError
from rig.maintenance.valves.calibration_writer import CalibrationFacts, append_check, file_stem, write_calibration
from tests.maintenance.valves.virtual_valve import measured

FACTS = CalibrationFacts("left", "2026-11-24", 21.5, 'by anna: 60 cm, "new" tube')


def test_a_file_is_read_back_as_the_curve(tmp_path: Path) -> None:
    curve = measured(1)
    path = write_calibration(tmp_path / "calibrations", curve, FACTS)
    assert path.name == "left_2026-11-24.yaml"
    assert load_calibration(path) == curve.calibration("left_2026-11-24", "left", "2026-11-24")


def test_no_file_is_ever_overwritten(tmp_path: Path) -> None:
    first = write_calibration(tmp_path, measured(1), FACTS)
    text = first.read_text()
    assert write_calibration(tmp_path, measured(2), FACTS).name == "left_2026-11-24_2.yaml"
    assert write_calibration(tmp_path, measured(3), FACTS).name == "left_2026-11-24_3.yaml"
    assert first.read_text() == text
    assert {path.suffix for path in tmp_path.iterdir()} == {".yaml"}


@given(text=st.text(st.characters(), max_size=40), valve=st.text(min_size=1, max_size=10))
@example(text="new tube \U0001f600", valve="left")
@example(text="caf\udce9 \\ud83d\x85\u2028\0", valve="\ud83d")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_any_note_and_any_name_can_be_read_back(tmp_path: Path, text: str, valve: str) -> None:
    path = write_calibration(Path(tempfile.mkdtemp(dir=tmp_path)), measured(1), replace(FACTS, note=text, valve=valve))
    append_check(path, "2026-11-28", 42_000, load_calibration(path).ul(42_000), text)
    written = validate(CalibrationFile, load_config(path))
    readable = text.encode("utf-8", "backslashreplace").decode()
    assert (written.note, written.checks[0].by) == (readable, readable)


@pytest.mark.parametrize(("valve", "stem"), [("left", "left"), ("LHQA/17 b", "LHQA-17-b"), ("../..", "valve")])
def test_the_name_of_a_file_leads_nowhere_else(valve: str, stem: str) -> None:
    assert file_stem(valve) == stem


def test_a_check_makes_a_calibration_as_new_as_its_day(tmp_path: Path) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    ul = load_calibration(path).ul(42_000)
    append_check(path, "2026-11-28", 42_000, ul * 1.03, "anna")
    append_check(path, "2026-12-01", 42_000, ul * 0.98, "ben")
    again = load_calibration(path)
    assert (again.date, again.checked, again.newest) == ("2026-11-24", "2026-12-01", "2026-12-01")
    assert again.from_dict(again.to_dict()) == again


def test_a_failed_check_marks_a_calibration_until_one_passes(tmp_path: Path) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    ul = load_calibration(path).ul(42_000)
    append_check(path, "2026-11-28", 42_000, ul * 0.359, "anna")
    marked = load_calibration(path)
    assert (marked.newest, marked.checked) == ("2026-11-24", "")
    failed = marked.failed_check
    assert failed is not None
    assert (failed.date, failed.by) == ("2026-11-28", "anna")
    assert failed.off_pct == pytest.approx(-64.1, abs=0.01)
    assert marked.from_dict(marked.to_dict()) == marked
    append_check(path, "2026-11-28", 42_000, ul * 1.01, "ben")
    assert load_calibration(path).failed_check is None
    assert load_calibration(path).newest == "2026-11-28"


def test_checks_that_two_programs_add_at_once_begin_one_list(tmp_path: Path) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    ul = load_calibration(path).ul(42_000)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda by: append_check(path, "2026-11-28", 42_000, ul, by), "abcd"))
    assert sorted(check.by for check in load_calibration(path).checks) == list("abcd")


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="nothing is read-only for this user")
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    path.chmod(0o444)
    with pytest.raises(RecordError, match="cannot be written: Permission denied"):
        append_check(path, "2026-11-28", 42_000, 2.0, "anna")


@pytest.mark.parametrize(
    ("date", "open_us", "factor", "said"),
    [
        ("2026-11-20", 42_000, 1.0, "is before the measurement"),
        ("2026-11-28", 900_000, 1.0, "was not measured"),
    ],
)
def test_a_check_of_something_else_is_not_appended(
    tmp_path: Path, date: str, open_us: int, factor: float, said: str
) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    before = path.read_text()
    with pytest.raises(ConfigError, match=said):
        append_check(path, date, open_us, load_calibration(path).ul(42_000) * factor, "anna")
    assert path.read_text() == before


def test_a_file_that_ends_otherwise_is_left_alone_and_the_line_is_named(tmp_path: Path) -> None:
    path = write_calibration(tmp_path, measured(1), FACTS)
    ul = load_calibration(path).ul(42_000)
    append_check(path, "2026-11-28", 42_000, ul, "anna")
    head, _, note = path.read_text().partition("note:")
    note, _, checks = note.partition("checks:")
    path.write_text(f"{head}checks:{checks}note:{note}")
    with pytest.raises(ConfigError, match="write it as the last entry of the list checks:") as caught:
        append_check(path, "2026-11-29", 42_000, ul, "anna")
    assert caught.value.lines[1].startswith("  - {date: 2026-11-29, open_ms: 42")
