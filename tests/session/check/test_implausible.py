"""Values that are allowed one by one and can hardly be meant are warned of, at their line."""

import datetime
from pathlib import Path

import pytest

from rig.config import find
from rig.session.check.check import check
from rig.session.spec.request import SessionRequest
from tests.tables import rows


def warnings(folder: Path, kind: str, text: str) -> list[str]:
    (folder / kind).mkdir()
    path = folder / kind / "mine.yaml"
    path.write_text(text)
    report = check(path, SessionRequest())
    assert report.mistakes == ()
    return [warning.removeprefix(f"{path}:") for warning in report.warnings]


@rows("kind", "text", "said")
def test_a_value_that_can_hardly_be_meant_is_warned_of(tmp_path: Path, kind: str, text: str, said: str) -> None:
    assert warnings(tmp_path, kind, text) == [said]


@rows("kind", "text")
def test_a_value_that_may_be_meant_is_not_warned_of(tmp_path: Path, kind: str, text: str) -> None:
    assert warnings(tmp_path, kind, text) == []


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2026-11-26", []),
        ("2026-10-26", ["2: date: 2026-10-26 is not the date in the file's name, 2026-11-26: which one is right?"]),
        ("2026-12-26", ["2: date: 2026-12-26 is yet to come: is the date right, and the computer's clock?"]),
    ],
)
def test_the_date_of_a_calibration_is_that_of_its_name_and_in_the_past(
    tmp_path: Path, date: str, said: list[str]
) -> None:
    path = tmp_path / "left_2026-11-26.yaml"
    points = "points: [{open_ms: 20, ul: 1.1}, {open_ms: 40, ul: 2.5}, {open_ms: 60, ul: 3.8}]\n"
    path.write_text(f"valve: left\ndate: {date}\npulses: 100\n{points}")
    report = check(path, SessionRequest(start=datetime.datetime(2026, 11, 28, 9)))
    assert [warning.removeprefix(f"{path}:") for warning in report.warnings] == said


@rows("limit", "said")
def test_the_limit_that_has_no_room_for_a_reward_is_named(tmp_path: Path, limit: str, said: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: free_water.yaml\nparams: {reward_ul: 2.5}\nstop: {" + limit + "}\n")
    text = "the first reward is already more than a limit allows, so none is ever given"
    assert check(path, SessionRequest()).mistakes == (f"{path}:{said.format(text)}",)


def test_the_file_of_the_subject_is_read_with_the_protocol(tmp_path: Path) -> None:
    file = tmp_path / "M1/subject.yaml"
    file.parent.mkdir()
    file.write_text("baseline_g: 26\nrefuse_pct: 0.8\n")
    report = check(find("protocols", "free_water"), SessionRequest(subject="M1", data=tmp_path))
    assert [warning.partition(": ")[0] for warning in report.warnings] == [f"{file}:2"]
