"""What a person says of herself is in a file of its own, and can be deleted."""

import json
import os
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

ANSWERS = "female\n21\n\n3.4\n"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    stream = StringIO(ANSWERS)
    monkeypatch.setattr("sys.stdin", stream)
    return stream


def test_the_answers_are_written_apart_from_all_records(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    done = rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    path = tmp_path / "P07" / "person.json"
    assert json.loads(path.read_text()) == {"gender": "female", "age": "21", "ethnicity": "", "grade_average": "3.4"}
    assert (done.status, str(path) in done.out) == (0, True)
    assert "grade average (Enter: no answer)" in done.err


def test_a_form_is_not_written_over(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    typed.seek(0)
    again = rig("person", "form", "P07", "--data", str(tmp_path))
    assert again.status == 2
    assert "is there already: `rig person forget P07` deletes it" in again.err


def test_a_mistyped_code_gets_no_answers(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    typed.seek(0)
    refused = rig("person", "form", "P70", "--data", str(tmp_path))
    assert refused.status == 2
    assert "subject 'P70': there is P07; no subject of that name has records: add --new if P70 is new" in refused.err
    assert not (tmp_path / "P70").exists()


def test_a_form_that_is_broken_off_is_not_written(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("female\n"))
    done = rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    assert done.status == 2
    assert "nothing was written" in done.err
    assert not (tmp_path / "P07" / "person.json").exists()


def test_the_answers_are_deleted_and_nothing_else(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    done = rig("person", "forget", "P07", "--data", str(tmp_path))
    assert (done.status, "deleted; the sessions are kept" in done.out) == (0, True)
    assert sorted(path.name for path in (tmp_path / "P07").iterdir() if not path.name.startswith(".")) == ["state.json"]
    assert rig("person", "forget", "P07", "--data", str(tmp_path)).status == 2


def test_answers_that_a_killed_form_left_are_deleted_too(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    left = tmp_path / "P07" / ".person.json.new"
    left.parent.mkdir()
    left.write_text("SECRET")
    done = rig("person", "forget", "P07", "--data", str(tmp_path))
    assert (done.status, str(left) in done.out, left.exists()) == (0, True, False)


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes")
def test_the_answers_are_for_their_owner_alone(
    rig: Rig, tmp_path: Path, typed: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    replace = os.replace

    def seen(old: Path, new: Path) -> None:
        modes.append((new.name, old.stat().st_mode & 0o777))
        replace(old, new)

    monkeypatch.setattr(os, "replace", seen)
    assert rig("person", "form", "P07", "--new", "--data", str(tmp_path)).status == 0
    assert ("person.json", 0o600) in modes
    assert (tmp_path / "P07" / "person.json").stat().st_mode & 0o777 == 0o600


def test_only_a_subjects_own_answers_are_deleted(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "person.json").write_text("{}")
    (tmp_path / "data").mkdir()
    refused = rig("person", "forget", "..", "--data", str(tmp_path / "data"))
    assert (refused.status, (tmp_path / "person.json").exists()) == (2, True)
    assert "cannot be a folder's name" in refused.err


def test_a_person_with_a_form_takes_part_as_one_without(rig: Rig, tmp_path: Path, typed: StringIO) -> None:
    rig("person", "form", "P07", "--new", "--data", str(tmp_path))
    done = rig("sim", "disk_bandit_human.yaml", "--model", "human", "--subject", "P07", "--seed", "1",
               "--set", "params.sessions=1", "--set", "params.questionnaire_after=1", "--set", "params.session_s=5",
               "--data", str(tmp_path))  # fmt: skip
    assert done.status == 0
    (journal,) = (tmp_path / "sim" / "P07").glob("*/001/journal.jsonl")
    assert "female" not in journal.read_text()
