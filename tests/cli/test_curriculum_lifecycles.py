"""Whole lifecycles: subjects go through the shipped curricula to their end, in virtual time."""

import json
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import Note
from rig.records.journal.read import of_kind, read_journal, rows_of
from tests.cli.conftest import Rig
from tests.session_ends import header_of

TRAINING = {"ratio": 60, "short_intervals": 60, "single_disk": 5, "one_of_eight": 40}
ELIMINATION = ("eight_disks", "seven_disks", "six_disks", "five_disks", "four_disks", "three_disks")
LONGEST_S = (6561, 2187, 729, 243, 81)
SHORT = """\
extends: pigeon_bandit.yaml
stages:
  autoshaping:
    rules: [{to: ratio, when: [{sessions: 2}]}]
"""
"""Of sessions that are too short for 40 disks."""

Session = tuple[str, dict[str, Any], list[dict[str, Any]]]
"""Stage, assignment, pecks."""


def lifecycle(data: Path, subject: str) -> list[Session]:
    return [_read(path) for path in sorted((data / "sim" / subject).rglob("journal.jsonl"))]


def _read(path: Path) -> Session:
    lines = read_journal(path)
    (assignment,) = (note.fields for note in of_kind(lines, Note) if note.what == "assignment")
    stage = header_of(path).curriculum
    assert stage is not None
    return stage.stage, assignment, rows_of(lines)


def stages_of(life: list[Session]) -> list[tuple[str, int]]:
    return [(name, len(list(group))) for name, group in groupby(stage for stage, _, _ in life)]


def check_training(life: list[Session]) -> list[int]:
    """Hold a life to the paper's numbers; return the locations that were removed, in order."""
    (first, few), *stages = stages_of(life)
    assert first == "autoshaping"
    assert few >= 2
    assert dict(stages) == {**TRAINING, **dict.fromkeys(ELIMINATION, 24), "test": 24}
    assert sum(count for name, count in stages if name != "test") == 309
    by_stage = {name: [session for session in life if session[0] == name] for name, _ in stages}
    removed: list[int] = []
    for before, now in pairwise(ELIMINATION):
        pecks = Counter(peck["disk"] for _, _, rows in by_stage[before] for peck in rows if peck["disk"] >= 0)
        most = min(pecks, key=lambda disk: (-pecks[disk], disk))
        removed.append(most)
        for _, assignment, _ in by_stage[now]:
            assert assignment["removed"] == removed
            left = [vi_s for vi_s in assignment["vi_s"] if vi_s is not None]
            assert len(left) == 8 - len(removed)
            assert not set(left) & set(LONGEST_S[: len(removed)])
    assert all(not assignment["removed"] for _, assignment, _ in by_stage["test"])
    return removed


@pytest.mark.campaign
def test_the_training_of_a_pigeon_has_its_309_sessions_and_what_goes_depends_on_its_taste(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT)
    words = ("--model", "pigeon", "--subjects", "2", "--jobs", "2", "--days", "400", "--set", "stop.session_s=30")
    assert rig("sim", "--curriculum", path, *words).status == 0
    first, second = (check_training(lifecycle(data, subject)) for subject in ("sim001", "sim002"))
    assert len(set(first)) == len(set(second)) == 5
    assert first != second


@pytest.mark.campaign
def test_two_pigeons_of_other_tastes_lose_other_disks_in_whole_sessions(rig: Rig, data: Path) -> None:
    """P1 likes disk 5 most and P51 disk 4: what a bird likes is drawn from its name, for life.

    Which disks pay is drawn anew each day, so that 24 days show the taste of P51 in 4 of 5 lives only. With three times
    the usual bias they show it in 998 of 1,000, by the policy's own weights.
    """
    removed = []
    for subject in ("P1", "P51"):
        words = ("--model", "pigeon", "--param", "location_bias=3", "--subject", subject, "--days", "400")
        assert rig("sim", "--curriculum", "pigeon_bandit", *words).status == 0
        removed.append(check_training(lifecycle(data, subject)))
    assert [disks[0] for disks in removed] == [5, 4]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("curriculum", "model", "stages"),
    [
        ("two_armed_bandit", "rflr", 8),
        ("two_armed_bandit_2017", "rflr", 14),
        ("delay_discounting", "rat", 3),
        ("delay_discounting_exp1", "rat", 3),
    ],
)
def test_a_virtual_animal_gets_through_every_stage(
    rig: Rig, data: Path, curriculum: str, model: str, stages: int
) -> None:
    words = ("--curriculum", curriculum, "--model", model, "--subject", "S1", "--days", "90", "--json")
    answer = rig("sim", *words)
    assert answer.status == 0
    found = [summary["stage"] for summary in json.loads(answer.out)["sessions"]]
    assert len(dict.fromkeys(found)) == stages
    assert [name for name, _ in groupby(found)] == list(dict.fromkeys(found)), "no subject is sent back"
