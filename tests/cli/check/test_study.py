"""`rig check` and `rig show` of studies: their mistakes, their size, their arms."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

STUDY = """\
# yaml-language-server: $schema=study.schema.json
title: Two odds
arms:
  low: {protocol: two_armed_bandit, model: rflr, stop: {session_s: 60}, subjects: 2, sessions: 3}
  high: {like: low, params: {p_high: 0.9}}
analyses: {all: {}}
figures: [{name: rate, of: all, take: groups/80-20/rates/p_high/value, at_least: 0.5, source: chance}]
"""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("configs/studies/odds.yaml")
    path.parent.mkdir(parents=True)
    path.write_text(STUDY)
    return path


def spoil(path: Path, old: str, new: str) -> Path:
    assert old in STUDY
    path.write_text(STUDY.replace(old, new, 1))
    return path


def test_check_tells_how_many_sessions_a_study_has(rig: Rig, study: Path) -> None:
    answer = rig("check", "odds", "--json")
    assert answer.status == 0
    (file,) = json.loads(answer.out)["files"]
    assert (file["kind"], file["file"]) == ("study", str(study))
    assert file["notes"] == ["12 sessions, arms of subjects x sessions: low (2 x 3), high (2 x 3)", "1 figure"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("p_high: 0.9", "p_hihg: 0.9", ":5: arms.high.params.p_hihg: unknown key; did you mean 'p_high'?"),
        ("model: rflr", "model: rlfr", ":4: arms.low.model: model 'rlfr' is not installed"),
        ("of: all", "of: al", ":7: figures[0].of: there is no analysis 'al'; did you mean 'all'?"),
        ("arms:", "amrs:", ":3: amrs: unknown key; did you mean 'arms'?"),
    ],
)
def test_check_tells_of_a_mistake_at_its_line(rig: Rig, study: Path, old: str, new: str, said: str) -> None:
    answer = rig("check", spoil(study, old, new))
    assert (answer.status, answer.out) == (2, "")
    assert f"{study}{said}" in answer.err, answer.err


def test_check_tells_of_arms_that_an_analysis_does_not_tell_apart(rig: Rig, study: Path) -> None:
    spoil(study, "params: {p_high: 0.9}", "model_params: {beta: 1.6}, stop: {session_s: 50}")
    (file,) = json.loads(rig("check", "odds", "--json").out)["files"]
    assert file["notes"][-1].startswith("analysis all: arms low, high differ in their virtual subjects alone")


def test_check_runs_each_arm_dry(rig: Rig, study: Path) -> None:
    answer = rig("check", spoil(study, "stop: {session_s: 60}", "stop: {session_s: 60, max_ul: 1}"))
    assert answer.status == 2
    assert ":4: arms.low.stop.max_ul: the first reward is already more than a limit allows" in answer.err


def test_the_values_of_a_study_are_explained(rig: Rig, study: Path) -> None:
    answer = rig("check", "--explain", "arms.high.params.p_high", study)
    assert answer.out.splitlines()[:2] == ["arms.high.params.p_high: 0.9", f"    {study}:5"]


def test_studies_are_listed_with_their_arms(rig: Rig, study: Path) -> None:
    (study.parent / "wrong.yaml").write_text("title: t\n")
    found = {each["name"]: each for each in json.loads(rig("show", "studies", "--json").out)["studies"]}
    assert found.keys() >= {"odds", "wrong", "first_study"}
    assert (found["odds"]["sentence"], found["odds"]["figures"], found["odds"]["path"]) == ("Two odds", 1, str(study))
    assert found["odds"]["arms"][1] == {
        "name": "high",
        "runs": "two_armed_bandit",
        "model": "rflr",
        "subjects": 2,
        "sessions": 3,
    }
    assert "arms" in found["wrong"]["mistake"]
    assert "two_armed_bandit | rflr | 2 subjects x 3 sessions" in rig("show", "studies").out


def test_the_schema_of_a_study_is_printed(rig: Rig) -> None:
    assert json.loads(rig("show", "schema", "study").out)["title"] == "study"
