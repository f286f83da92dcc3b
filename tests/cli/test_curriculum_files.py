"""Files of curricula: checked with all that they name, listed, extended."""

import csv
import json
import os
from pathlib import Path

import pytest

from rig.config.models.curriculum import Stage
from rig.session.curriculum.condition_checks import check_rules
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.cli.conftest import Rig, Write
from tests.cli.recorded_sessions import headers, sim_arguments


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("two_armed_bandit_stage1", "two_armed_bandit_stag1", ":4: stages.water.protocol: no protocol is called"),
        (
            "{rewarded: 1}",
            "{rewraded: 1}",
            ":10: stages.water.rules[0].when[1].count.rewraded: the table has no column",
        ),
        ("count: {rewarded: 1}", "mean: choice", "when[1].mean: column 'choice' holds words; wanted one of numbers"),
        (
            "count: {rewarded: 1}",
            "count: {choice: {same_as: high}}",
            "count.choice.same_as: the table has no column 'high'",
        ),
        ("p_high: 0.9", "p_hihg: 0.9", ":13: params.p_hihg: unknown key; did you mean 'p_high'?"),
        ("p_high: 0.9", "conditions: [0.2]", ":13: params: conditions are values of p_high, 0.5 to 1"),
    ],
)
def test_check_finds_every_mistake_of_every_stage_at_its_line(
    rig: Rig, course: Write, old: str, new: str, said: str
) -> None:
    path = course((old, new))
    answer = rig("check", path)
    assert answer.status == 2
    assert said in answer.err, answer.err


def test_check_lists_the_mistakes_of_all_stages_at_once(rig: Rig, course: Write) -> None:
    answer = rig("check", course(("p_high: 0.9", "p_high: 9"), ("{rewarded: 1}", "{paid: 1}")))
    assert len(answer.err.splitlines()) == 2


def test_check_tells_of_a_good_one_its_stages_and_those_that_no_rule_leads_to(rig: Rig, course: Write) -> None:
    answer = rig("check", course(("to: task", "to: end")))
    assert answer.out.endswith(": ok: 2 stages, a dry run of each: water, task; no rule leads to task\n")


def test_a_protocol_may_lie_beside_the_curriculum(rig: Rig, data: Path, course: Write) -> None:
    path = course(("protocol: two_armed_bandit\n", "protocol: mine.yaml\n"))
    (path.parent / "mine.yaml").write_text("extends: two_armed_bandit.yaml\nparams: {q_stay: 0.9}\n")
    assert rig("check", path).status == 0
    assert rig(*sim_arguments(path, "--days", 3)).status == 0
    assert headers(data)[-1]["params"]["q_stay"] == 0.9


def test_the_curricula_are_listed_with_their_stages(rig: Rig, course: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = course(("to: task", "to: nowhere"))
    (path.parent.parent / "configs").symlink_to(path.parent.parent)
    monkeypatch.chdir(path.parent.parent)
    found = {each["name"]: each for each in json.loads(rig("show", "curricula", "--json").out)["curricula"]}
    assert found.keys() >= {"course", "two_armed_bandit", "pigeon_bandit", "delay_discounting"}
    assert "there is no stage 'nowhere'" in found["course"]["mistake"]
    assert found["pigeon_bandit"]["stages"][1] == {
        "name": "ratio",
        "protocol": "disk_bandit_rr",
        "rules": ["short_intervals: sessions >= 60"],
    }
    assert "Water for two days, then the task." in rig("show", "curricula").out


def test_a_curriculum_may_extend_another_of_its_own_kind(rig: Rig, course: Write, tmp_path: Path) -> None:
    path = course()
    path.write_text("extends: two_armed_bandit.yaml\nstages:\n  task:\n    protocol: two_armed_bandit_70-30\n")
    assert "8 stages" in rig("check", path).out


def test_the_path_of_a_folder_is_no_curriculum(rig: Rig, data: Path) -> None:
    answer = rig("sim", "--curriculum", f"configs{os.sep}curricula", "--model", "rflr")
    assert answer.status == 2
    assert "is a folder; a YAML file is wanted" in answer.err


@pytest.mark.parametrize("name", ["two_armed_bandit", "free_water", "delay_discounting", "disk_bandit"])
def test_the_rows_of_shipped_protocols_hold_the_words_that_they_declare(rig: Rig, data: Path, name: str) -> None:
    words = ("--model", "random_explorer", "--subject", "M1", "--start", "2026-11-21", "--set", "stop.session_s=300")
    answer = rig("sim", name, *words, "--json")
    assert answer.status == 0
    (table,) = data.rglob("trials.csv")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    task = build_spec(SessionRequest(name)).found.task
    declared = [column for column, hint in task.row_type.__annotations__.items() if "OneOf" in str(hint)]
    assert declared
    for column in declared:
        for word in {row[column] for row in rows} - {""}:
            rule = {"to": "on", "when": [{"share": {column: word}, "above": 0.5}]}
            stage = Stage.model_validate({"protocol": name, "rules": [rule]})
            assert list(check_rules(stage, task.row_type)) == [], (column, word)
