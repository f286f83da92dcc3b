"""`rig run --resume`: which session goes on, which does not and why, and what its folder holds afterwards."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.run import resume as resume_module
from rig.core.journal.kinds import RewardLine
from rig.records.journal.read import of_kind, read_journal
from rig.records.subject.deliveries import delivered_between
from rig.session import resume_spec as spec_module
from rig.session.run import run_session as perform_module
from tests.cli.conftest import Inhabited, Rig, Said
from tests.session_ends import footer_of

BEGAN = "2026-11-21T09:00:00"
Resume = Callable[..., Said]


@pytest.fixture
def broken(real: Rig, data: Path) -> Path:
    """A session of a real animal that was killed in its 30th second."""
    assert real(BEGAN).status == 0
    folder = data / "M1" / "2026-11-21" / "001"
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["t"] < 30_000_000 or b'"k":"reward"' in line]
    journal.write_bytes(b"".join(kept[: kept.index(next(line for line in kept if json.loads(line)["t"] > 28_000_000))]))
    for name in ("summary.json", "trials.csv"):
        (folder / name).unlink()
    return folder


@pytest.fixture
def resume(rig: Rig, far: Path, monkeypatch: pytest.MonkeyPatch) -> Resume:
    def run(moment: str, *words: Any, rig_file: Path | None = far) -> Said:
        with monkeypatch.context() as here:
            here.setattr(common, "now", lambda: datetime.datetime.fromisoformat(moment))
            for module in (resume_module, spec_module, perform_module):
                here.setattr(module, "find_driver", lambda name: Inhabited())
            return rig("run", *(() if rig_file is None else ("--rig", rig_file)), "--yes", *words)

    return run


def test_what_was_given_counts_at_its_own_time_and_once(broken: Path, resume: Resume) -> None:
    def given(since: str, until: str) -> float:
        ends = (datetime.datetime.fromisoformat(f"2026-11-21T09:{at}").astimezone() for at in (since, until))
        return delivered_between(broken.parent.parent, *ends).amount.ul

    before = given("00:00", "01:00")
    assert resume("2026-11-21T09:10:30", "--resume", "--subject", "M1").status == 0
    rewards = list(of_kind(read_journal(broken), RewardLine))
    delivered = [reward for reward in rewards if reward.status == "delivered"]
    sure = sum(reward.amount for reward in delivered)
    early = sum(reward.amount for reward in delivered if reward.t_us < 60_000_000)
    # What is in doubt has its latest possible time, and counts from there.
    doubt = sum(reward.amount for reward in rewards if reward.status == "unconfirmed")
    assert before == early + doubt > 0
    assert given("00:00", "01:00") == early
    assert given("00:00", "59:00") == sure + doubt == footer_of(broken).ul


def test_a_board_that_is_not_there_changes_nothing(
    broken: Path, rig: Rig, far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in broken.rglob("*") if path.is_file()}
    monkeypatch.setattr(common, "now", lambda: datetime.datetime.fromisoformat("2026-11-21T09:10"))
    answer = rig("run", "--resume", "--subject", "M1", "--rig", far, "--yes")
    assert answer.status == 3
    assert {path: path.read_bytes() for path in broken.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("where", ["its file", "a box", "default_rig"])
def test_without_a_rig_it_goes_on_with_the_file_on_which_it_ran(
    broken: Path, resume: Resume, far: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if where != "its file":
        far = far.rename(tmp_path / "far.yaml")  # no longer where the session recorded it
        said = f'default_rig = "{far}"' if where == "default_rig" else f'[boxes]\n"box b" = "{far}"'
        Path("rig.toml").write_text(said)
    answer = resume("2026-11-21T09:10", "--resume", "--subject", "M1", rig_file=None)
    assert answer.status == 0, answer.err
    assert "on rig far" in answer.err


def test_a_rig_that_is_nowhere_is_named_with_the_option_that_helps(broken: Path, resume: Resume, far: Path) -> None:
    far.unlink()
    answer = resume("2026-11-21T09:10", "--resume", "--subject", "M1", rig_file=None)
    assert answer.status == 2
    assert "ran on rig far: give its file: --rig FILE" in answer.err
