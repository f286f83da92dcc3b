"""What `rig check` and `rig sim` let a protocol know of its subject."""

import datetime
import json
import shutil
from pathlib import Path

import pytest

from rig.core.journal.kinds import Weighed
from rig.records.subject_events import append_events
from scripts.recipes_page import FOLDER
from tests.cli.conftest import Rig

NOON = datetime.datetime(2026, 11, 20, 12)
MODEL = ("--model", "random_explorer", "--start", "2026-11-21T09:00", "--set", "stop.session_s=20")


@pytest.fixture(autouse=True)
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "lab")
    monkeypatch.chdir(tmp_path / "lab")


def header_of(session: Path) -> dict[str, object]:
    header: dict[str, object] = json.loads((session / "journal.jsonl").read_text().splitlines()[0])
    return header


def test_a_simulated_subject_has_its_number_and_the_weight_of_its_species(rig: Rig, data: Path) -> None:
    assert rig("sim", "reward_by_weight", "--subjects", "2", *MODEL).status == 0
    facts = [header_of(data / "sim" / name / "2026-11-21" / "001")["subject_facts"] for name in ("sim001", "sim002")]
    assert facts == [
        {"number": 1, "weight_g": 22.0, "weight_pct": 88.0},
        {"number": 2, "weight_g": 22.0, "weight_pct": 88.0},
    ]


def test_facts_of_a_simulated_subject_can_be_given(rig: Rig, data: Path) -> None:
    facts = ("--fact", "weight_g=20", "--fact", "number=8")
    assert rig("sim", "reward_by_weight", "--subject", "Ada", *facts, *MODEL).status == 0
    assert header_of(data / "sim" / "Ada" / "2026-11-21" / "001")["subject_facts"] == {
        "number": 8,
        "weight_g": 20.0,
        "weight_pct": 80.0,
    }
    refused = rig("sim", "reward_by_weight", "--subject", "Ada", "--fact", "wieght_g=20", *MODEL)
    assert refused.status == 2
    assert "--fact wieght_g=20: there is no fact 'wieght_g'; did you mean 'weight_g'?" in refused.err


def test_a_check_rehearses_with_the_records_of_a_subject(rig: Rig, data: Path) -> None:
    check = ("check", "reward_by_weight", "--start", "2026-11-21T09:00")
    unknown = rig(*check, "--subject", "M7")
    assert unknown.status == 2
    assert "has no such subject" in unknown.err
    (data / "M7").mkdir(parents=True)
    unweighed = rig(*check, "--subject", "M7")
    assert unweighed.status == 2
    assert "M7 needs a weight, and a number at the end of its name" in unweighed.err
    append_events(data / "M7", [Weighed(weight_g=24.0, when="before")], "Ada", NOON)
    assert rig(*check, "--subject", "M7").status == 0
