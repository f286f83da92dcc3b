"""What editors are told agrees with what our models accept."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import BaseModel, Field, ValidationError

from rig.config import CalibrationFile, ProtocolFile, SessionLimits, load_config, rig_file_model
from rig.config.errors.error_messages import booleans_as_numbers
from rig.config.field_docs import field_docs
from rig.config.json_schema import calibration_schema, of_model, protocol_schema, rig_schema
from rig.config.yaml.document import read_yaml
from rig.core.task.task import TaskParams
from rig.devices.kinds import installed_kinds
from rig.system.plugins import PROTOCOLS, installed_plugins
from scripts import schemas
from tests.repository import ROOT
from tests.tables import rows

SHIPPED = sorted((ROOT / "configs").glob("*/*.yaml"))
BANDIT = installed_plugins(PROTOCOLS)["two_armed_bandit"].load().params_type
OF_BANDIT = Draft7Validator(protocol_schema("two_armed_bandit", BANDIT, installed=True))
OF_RIG = Draft7Validator(rig_schema())
OF_CALIBRATION = Draft7Validator(calibration_schema())
RIG = rig_file_model(installed_kinds())

STOP = {"session_s": 60, "max_ul": 10}
PROTOCOL = {"protocol": "two_armed_bandit", "stop": STOP}
POINTS = [{"open_ms": 10, "ul": 1}, {"open_ms": 20, "ul": 2}]
MEASURED = {"valve": "left", "date": "2026-11-03", "points": POINTS}


class Inner(BaseModel):
    pair: tuple[int, str] = (1, "a")


class Lab(TaskParams):
    laps: int = Field(ge=1, description="how often")
    inner: Inner = Field(default=Inner(), description="nested")
    inners: tuple[Inner, ...] = ()


def test_no_schema_is_superfluous():
    assert sorted(schemas.FOLDER.glob("*")) == sorted(schemas.pages())


@pytest.mark.parametrize("path", sorted(schemas.pages()), ids=lambda path: path.name)
def test_every_schema_is_draft_7_and_nothing_newer(path):
    schema = json.loads(schemas.pages()[path])
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(schema)
    assert_draft_7(schema)
    assert schema["title"]


def assert_draft_7(node: Any) -> None:
    """No word of a later draft, nothing beside a reference, and no property that is left open by mistake."""
    if isinstance(node, list):
        for entry in node:
            assert_draft_7(entry)
    if isinstance(node, dict):
        later = {"$defs", "prefixItems", "dependentRequired", "unevaluatedProperties", "discriminator", "$anchor"}
        assert not later & node.keys()
        assert "$ref" not in node or len(node) == 1
        for key, value in node.items():
            assert_draft_7(list(value.values()) if key in ("properties", "definitions") else value)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_shipped_file_names_its_schema_first_and_is_right_by_it(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=../schemas/")
    schema = json.loads((path.parent / first.partition("=")[2]).read_text(encoding="utf-8"))
    kinds = {"rigs": "rig", "calibrations": "calibration", "curricula": "curriculum", "boxes": "boxes"}
    kind = (kinds | {"studies": "study"}).get(path.parent.name)
    protocol = load_config(path).data.get("protocol")
    assert schema["title"] == (kind or f"protocol {protocol}")
    assert [error.message for error in Draft7Validator(schema).iter_errors(read_yaml(path).data)] == []


def model_accepts(model: type[BaseModel], data: Any) -> bool:
    """Whether a model takes each of the values; what they must be together is not asked."""
    try:
        value = model.model_validate(data)
    except ValidationError as error:
        together = all(detail["type"] == "value_error" and detail["loc"] == () for detail in error.errors())
        return together and not any(isinstance(each, bool) for each in data.values())
    return not list(booleans_as_numbers(data, value))


KEYS = {key.name: key for key in field_docs(BANDIT) if not key.name.endswith("_from")}
ODD = [None, True, False, "maybe", "", [], {}, [0.9], [0.9, "x"], ["left"], {"left": 1}, -1, 0, 0.5, 1, 1.5, 2, 1e9]
EDGES = sorted({bound + step for key in KEYS.values() for bound in key.bounds.values() for step in (-1e-6, 0, 1e-6)})
WORDS = sorted({word for key in KEYS.values() for word in key.choices if isinstance(word, str)})
VALUES = st.sampled_from([*ODD, *EDGES, *WORDS]) | st.floats(-1e4, 1e4) | st.integers(-100, 10_000)


@given(name=st.sampled_from([*KEYS, "p_hihg"]), value=VALUES)
@example(name="p_high", value=0.4999)
@example(name="laser", value={"p": True})
@example(name="laser", value={"p": 0.5, "delay_ms": 5})
@example(name="p_low", value=True)
@example(name="switch_rule", value="markow")
def test_the_schema_of_params_accepts_what_the_model_accepts(name, value):
    if name in KEYS and KEYS[name].type == "true or false" and isinstance(value, int | float):
        value = bool(value)  # pydantic takes 1 for true; an editor need not
    accepted = model_accepts(BANDIT, {name: value})
    assert OF_BANDIT.is_valid({**PROTOCOL, "params": {name: value}}) == accepted


@given(name=st.sampled_from([*SessionLimits.model_fields, "sesion_s"]), value=VALUES)
def test_the_schema_of_stop_accepts_what_the_model_accepts(name, value):
    stop = STOP | {"max_rewards": 5} | {name: value}
    assert OF_BANDIT.is_valid({**PROTOCOL, "stop": stop}) == model_accepts(SessionLimits, stop)


@rows("data", "right")
def test_protocol_files_are_refused_by_both_or_by_neither(data, right):
    def both():
        return model_accepts(ProtocolFile, data) and model_accepts(BANDIT, data.get("params", {}))

    assert (OF_BANDIT.is_valid(data), both()) == (right, right)


@rows("data", "right")
def test_rig_files_are_refused_by_both_or_by_neither(data, right):
    assert (OF_RIG.is_valid(data), model_accepts(RIG, data)) == (right, right)


@rows("change", "right")
def test_calibration_files_are_refused_by_both_or_by_neither(change, right):
    data = MEASURED | change
    assert (OF_CALIBRATION.is_valid(data), model_accepts(CalibrationFile, data)) == (right, right)


@pytest.mark.parametrize("extends", ["two_armed_bandit.yaml", ["a.yaml", "b.yaml"]])
def test_a_file_that_extends_another_may_leave_out_what_that_one_gives(extends):
    assert OF_BANDIT.is_valid({"extends": extends})
    assert OF_BANDIT.is_valid({"extends": extends, "stop": {"max_trials": 5}})
    assert not OF_BANDIT.is_valid({"extends": extends, "stop": {"max_trails": 5}})
    assert OF_RIG.is_valid({"extends": extends, "devices": {"left": {"valve": 5, "calibration": "x"}}})
    assert OF_RIG.is_valid({"extends": extends, "devices": {"left": {"kind": "port", "valve": 5}}})
    assert not OF_RIG.is_valid({"extends": extends, "devices": {"left": {"kind": "port", "vavle": 5}}})
    assert OF_CALIBRATION.is_valid({"extends": extends, "note": "again"})
    assert not OF_CALIBRATION.is_valid({"extends": extends, "points": [{"open_ms": 5}, {"ul": 5}]})


@pytest.mark.parametrize("extends", [5, [5], {}, "", [""]])
def test_what_is_extended_is_a_file_or_some(extends):
    assert not OF_BANDIT.is_valid({"extends": extends})


def test_a_schema_says_what_a_person_would_ask():
    params = OF_BANDIT.schema["properties"]["params"]["properties"]
    assert params["q_stay"]["description"].startswith(
        "markov: probability per completed trial that the high port stays (probability)\n\nSource of the default: Beron"
    )
    assert params["q_stay"]["default"] == 0.98
    assert OF_BANDIT.schema["properties"]["protocol"]["enum"] == ["two_armed_bandit"]


def test_a_recorded_session_is_written_as_the_name_of_its_file():
    for value, right in [("mine.csv", True), (None, True), (5, False), ({"file": "mine.csv"}, False)]:
        assert OF_BANDIT.is_valid({**PROTOCOL, "params": {"trials_from": value}}) == right


def test_a_laboratorys_params_may_be_nested_and_required():
    schema = protocol_schema("lab", Lab, installed=False)
    assert_draft_7(schema)
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    head = {"protocol": "./lab.py:Lab", "stop": STOP}
    for params, right in [
        ({"laps": 3}, True),
        ({"laps": 3, "inner": {"pair": [2, "b"]}, "inners": [{"pair": [2, "b"]}, {}]}, True),
        ({"laps": 3, "inner": {"pair": [2, "b", 3]}}, False),
        ({"laps": 3, "inner": {"pair": [2, 3]}}, False),
        ({"laps": 3, "inners": [{"pair": ["b", 2]}]}, False),
        ({"laps": 0}, False),
        ({}, False),
    ]:
        assert (validator.is_valid({**head, "params": params}), model_accepts(Lab, params)) == (right, right), params
    assert not validator.is_valid(head)
    assert validator.is_valid({**head, "extends": "other.yaml"})


def test_a_model_that_holds_itself_has_a_schema_too():
    class Tree(BaseModel):
        below: "list[Tree]" = []

    Tree.model_rebuild()
    assert Draft7Validator(of_model(Tree)).is_valid({"below": [{"below": []}]})


def test_every_kind_of_file_that_is_shipped_was_looked_at():
    assert {path.parent.name for path in SHIPPED} == {
        "protocols",
        "curricula",
        "rigs",
        "calibrations",
        "boxes",
        "studies",
    }
