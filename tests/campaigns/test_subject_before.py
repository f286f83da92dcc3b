"""A job that runs again begins with the folder that its killed process found."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rig.campaigns.subject_before import SubjectBefore


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
    write(folder, {name: text for name, text in more.items() if name not in sessions})
    if set(more) - set(sessions):
        write(folder, others)
    before.restore(folder)
    assert files_of(folder) == {**sessions, **states}


def test_a_folder_that_was_claimed_and_is_empty_is_removed(tmp_path: Path) -> None:
    before = SubjectBefore.of(tmp_path / "sim001")
    (tmp_path / "sim001" / "2026-11-21" / "001").mkdir(parents=True)
    before.restore(tmp_path / "sim001")
    assert list((tmp_path / "sim001").glob("*/*")) == []


def test_without_new_sessions_nothing_is_changed(tmp_path: Path) -> None:
    write(tmp_path, {"2026-11-21/001/journal.jsonl": "{}", "state.json": "{}"})
    before = SubjectBefore.of(tmp_path)
    write(tmp_path, {"state.json": '{"later": {}}'})
    before.restore(tmp_path)
    assert files_of(tmp_path)["state.json"] == '{"later": {}}'
