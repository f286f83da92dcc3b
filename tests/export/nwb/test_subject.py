"""The subject of a file: from its records, and from options."""

import datetime
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.export.nwb.file_name import label, target_of
from rig.export.nwb.subject import GivenFacts, SubjectFields, subject_fields
from rig.records.recorded_session import read_session
from rig.records.subject.known_subject import record_facts
from tests.export.nwb.exported import FACTS, made, session_of

BORN = "2024-12-01"
NOW = datetime.datetime(2025, 2, 1, tzinfo=datetime.UTC)


def fields_of(folder: Path, given: GivenFacts = FACTS, **header: Any) -> SubjectFields:
    return subject_fields(session_of(folder, **header), given)


def test_the_records_of_the_subject_are_enough(tmp_path: Path) -> None:
    path = made(tmp_path, fill=lambda book: None, facts={"weight_g": 24.6})
    known = {"species": "rat", "sex": "male", "birth": BORN, "strain": "Long-Evans", "license": "A 12"}
    record_facts(tmp_path / "M1", known, "anna", NOW)
    found = subject_fields(read_session(path), GivenFacts())
    assert found.missing == ()
    assert found.license == "A 12"
    assert dict(found.fields) == {
        "subject_id": "M1",
        "species": "Rattus norvegicus",
        "sex": "M",
        "age": "P90D",
        "strain": "Long-Evans",
        "weight": "0.0246 kg",
        "description": "subject of a behavioral experiment",
    }


def test_an_option_goes_before_the_records(tmp_path: Path) -> None:
    path = made(tmp_path, fill=lambda book: None)
    record_facts(tmp_path / "M1", {"species": "rat", "sex": "male", "birth": BORN}, "anna", NOW)
    given = GivenFacts("S7", "Mus spretus", "O", birth=datetime.date(2025, 2, 27), genotype="wt/wt")
    found = subject_fields(read_session(path), given).fields
    assert {name: found[name] for name in ("subject_id", "species", "sex", "age", "genotype")} == {
        "subject_id": "S7",
        "species": "Mus spretus",
        "sex": "O",
        "age": "P2D",
        "genotype": "wt/wt",
    }


def test_what_is_not_known_is_named(tmp_path: Path) -> None:
    assert fields_of(tmp_path, GivenFacts()).missing == ("species", "sex", "age")
    assert fields_of(tmp_path / "b", GivenFacts(), subject=None).missing == ("subject_id", "species", "sex", "age")


@pytest.mark.parametrize(("born", "age"), [("2000-01-01", "P25Y"), ("1930-01-01", "P90Y/")])
def test_a_person_has_an_age_in_years_up_to_90(tmp_path: Path, born: str, age: str) -> None:
    given = GivenFacts(species="human", sex="U", birth=datetime.date.fromisoformat(born))
    assert fields_of(tmp_path, given).fields["age"] == age


def test_a_virtual_subject_is_said_to_be_one(tmp_path: Path) -> None:
    assert "no animal" in fields_of(tmp_path, simulated=True, model="rflr").fields["description"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (GivenFacts(species="mice"), "--species mice: wanted mouse"),
        (GivenFacts(sex="f"), "--sex f: wanted female"),
        (GivenFacts(age="90"), "--age 90: wanted a duration"),
        (GivenFacts(birth=datetime.date(2026, 1, 1)), "before the subject's birth"),
    ],
)
def test_a_wrong_fact_is_refused(tmp_path: Path, given: GivenFacts, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        fields_of(tmp_path, given)


@pytest.mark.parametrize(
    ("text", "part"),
    [("M1", "M1"), ("a/../../b", "a-b"), ("..", "unnamed"), ("x y_z", "x-y-z"), ("é", "unnamed"), ("-a-", "a")],
)
def test_no_name_leads_out_of_the_folder(text: str, part: str) -> None:
    assert label(text) == part


def test_files_have_the_names_that_the_archive_wants(tmp_path: Path) -> None:
    session, name = session_of(tmp_path), "sub-M1_ses-2025-03-01-001_behavior.nwb"
    assert target_of(session, "M1", None) == session.folder / name
    assert target_of(session, "M1", tmp_path / "set") == tmp_path / "set" / "sub-M1" / name
    assert target_of(session, "M1", tmp_path / "a.nwb") == tmp_path / "a.nwb"
