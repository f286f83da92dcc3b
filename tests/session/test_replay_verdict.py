"""One sentence about the replay of a journal, whatever its writer has put into it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.records.journal.read import JOURNAL
from rig.session import replay_verdict
from rig.session.replay_verdict import TRUST, ReplayCheck, check_replay
from rig.session.shipped_sessions import shipped_sessions
from tests.journal_lines import sealed_json

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A session of the two-armed bandit in a folder of records."""
    recorded = shipped_sessions()["two_armed_bandit"]
    assert recorded is not None
    path = tmp_path / "M1" / "2026-11-21" / "001" / JOURNAL
    path.parent.mkdir(parents=True)
    path.write_bytes(recorded.read_bytes())
    return path


def change_lines(journal: Path, kind: str, change: Change) -> None:
    """Change all lines of a kind, with checksums that fit."""
    lines = []
    for raw in journal.read_bytes().splitlines(keepends=True):
        line = json.loads(raw)
        if line["k"] == kind:
            del line["crc"]
            change(line)
            raw = sealed_json(line)
        lines.append(raw)
    journal.write_bytes(b"".join(lines))


def check(journal: Path) -> ReplayCheck:
    result = check_replay(journal)
    assert "Traceback" not in result.text
    assert "\n" not in result.text
    return result


@pytest.mark.parametrize("protocol", sorted(shipped_sessions()))
def test_each_installed_protocol_ships_a_session_that_it_decides_alike(protocol: str) -> None:
    """If a protocol was changed on purpose: python -m scripts.pages recorded_sessions."""
    recorded = shipped_sessions()[protocol]
    assert recorded is not None
    result = check(recorded)
    assert (result.verdict, result.protocol) == ("same", protocol)
    assert result.decisions > 40


def test_a_changed_decision_is_named_with_its_trial(journal: Path) -> None:
    change_lines(journal, "header", lambda header: header["params"].update(reward_ul=4.0))
    result = check(journal)
    assert result.verdict in ("differs", "other version")
    assert result.text.startswith("decides otherwise in trial 1, after ")


def test_a_protocol_that_was_changed_since_decides_alike_or_is_said_to_be_another_version(journal: Path) -> None:
    change_lines(journal, "header", lambda header: header["code"].update({"task.py": "0" * 64}))
    result = check(journal)
    assert result.verdict == "same"
    assert "changed since: " in result.text
    assert "task.py" in result.text
    change_lines(journal, "header", lambda header: header["params"].update(reward_ul=4.0))
    assert check(journal).verdict == "other version"


def test_a_journal_of_an_older_format_is_named_so(journal: Path) -> None:
    change_lines(journal, "header", lambda header: header.update(format=2))
    result = check(journal)
    assert result.verdict == "not replayed"
    assert "format is 2, this program reads 3: use the version that wrote it" in result.text


def test_a_damaged_journal_is_named_with_its_line(journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join((*lines[:9], lines[9].replace(b":", b";", 1), *lines[10:])))
    result = check(journal)
    assert result.verdict == "not replayed"
    assert result.text.startswith("10: ")


def test_a_torn_journal_is_said_to_need_a_recovery(journal: Path) -> None:
    journal.write_bytes(journal.read_bytes()[:-40])
    assert "rig recover" in check(journal).text


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(protocol="x" * 100_000),
        lambda header: header.update(protocol="os", task="../../../etc/passwd.py:Task", code={"passwd.py": "0" * 64}),
        lambda header: header.update(params={"reward_ul": [[[]]] * 100}),
        lambda header: header.update(params={}),
        lambda header: header.update(seed=-(10**30)),
        lambda header: header["rig"]["devices"].clear(),
        lambda header: header["rig"]["devices"].update(left={"kind": "no_such_kind"}),
        lambda header: header["rig"]["calibrations"].clear(),
        lambda header: header.update(carry_over={"odds": float("1e308")}),
        lambda header: header.update(columns=[]),
        lambda header: header.update(box=["nowhere"]),
    ],
)
def test_a_forged_header_gets_a_sentence(journal: Path, change: Change) -> None:
    change_lines(journal, "header", change)
    result = check(journal)
    assert result.text
    assert len(result.text) <= 400


def test_forged_events_get_a_sentence(journal: Path) -> None:
    source = random.Random(1)
    change_lines(journal, "edge", lambda line: line.update(level=source.choice((0, 1)), t=source.randrange(1 << 40)))
    assert check(journal).text


def test_a_laboratorys_own_file_does_not_run(journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = b"import pathlib\npathlib.Path('it ran').touch()\n"
    folder = journal.parent / "config" / "protocols"
    folder.mkdir(parents=True)
    (folder / "evil.py").write_bytes(code)
    monkeypatch.chdir(tmp_path)
    fields = {"task": "evil.py:Evil", "protocol": "evil", "code": {"evil.py": hashlib.sha256(code).hexdigest()}}
    change_lines(journal, "header", lambda header: header.update(fields))
    result = check(journal)
    assert (result.verdict, result.text) == ("not replayed", TRUST)
    assert not (tmp_path / "it ran").exists()


def test_an_error_of_this_program_is_a_sentence_too(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(replay_verdict, "replay", fail)
    text = check(journal).text
    assert text.startswith("the replay fails: ")
    assert text.endswith(": RecursionError: too deep")


def test_a_journal_that_is_too_long_is_not_read(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_verdict, "LARGEST_BYTES", 1000)
    assert "`rig replay` replays it" in check(journal).text


def test_a_journal_that_is_not_there_is_named() -> None:
    assert check(Path("nowhere", JOURNAL)).verdict == "not replayed"
