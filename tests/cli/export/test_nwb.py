"""`rig export nwb`: files with the names that the archive wants, and messages about what it lacks."""

import datetime
from importlib.util import find_spec
from pathlib import Path

import pytest
from pynwb import NWBHDF5IO

from rig.records.subject.known_subject import record_facts
from tests.cli.conftest import Rig
from tests.export.nwb.exported import made
from tests.records.journals import Book

FACTS = ("--species", "mouse", "--sex", "female", "--age", "P90D")
WORK = ("--experimenter", "Doe, Jane", "--institution", "University of Example")
NAME = "sub-M1_ses-2025-03-01-001_behavior.nwb"


def three_trials(book: Book) -> None:
    for number in range(3):
        book.line("trial", trial=number)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return made(tmp_path / "data", columns=("trial",), fill=three_trials)


def trials_in(path: Path) -> list[int]:
    with NWBHDF5IO(path, "r") as file:
        return [int(number) for number in file.read().trials["trial"][:]]


def test_a_file_is_written_beside_the_journal(rig: Rig, session: Path) -> None:
    said = rig("export", "nwb", session, *FACTS, *WORK)
    assert (said.status, said.err) == (0, "")
    assert said.out.strip() == str(session / NAME)
    assert trials_in(session / NAME) == [0, 1, 2]


def test_facts_of_the_records_need_no_option(rig: Rig, session: Path, tmp_path: Path) -> None:
    known = {"species": "mouse", "sex": "male", "birth": "2024-12-01"}
    record_facts(tmp_path / "data" / "M1", known, "anna", datetime.datetime(2025, 2, 1, tzinfo=datetime.UTC))
    assert rig("export", "nwb", session, *WORK).status == 0


def test_without_the_extra_the_command_says_what_to_install(
    rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.cli.export.nwb.find_spec", lambda name: None if name == "pynwb" else find_spec(name))
    said = rig("export", "nwb", session, *FACTS)
    assert (said.status, "pip install 'behavior-rig[nwb]'" in said.err) == (2, True)
