"""`rig replay`, `rig recover`, `rig show graph` and `rig subject rebuild`."""

import json
import shlex
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import BANDIT, Rig
from tests.cli.recorded_sessions import truncate_journal


def rewritten(session: Path, old: bytes, new: bytes) -> None:
    """Change what a journal says, with checksums that fit."""
    path = session / "journal.jsonl"
    lines = []
    for line in path.read_bytes().splitlines():
        body = line.rpartition(b',"crc":')[0].replace(old, new)
        lines.append(body + f',"crc":"{zlib.crc32(body):08x}"}}\n'.encode())
    path.write_bytes(b"".join(lines))


def test_a_replay_of_a_session_is_the_same(rig: Rig, session: Path) -> None:
    answer = rig("replay", session)
    assert answer.status == 0
    assert answer.out.startswith(f"{session}: the same, ")
    by_journal = rig("replay", session / "journal.jsonl", session, "--json")
    assert by_journal.status == 0
    assert [result["difference"] for result in json.loads(by_journal.out)] == [None, None]


def test_a_replay_that_differs_is_status_1_and_says_where(rig: Rig, session: Path) -> None:
    rewritten(session, b'"outcome":"rewarded"', b'"outcome":"unrewarded"')
    answer = rig("replay", session)
    assert answer.status == 1
    assert "differs in trial" in answer.out
    assert "recorded:" in answer.out
    assert "replayed:" in answer.out
    found = rig("replay", session, "--json")
    assert found.status == 1
    assert json.loads(found.out)[0]["difference"]["recorded"]["outcome"] == "unrewarded"


def test_a_damaged_journal_is_not_replayed_but_named_with_its_line(rig: Rig, session: Path) -> None:
    path = session / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"t":', b'"t":1', 1)
    path.write_bytes(b"".join(lines))
    answer = rig("replay", session)
    assert answer.status == 2
    assert f"{path}:5: its checksum does not fit" in answer.err
    assert "rig recover" in answer.err


def test_something_that_is_no_journal_is_refused(rig: Rig, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"")
    assert rig("replay", tmp_path).status == 2
    path.write_bytes(b"\xff\x00 nonsense\n")
    assert rig("replay", tmp_path).status == 2


def test_a_crashed_session_is_recovered_once_and_then_replays(rig: Rig, session: Path) -> None:
    truncate_journal(session)
    assert rig("replay", session).status == 2
    answer = rig("recover", session)
    assert answer.status == 0
    assert "the last line was torn" in answer.out
    assert "a footer says so now" in answer.out
    recovered = (session / "journal.jsonl").read_bytes()
    assert json.loads(recovered.splitlines()[-1])["reason"] == "crash"
    again = rig("recover", session)
    assert again.status == 0
    assert "the journal has an end already: crash" in again.out
    assert (session / "journal.jsonl").read_bytes() == recovered
    assert rig("replay", session).status == 0
    assert len((session / "trials.csv").read_text().splitlines()) > 1


def test_recovering_a_sound_session_changes_no_byte_of_it(rig: Rig, session: Path) -> None:
    before = {name: (session / name).read_bytes() for name in ("journal.jsonl", "trials.csv", "summary.json")}
    answer = rig("recover", session)
    assert answer.status == 0
    assert "the session had ended as it should" in answer.out
    assert {name: (session / name).read_bytes() for name in before} == before


def test_what_recovering_cannot_write_without_a_header_is_said_and_promised_by_none(rig: Rig, session: Path) -> None:
    journal = session / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"format":2', b'"format":1', 1))
    (session / "trials.csv").unlink()
    replayed = rig("replay", session)
    assert (replayed.status, "its header is damaged" in replayed.err, "writes trials.csv" in replayed.err) == (
        2,
        True,
        False,
    )
    for command in ("replay", "analyze", "watch"):
        answer = rig(command, session)
        assert "its checksum does not fit" in answer.err
    answer = rig("recover", session)
    assert "its header is damaged: trials.csv and summary.json are not written" in answer.out
    assert "summary.json is not of this recovery: left as it is" in answer.out
    assert not (session / "trials.csv").exists()
    assert json.loads(rig("recover", session, "--json").out)[0]["unwritten"] == ["trials.csv", "summary.json"]


@pytest.mark.parametrize("spoil", [lambda raw: raw.replace(b'"k":"edge"', b'"k":"edgy"', 1), lambda raw: b""])
def test_what_recovering_cannot_make_known_is_said_with_what_settles_it(
    rig: Rig, session: Path, data: Path, spoil: Callable[[bytes], bytes]
) -> None:
    real = data / "M1" / "2026-11-21" / "001"
    shutil.copytree(session, real)
    rewritten(real, b'"simulated":true', b'"simulated":false')
    journal = real / "journal.jsonl"
    journal.write_bytes(spoil(journal.read_bytes()))
    answer = rig("recover", real)
    settle = ["rig", "subject", "give", "M1", "AMOUNT", "--session", "2026-11-21/001", "--data", str(data)]
    assert f"{shlex.join(settle)} --by NAME --reason WHY" in answer.out + answer.err


def test_a_copy_of_a_session_is_not_said_to_be_of_a_subject(rig: Rig, session: Path, tmp_path: Path) -> None:
    copy = tmp_path / "work" / "f1"
    shutil.copytree(session, copy)
    rewritten(copy, b'"simulated":true', b'"simulated":false')
    journal = copy / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"k":"edge"', b'"k":"edgy"', 1))
    answer = rig("recover", copy)
    assert "rig subject give" not in answer.out + answer.err
    assert "does not lie where sessions are counted, in <data>/<subject>/<date>/<number>" in answer.out + answer.err


def test_what_was_recovered_is_one_json_document_for_any_number_of_sessions(rig: Rig, session: Path) -> None:
    truncate_journal(session)
    answer = rig("recover", session, session, "--json")
    first, second = json.loads(answer.out)
    assert first["session"] == str(session)
    assert not first["had_footer"]
    assert second["had_footer"]
    assert len(json.loads(rig("recover", session, "--json").out)) == 1


def test_a_session_that_still_runs_is_not_recovered(rig: Rig, session: Path, data: Path) -> None:
    from rig.session.subject import SubjectFolder

    with SubjectFolder(data, "M1", simulated=True):
        answer = rig("recover", session)
    assert answer.status == 2
    assert "is running" in answer.err


def test_the_graph_of_a_protocol_is_shown_by_its_name_or_its_file(rig: Rig, tmp_path: Path) -> None:
    answer = rig("show", "graph", "two_armed_bandit")
    assert answer.status == 0
    assert answer.out.strip()
    mine = tmp_path / "mine.yaml"
    mine.write_text("protocol: two_armed_bandit\nstop: {session_s: 60, max_rewards: 1, max_ul: 5}\n")
    assert rig("show", "graph", mine).out == answer.out
    mermaid = rig("show", "graph", "two_armed_bandit", "--mermaid")
    assert mermaid.status == 0
    assert "stateDiagram" in mermaid.out


def test_a_lost_state_stops_the_next_session_and_is_made_again_from_the_journals(
    rig: Rig, session: Path, data: Path
) -> None:
    state = data / "sim" / "M1" / "state.json"
    rig("sim", *BANDIT, "--subject", "M1")
    was = state.read_text()
    for wrong in (None, "{", "[]"):
        state.unlink() if wrong is None else state.write_text(wrong)
        answer = rig("sim", *BANDIT, "--subject", "M1")
        assert answer.status == 2
        assert "rig subject rebuild M1 --sim" in answer.err
        rebuilt = rig("subject", "rebuild", "M1", "--sim")
        assert rebuilt.status == 0
        assert "1 protocol: two_armed_bandit" in rebuilt.out
        assert state.read_text() == was
    assert rig("sim", *BANDIT, "--subject", "M1").status == 0


def test_a_state_is_made_from_what_can_be_read(rig: Rig, session: Path, data: Path) -> None:
    truncate_journal(session)
    (data / "sim" / "M1" / "state.json").unlink()
    answer = rig("subject", "rebuild", "M1", "--sim")
    assert answer.status == 0
    assert "left out: " in answer.out
    assert "0 protocols: none" in answer.out


def test_a_subject_of_a_folder_that_is_no_name_is_not_rebuilt(rig: Rig, session: Path, data: Path) -> None:
    for name in (".", "..", "M1/2026-11-21"):
        answer = rig("subject", "rebuild", name)
        assert answer.status == 2
        assert "cannot be a folder's name" in answer.err
