"""`rig export nwb`: files with the names that the archive wants, and messages about what it lacks."""

import datetime
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from pynwb import NWBHDF5IO

from rig.records.subject.known_subject import record_facts
from tests.cli.conftest import Rig
from tests.cli.recorded_sessions import truncate_journal
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


def test_a_folder_gets_one_folder_for_each_subject(rig: Rig, session: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "other", columns=("trial",), fill=three_trials, subject="M2")
    said = rig("export", "nwb", session, other, *FACTS, *WORK, "--to", tmp_path / "set", "--json")
    written = [Path(each["file"]).relative_to(tmp_path / "set").as_posix() for each in json.loads(said.out)]
    assert (said.status, written) == (0, [f"sub-M1/{NAME}", f"sub-M2/{NAME.replace('M1', 'M2')}"])


def test_facts_that_the_archive_requires_are_asked_for_before_anything_is_written(rig: Rig, session: Path) -> None:
    said = rig("export", "nwb", session, "--sex", "female")
    assert said.status == 2
    for part in ("M1", "species", "age", "rig subject set M1 --species", "--birth", "--incomplete"):
        assert part in said.err
    assert not list(session.glob("*.nwb"))
    assert rig("export", "nwb", session, "--incomplete").status == 0


def test_facts_of_the_records_need_no_option(rig: Rig, session: Path, tmp_path: Path) -> None:
    known = {"species": "mouse", "sex": "male", "birth": "2024-12-01"}
    record_facts(tmp_path / "data" / "M1", known, "anna", datetime.datetime(2025, 2, 1, tzinfo=datetime.UTC))
    assert rig("export", "nwb", session, *WORK).status == 0


def test_what_the_archive_recommends_is_hinted_at(rig: Rig, session: Path) -> None:
    (session / "environment.json").write_text('{"experimenter": "anna"}')
    said = rig("export", "nwb", session, *FACTS)
    assert said.status == 0
    assert "'anna'" in said.err
    assert "rig.toml" in said.err


def test_nothing_is_replaced_unless_a_person_forces_it(rig: Rig, session: Path) -> None:
    (session / NAME).write_text("mine")
    said = rig("export", "nwb", session, *FACTS, *WORK)
    assert (said.status, (session / NAME).read_text()) == (2, "mine")
    assert "--force" in said.err
    assert rig("export", "nwb", session, *FACTS, *WORK, "--force").status == 0
    assert trials_in(session / NAME) == [0, 1, 2]


def test_a_session_without_an_end_is_exported_and_said_to_be_incomplete(rig: Rig, session: Path) -> None:
    truncate_journal(session)
    said = rig("export", "nwb", session, *FACTS, *WORK)
    assert (said.status, "(incomplete records)" in said.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--birth", "soon"), "--birth soon: is no day"),
        (("--sex", "x"), "--sex x: wanted"),
        (("--to", "{session}/journal.jsonl"), "cannot be made"),
    ],
)
def test_a_wrong_option_is_said(rig: Rig, session: Path, words: tuple[str, ...], said: str) -> None:
    found = rig("export", "nwb", session, *FACTS, *(word.format(session=session) for word in words))
    assert found.status == 2
    assert said in found.err


def test_two_sessions_need_two_files(rig: Rig, session: Path, tmp_path: Path) -> None:
    said = rig("export", "nwb", session, session, *FACTS, "--to", tmp_path / "one.nwb")
    assert (said.status, "wanted a folder" in said.err) == (2, True)
    copy = made(tmp_path / "copy", columns=("trial",), fill=three_trials)
    said = rig("export", "nwb", session, copy, *FACTS, "--to", tmp_path / "set")
    assert (said.status, "one by one" in said.err) == (2, True)


def test_what_is_no_session_is_said(rig: Rig, tmp_path: Path) -> None:
    assert "is no session" in rig("export", "nwb", tmp_path, *FACTS).err


def test_without_the_extra_the_command_says_what_to_install(
    rig: Rig, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.cli.export.nwb.find_spec", lambda name: None if name == "pynwb" else find_spec(name))
    said = rig("export", "nwb", session, *FACTS)
    assert (said.status, "pip install 'behavior-rig[nwb]'" in said.err) == (2, True)
