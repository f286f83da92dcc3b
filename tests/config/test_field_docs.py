from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import pytest
from annotated_types import Gt
from pydantic import BaseModel, Field

from protocols.two_armed_bandit.tables.recorded_trials import RecordedTrials
from rig.config.field_docs import FieldDoc, default_sources, field_docs
from rig.config.models.protocol_file import SessionLimits
from rig.system.plugins import PROTOCOLS, installed_plugins
from tests.tables import rows


class Base(BaseModel):
    sources: ClassVar = {"p_high": "the paper", "wait_s": "a book"}

    p_high: float = Field(default=0.8, ge=0.5, le=1, description="how often it pays")
    wait_s: float | None = Field(default=None, gt=0)


class Params(Base):
    sources: ClassVar = {"wait_s": "ours"}

    side: Literal["left", "right"] = "left"
    lit: bool = True
    laps: int
    odds: tuple[float, ...] = ()
    file: RecordedTrials | None = None
    block_rewards_min: int = 3
    block_rewards_max: int = Field(default=5, lt=100)
    idle_min: float = 2
    max_ul_day: float | None = None
    rate_hz: Annotated[float, Gt(0)] | None = None
    pokes_per_s: float = 1
    speed_cm_per_s: float = 1
    pay_per_point: float = 0
    per_s: float = 1
    name_s: str = "x"
    s: float = 1
    q_stay: float = 0.98
    laser_p: float = 0
    pins: dict[str, Any] = Field(default_factory=dict)
    words: Mapping[str, str] = Field(default_factory=dict)


KEYS = {key.name: key for key in field_docs(Params)}


def test_every_key_is_listed_in_its_order():
    assert list(KEYS) == list(Params.model_fields)


def test_a_key_is_described_whole():
    assert KEYS["p_high"] == FieldDoc(
        name="p_high",
        type="number",
        default=0.8,
        unit="probability",
        bounds={"ge": 0.5, "le": 1},
        description="how often it pays",
        source="the paper",
    )


@pytest.mark.parametrize(
    ("name", "unit"), [("pokes_per_s", "1/s"), ("speed_cm_per_s", "cm/s"), ("pay_per_point", ""), ("per_s", "s")]
)
def test_a_rate_has_the_unit_of_a_rate(name: str, unit: str) -> None:
    assert KEYS[name].unit == unit


def test_a_key_without_a_default_is_required():
    assert [key.name for key in KEYS.values() if key.required] == ["laps"]
    assert KEYS["laps"].default is None


@rows("name", "accepted")
def test_what_is_accepted_is_said_in_words(name, accepted):
    assert KEYS[name].accepted == accepted


@rows("name", "unit")
def test_the_unit_is_that_of_the_name_of_a_number(name, unit):
    assert KEYS[name].unit == unit


def test_defaults_are_as_yaml_has_them():
    assert (KEYS["odds"].default, KEYS["pins"].default, KEYS["file"].default) == ([], {}, None)


def test_a_source_of_the_class_goes_before_those_of_its_bases():
    assert default_sources(Params) == {"p_high": "the paper", "wait_s": "ours"}
    assert default_sources(Base)["wait_s"] == "a book"


@pytest.mark.parametrize("name", ["two_armed_bandit", "free_water"])
def test_every_parameter_of_a_shipped_protocol_says_what_it_is_and_where_its_default_is_from(name):
    params = installed_plugins(PROTOCOLS)[name].load().params_type
    for key in field_docs(params):
        assert key.description, key
        assert key.source, key
        assert key.unit or key.type != "number", key
    assert default_sources(params).keys() <= params.model_fields.keys()


def test_every_default_that_ends_a_session_says_where_it_is_from():
    assert [key.name for key in field_docs(SessionLimits) if key.default is not None and not key.source] == []
    assert default_sources(SessionLimits).keys() <= SessionLimits.model_fields.keys()
