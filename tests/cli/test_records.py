"""`rig replay`, `rig recover`, `rig show graph` and `rig subject rebuild`."""

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.journal.codec import sealed
from tests.cli.conftest import Rig


def rewritten(session: Path, old: bytes, new: bytes) -> None:
    """Change what a journal says, with checksums that fit."""
    path = session / "journal.jsonl"
    lines = []
    for line in path.read_bytes().splitlines():
        body = line.rpartition(b',"crc":')[0].replace(old, new)
        lines.append(sealed(body))
    path.write_bytes(b"".join(lines))


def test_a_replay_that_differs_is_status_1_and_says_where(rig: Rig, session: Path) -> None:
    rewritten(session, b'"outcome":"rewarded"', b'"outcome":"unrewarded"')
    answer = rig("replay", session)
    assert answer.status == 1
    assert "differs in trial" in answer.out
    assert "recorded:" in answer.out
    assert "replayed:" in answer.out
    found = rig("replay", session, "--json")
    assert found.status == 1
    assert json.loads(found.out)[0]["difference"]["recorded"]["row"]["outcome"] == "unrewarded"


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


def test_a_session_that_still_runs_is_not_recovered(rig: Rig, session: Path, data: Path) -> None:
    from rig.session.subject_folder import SubjectFolder

    with SubjectFolder(data, "M1", simulated=True):
        answer = rig("recover", session)
    assert answer.status == 2
    assert "is running" in answer.err
