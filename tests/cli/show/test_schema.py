"""`rig show schema`: of what a person writes and a script reads."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from rig.cli.show.template import TEMPLATES
from rig.config.yaml.document import read_yaml
from rig.records.session.summary import Summary
from tests.cli.conftest import BANDIT, Rig


def schema(rig: Rig, of: object) -> Draft7Validator:
    answer = rig("show", "schema", of)
    assert (answer.status, answer.err) == (0, "")
    found = json.loads(answer.out)
    Draft7Validator.check_schema(found)
    return Draft7Validator(found)


def test_what_is_printed_of_a_session_is_right_by_the_schema(rig: Rig, data: Path) -> None:
    validator = schema(rig, "summary")
    printed = json.loads(rig("sim", *BANDIT, "--json").out)["sessions"]
    (kept,) = [json.loads(path.read_text()) for path in data.glob("sim/*/*/*/summary.json")]
    assert [error.message for each in (*printed, kept) for error in validator.iter_errors(each)] == []
    optional = {"folder", "variant", "curriculum", "stage", "conditions", "remark"}
    assert kept.keys() == Summary.model_fields.keys() - optional
    assert not validator.is_valid(kept | {"trails": 5})
    assert not validator.is_valid({key: value for key, value in kept.items() if key != "reason"})


def test_a_table_without_choices_has_a_summary_without_them(rig: Rig, data: Path) -> None:
    words = ("free_water", "--model", "random", "--set", "stop.session_s=60", "--json")
    (printed,) = json.loads(rig("sim", *words).out)["sessions"]
    assert schema(rig, "summary").is_valid(printed)
    assert "p_switch" not in printed


def test_a_laboratorys_own_protocol_has_a_schema(rig: Rig) -> None:
    mine = read_yaml(TEMPLATES / "my_task.yaml").data
    for of in (TEMPLATES / "my_task.yaml", f"{TEMPLATES / 'my_task.py'}:MyTask"):
        validator = schema(rig, of)
        assert validator.schema["title"] == "protocol my_task"
        assert validator.is_valid(mine)
        assert validator.is_valid(mine | {"protocol": "elsewhere/my_task.py:MyTask"})
        assert not validator.is_valid(mine | {"params": {"p_lefd": 0.5}})


@pytest.mark.parametrize("of", ["rig", "curriculum", "calibration", "free_water", "two_armed_bandit_stage3"])
def test_every_kind_of_file_has_a_schema(rig: Rig, of: str) -> None:
    assert schema(rig, of).schema["additionalProperties"] is False


def test_what_has_no_schema_is_said(rig: Rig) -> None:
    answer = rig("show", "schema", "calibratoin")
    assert answer.status == 2
    assert "not installed" in answer.err
    assert "rig, curriculum, calibration, subject, lab, boxes, study and summary have a schema too" in answer.err
