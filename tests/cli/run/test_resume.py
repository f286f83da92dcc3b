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
from rig.core.model.events import Continued
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


def test_the_newest_session_of_a_subject_goes_on_in_its_folder(broken: Path, resume: Resume, rig: Rig) -> None:
    first = (broken / "journal.jsonl").read_bytes()
    answer = resume("2026-11-21T09:10:30", "--resume", "--subject", "M1")
    assert answer.status == 0, answer.err
    assert "broke off" in answer.err
    lines = read_journal(broken)
    (line,) = [line for line in lines if isinstance(line, Continued)]
    footer = footer_of(broken)
    assert (line.why, line.t_us) == ("crash", 630_000_000)
    assert footer.reason == "time_limit"
    assert abs(footer.t_us - line.gap_us - 60e6) < 1e6
    assert (broken / "journal.part1.jsonl").read_bytes() == first
    assert (broken / "environment.2.json").exists()
    assert json.loads((broken / "summary.json").read_text())["trials"] == footer.trials
    assert [folder.name for folder in broken.parent.iterdir()] == ["001"]
    assert rig("replay", broken).status == 0
    assert rig("subject", "show", "M1").status == 0


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


def test_a_folder_names_the_session_too(broken: Path, resume: Resume) -> None:
    assert resume("2026-11-21T09:10", "--resume", broken).status == 0


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


def test_a_session_that_broke_off_too_long_ago_does_not_go_on(broken: Path, resume: Resume) -> None:
    answer = resume("2026-11-21T09:40", "--resume", "--subject", "M1")
    assert answer.status == 2
    assert "broke off 40 minutes ago, and stop.resume_within_min is 30: start a new session" in answer.err


def test_a_session_that_has_ended_does_not_go_on(real: Rig, resume: Resume, data: Path) -> None:
    assert real(BEGAN).status == 0
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    answer = resume("2026-11-21T09:10", "--resume", "--subject", "M1")
    assert answer.status == 2
    assert "it has ended: time limit" in answer.err
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before


def test_only_the_newest_session_goes_on(broken: Path, real: Rig, resume: Resume) -> None:
    assert real("2026-11-21T09:12").status == 0
    answer = resume("2026-11-21T09:14", "--resume", broken)
    assert answer.status == 2
    assert "is not the newest session of M1" in answer.err


def test_another_wiring_is_named(broken: Path, resume: Resume, far: Path) -> None:
    far.write_text(far.read_text().replace("light: 10", "light: 11"))
    answer = resume("2026-11-21T09:10", "--resume", "--subject", "M1")
    assert answer.status == 2
    assert "rig far is not that of the session: devices.left" in answer.err


def test_a_voided_session_does_not_go_on_until_it_counts_again(broken: Path, resume: Resume, rig: Rig) -> None:
    void = ("session", "void", "M1/2026-11-21/001", "--by", "Ada", "--reason", "a test")
    assert rig(*void).status == 0
    before = (broken / "journal.jsonl").read_bytes()
    answer = resume("2026-11-21T09:10", "--resume", broken)
    assert answer.status == 2, answer.err
    assert "cannot go on: it is voided (Ada: a test), and `rig session void --undo` lets it count again" in " ".join(
        answer.err.split()
    )
    assert (broken / "journal.jsonl").read_bytes() == before
    assert rig(*void, "--undo").status == 0
    assert resume("2026-11-21T09:10", "--resume", broken).status == 0


def test_a_retired_animal_goes_on_with_no_session(broken: Path, resume: Resume, rig: Rig) -> None:
    assert rig("subject", "retire", "M1", "--by", "Ada", "--reason", "its last day").status == 0
    answer = resume("2026-11-21T09:10", "--resume", "--subject", "M1")
    assert (answer.status, "M1: is retired since" in answer.err) == (2, True), answer.err


def test_what_decides_how_a_session_begins_is_refused(resume: Resume) -> None:
    answer = resume(BEGAN, "--resume", "--subject", "M1", "--seed", "3")
    assert answer.status == 2
    assert "--seed: decides how a new session begins" in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--resume",), "which session?"), (("--resume", "--subject", "M9"), "has no session that could go on")],
)
def test_without_a_session_it_says_what_is_missing(resume: Resume, words: tuple[str, ...], said: str) -> None:
    answer = resume(BEGAN, *words)
    assert answer.status == 2
    assert said in answer.err


def test_a_board_that_is_not_there_changes_nothing(
    broken: Path, rig: Rig, far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in broken.rglob("*") if path.is_file()}
    monkeypatch.setattr(common, "now", lambda: datetime.datetime.fromisoformat("2026-11-21T09:10"))
    answer = rig("run", "--resume", "--subject", "M1", "--rig", far, "--yes")
    assert answer.status == 3
    assert {path: path.read_bytes() for path in broken.rglob("*") if path.is_file()} == before


def test_the_start_of_a_new_session_says_that_the_last_one_can_go_on(broken: Path, real: Rig) -> None:
    answer = real("2026-11-21T09:10")
    assert f"\nrig run --resume {broken}\n" in answer.err
    assert "--resume" not in real("2026-11-21T10:10").err


def test_the_same_line_after_a_crash_is_refused_with_the_way_to_go_on(broken: Path, real: Rig) -> None:
    (broken.parent.parent / "subject.yaml").write_text("min_hours: 18\n")
    answer = real("2026-11-21T09:10")
    assert answer.status == 2
    assert f"the session of 09:00 broke off and can go on: rig run --resume {broken};" in " ".join(answer.err.split())
    late = real("2026-11-21T10:10")
    assert late.status == 2
    assert "--resume" not in late.err
    assert "the last session began 1.2 hours ago" in late.err


def test_a_second_break_goes_on_too(broken: Path, resume: Resume, rig: Rig) -> None:
    assert resume("2026-11-21T09:02", "--resume", "--subject", "M1").status == 0
    journal = broken / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if json.loads(line)["t"] > 125_000_000)
    journal.write_bytes(b"".join(lines[:at]) + lines[at][:20])
    (broken / "summary.json").unlink()
    assert resume("2026-11-21T09:05", "--resume", "--subject", "M1").status == 0
    assert (broken / "journal.part2.jsonl").exists()
    assert sum(isinstance(line, Continued) for line in read_journal(broken)) == 2
    assert rig("replay", broken).status == 0
