"""A job that runs again begins with the folder that its killed process found."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.campaigns.subject_before import SubjectBefore
from rig.core.errors import ConfigError

JOB = "5f0c"


def files_of(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


SESSIONS = st.dictionaries(
    st.sampled_from([f"2026-11-2{day}/00{number}/journal.jsonl" for day in (1, 2) for number in (1, 2)]), st.just("{}")
)
STATES = st.dictionaries(st.sampled_from(["state.json", "state.previous.json"]), st.sampled_from(["{}", '{"a": {}}']))


def kill_in_job(before: SubjectBefore, folder: Path, files: dict[str, str]) -> None:
    """Leave what a process leaves that is killed in its job."""
    with before.in_job(folder, JOB):
        write(folder, files)
        left = files_of(folder)
    write(folder, left)


@given(SESSIONS, STATES, SESSIONS, STATES)
def test_what_a_killed_process_began_is_taken_back(
    tmp_path_factory: object,
    sessions: dict[str, str],
    states: dict[str, str],
    more: dict[str, str],
    others: dict[str, str],
) -> None:
    folder = tmp_path_factory.mktemp("subject")  # type: ignore[attr-defined]
    write(folder, {**sessions, **states})
    before = SubjectBefore.of(folder)
    begun = {name: text for name, text in more.items() if name not in sessions}
    kill_in_job(before, folder, {**begun, **(others if begun else {})})
    with before.in_job(folder, JOB):
        assert {name: text for name, text in files_of(folder).items() if name != ".job"} == {**sessions, **states}
    assert files_of(folder) == {**sessions, **states} if folder.exists() else not {**sessions, **states}


def test_a_folder_that_was_claimed_and_is_empty_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "sim001"
    before = SubjectBefore.of(folder)
    kill_in_job(before, folder, {})
    (folder / "2026-11-21" / "001").mkdir(parents=True)
    with before.in_job(folder, JOB):
        assert list(folder.glob("*/*")) == []


def test_without_new_sessions_nothing_is_changed(tmp_path: Path) -> None:
    write(tmp_path, {"2026-11-21/001/journal.jsonl": "{}", "state.json": "{}"})
    before = SubjectBefore.of(tmp_path)
    kill_in_job(before, tmp_path, {"state.json": '{"later": {}}'})
    with before.in_job(tmp_path, JOB):
        assert files_of(tmp_path)["state.json"] == '{"later": {}}'


@pytest.mark.parametrize("mark", [None, "another job"])
def test_a_session_of_another_command_stays(mark: str | None, tmp_path: Path) -> None:
    before = SubjectBefore.of(tmp_path)
    write(tmp_path, {"2026-11-21/001/journal.jsonl": "{}", **({} if mark is None else {".job": mark})})
    with before.in_job(tmp_path, JOB):
        assert (tmp_path / "2026-11-21/001/journal.jsonl").exists()


def test_a_new_subject_whose_first_session_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError), SubjectBefore.of(tmp_path / "sim001").in_job(tmp_path / "sim001", JOB):
        raise ConfigError("refused")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_state_is_no_matter_of_the_job(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_bytes(b"\xff")
    with SubjectBefore.of(tmp_path).in_job(tmp_path, JOB):
        assert (tmp_path / "state.json").read_bytes() == b"\xff"
