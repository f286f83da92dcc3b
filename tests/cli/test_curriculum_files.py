"""Files of curricula: checked with all that they name, listed, extended."""

import csv
from pathlib import Path

import pytest

from rig.config.models.curriculum import Stage
from rig.session.check import check
from rig.session.curriculum.condition_checks import check_rules
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.cli.conftest import Rig, Write
from tests.cli.recorded_sessions import headers, sim_arguments


def test_a_protocol_may_lie_beside_the_curriculum(rig: Rig, data: Path, course: Write) -> None:
    path = course(("protocol: two_armed_bandit\n", "protocol: mine.yaml\n"))
    (path.parent / "mine.yaml").write_text("extends: two_armed_bandit.yaml\nparams: {q_stay: 0.9}\n")
    assert rig("check", path).status == 0
    assert rig(*sim_arguments(path, "--days", 3)).status == 0
    assert headers(data)[-1].params["q_stay"] == 0.9


def test_a_curriculum_may_extend_another_of_its_own_kind(
    rig: Rig, course: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "rehearse_spec", lambda *_: check.RehearsalReport(()))  # test_check_shipped runs them
    path = course()
    path.write_text("extends: two_armed_bandit.yaml\nstages:\n  task:\n    protocol: two_armed_bandit_70-30\n")
    assert "8 stages" in rig("check", path).out


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
