"""Past sessions, looked at from their ends."""

import os
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.records.session.brief import SessionBrief, advances_state
from rig.records.session.history import journals, past_journals, past_sessions
from tests.journal_lines import FOOTER, HEADER, as_json, journal_of, made, sealed_json
from tests.past_sessions import rewarded_rows, write_session


def only(subject: Path) -> SessionBrief:
    (past,) = past_sessions(subject)
    return past


@pytest.mark.parametrize(
    ("reason", "trials", "min_trials", "counted"),
    [
        ("time_limit", 0, 50, True),
        ("reward_limit", 0, 50, True),
        ("trial_limit", 1, 50, True),
        ("task_finished", 1, 50, True),
        ("participant_left", 99, 1, False),
        ("operator", 50, 50, True),
        ("operator", 49, 50, False),
        ("idle", 50, 50, True),
        ("idle", 0, 1, False),
        ("fault", 500, 1, False),
        ("crash", 500, 1, False),
    ],
)
def test_a_session_counts_that_ended_by_itself_or_was_long_enough(
    reason: str, trials: int, min_trials: int, counted: bool
) -> None:
    assert advances_state(reason, trials, min_trials) is counted


def test_a_session_is_known_by_its_first_and_its_last_line(tmp_path: Path) -> None:
    folder = write_session(tmp_path, 3, "blocks", rewarded_rows(1, 0, 1))
    past = only(tmp_path)
    assert (past.folder, past.name, past.header.protocol) == (folder, "2026-11-03/001", "p")
    assert (past.stage, past.reason, past.sums.trials, past.advances_state) == ("blocks", "time_limit", 3, True)


def test_the_newest_session_comes_first_and_what_is_no_session_is_passed_over(tmp_path: Path) -> None:
    folders = [write_session(tmp_path, day, number=number) for day, number in ((2, 1), (2, 2), (2, 10), (11, 1))]
    for name in ("2026-11-04/001", "2026-11-05/notes", "photos/001"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "2026-11-06").write_text("a file")
    (tmp_path / "state.json").write_text("{}")
    assert [path.parent for path in journals(tmp_path)] == folders[::-1]


def test_a_subject_that_is_new_has_none(tmp_path: Path) -> None:
    assert list(past_sessions(tmp_path / "M1")) == []


def test_a_session_without_an_end_or_with_a_torn_one_does_not_count(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "blocks", rewarded_rows(1, 1), reason=None)
    torn = write_session(tmp_path, 2, "blocks", rewarded_rows(1, 1)) / "journal.jsonl"
    torn.write_bytes(torn.read_bytes()[:-5])
    half = write_session(tmp_path, 3, "blocks", rewarded_rows(1, 1)) / "journal.jsonl"
    half.write_bytes(half.read_bytes()[:-1])
    found = list(past_sessions(tmp_path))
    assert [(past.reason, past.sums.trials, past.advances_state) for past in found] == [(None, 2, False)] * 3


def test_an_end_longer_than_what_is_read_at_first_is_found(tmp_path: Path) -> None:
    folder = write_session(tmp_path, 1, "blocks", reason=None)
    (line,) = journal_of([made("footer", 2, **{**FOOTER, "carry_over": {"had": ["x" * 100] * 1000}})], 1)
    assert len(line) > 1 << 16
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(line)
    assert only(tmp_path).advances_state


@pytest.mark.parametrize("text", [b"", b'{"seq":0,"t":0', b"no journal\n", b'{"seq":0,"t":0,"k":"header"}\n'])
def test_a_journal_without_a_header_that_can_be_trusted_is_given_as_its_path(tmp_path: Path, text: bytes) -> None:
    path = write_session(tmp_path, 1) / "journal.jsonl"
    path.write_bytes(text)
    assert list(past_journals(tmp_path)) == [path]


def test_a_header_without_what_must_be_known_is_none_that_can_be_trusted(tmp_path: Path) -> None:
    path = write_session(tmp_path, 1) / "journal.jsonl"
    header = sealed_json({"seq": 0, "k": "header", "t": 0, "format": 3, "protocol": "p"})
    path.write_bytes(header + journal_of([made("footer", 1, **FOOTER)], 1)[0])
    assert list(past_journals(tmp_path)) == [path]


def test_a_journal_of_another_version_is_refused_and_not_passed_over(tmp_path: Path) -> None:
    path = write_session(tmp_path, 1, "blocks") / "journal.jsonl"
    header = as_json(made("header", **HEADER))
    path.write_bytes(sealed_json({"seq": 0, **header, "format": 99}))
    with pytest.raises(RecordError, match="format is 99"):
        list(past_sessions(tmp_path))


def test_a_journal_that_was_changed_is_looked_at_again(tmp_path: Path) -> None:
    path = write_session(tmp_path, 1, "blocks") / "journal.jsonl"
    assert only(tmp_path).advances_state
    path.write_bytes(path.read_bytes()[:-5])
    assert not only(tmp_path).advances_state


def test_a_folder_that_cannot_be_looked_into_is_no_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_session(tmp_path, 1)

    def refuse(path: Path) -> list[str]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(RecordError, match="cannot be read: Permission denied"):
        list(journals(tmp_path))
