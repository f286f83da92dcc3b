import datetime
import enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, field_validator, model_validator

from rig.config.errors.errors import ConfigIssuesError
from rig.config.errors.thousands import WrittenNumber
from rig.config.inheritance import LayeredConfig, load_config
from rig.config.validate import validate
from rig.devices.base import StrictModel
from tests.tables import rows


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(StrictModel):
    ul: float = Field(default=1, gt=0, le=20)


class Params(StrictModel):
    p_high: float = Field(default=0.8, ge=0, lt=1)
    n: int = 1
    name: str = Field(default="abc", min_length=2, max_length=4, pattern="^[a-z]+$")
    light: bool = True
    mode: Literal["fast", "slow"] = "fast"
    color: Color = Color.RED
    span: tuple[int, int] = (1, 2)
    odds: list[float] = Field(default=[], min_length=0, max_length=3)
    inner: Inner = Inner()
    many: dict[str, Inner] = Field(default={})
    row: list[Inner] = Field(default=[])
    either: float | Literal["auto"] = "auto"
    day: datetime.date = datetime.date(2026, 1, 1)
    clock: datetime.time = datetime.time(0)
    nothing: None = None
    step: int = Field(default=5, multiple_of=5)


def tree(**data: Any) -> LayeredConfig:
    return LayeredConfig(data)


@rows("key", "value", "expected")
def test_a_wrong_value_is_explained_in_plain_words(mistakes, key, value, expected):
    assert mistakes(validate, Params, tree(**{key: value})) == [f"command line: {key}: {expected}"]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("2.400", "write 2400, without a separator of thousands"),
        ("1.000", "write 1000 for thousands, or 1 if this is a decimal fraction"),
    ],
)
def test_a_whole_number_with_a_point_is_told_what_to_write(mistakes, text, advice):
    found = mistakes(validate, Params, tree(n=WrittenNumber(text)))
    assert found == [f"command line: n: must be a whole number, got {text}; {advice}"]


def test_a_rare_error_keeps_the_words_of_pydantic(mistakes):
    found = mistakes(validate, Params, tree(clock="x"))
    assert found == ["command line: clock: input should be in a valid time format, input is too short, got 'x'"]


def test_a_mistake_deep_down_names_its_place(mistakes):
    found = mistakes(validate, Params, tree(row=[{}, {"ul": 3000}], many={"a": {"ul": 0}}, odds=[1, "x"]))
    assert found == [
        "command line: odds[1]: must be a number, got 'x'",
        "command line: many.a.ul: must be > 0, got 0",
        "command line: row[1].ul: must be <= 20, got 3000",
    ]


def test_an_unknown_key_says_what_was_meant_and_what_is_accepted(mistakes):
    assert mistakes(validate, Params, tree(p_hihg=0.5)) == ["command line: p_hihg: unknown key; did you mean 'p_high'?"]
    keys = ", ".join(Params.model_fields)
    assert mistakes(validate, Params, tree(zzz=0.5)) == [f"command line: zzz: unknown key; accepted: {keys}"]
    found = mistakes(validate, Params, tree(inner={"ull": 1}, many={"a": {"zzz": 1}}, row=[{"uL": 1}]))
    assert found == [
        "command line: inner.ull: unknown key; did you mean 'ul'? accepted: ul",
        "command line: many.a.zzz: unknown key; accepted: ul",
        "command line: row[0].uL: unknown key; accepted: ul",
    ]


def test_true_is_not_a_number_even_where_pydantic_says_so(mistakes):
    found = mistakes(validate, Params, tree(n=True, span=[1, False], many={"a": {"ul": True}}))
    assert found == [
        "command line: n: must be a number, got true",
        "command line: span[1]: must be a number, got false",
        "command line: many.a.ul: must be a number, got true",
    ]


def test_yes_and_no_are_truths_where_a_truth_is_wanted():
    assert validate(Params, tree(light="no")).light is False


def test_a_whole_number_may_be_written_as_a_power_of_ten():
    assert validate(Params, tree(n=1e3)).n == 1000


def test_all_mistakes_come_in_the_order_of_the_lines_with_the_file_of_each(write, mistakes):
    write("params:\n  p_high: 3\n  n: x\n", "base.yaml")
    path = write("extends: base.yaml\nparams:\n  zzz: 1\n  p_high: -1\n", "child.yaml")
    found = mistakes(lambda: validate(Params, load_config(path, ["params.mode=slow down"]), ("params",)))
    assert [line.split(": ")[:2] for line in found] == [
        ["base.yaml:3", "params.n"],
        ["child.yaml:3", "params.zzz"],
        ["child.yaml:4", "params.p_high"],
        ["command line", "params.mode"],
    ]


class Needy(StrictModel):
    a: int
    inner: Inner


def test_a_missing_key_is_marked_at_its_nearest_parent(write, mistakes):
    path = write("# note\nx: 1\nparams:\n  inner: {}\n")
    assert mistakes(lambda: validate(Needy, load_config(path), ("params",))) == [
        "a.yaml:3: params.a: required key is missing"
    ]
    assert mistakes(lambda: validate(Needy, load_config(path), ("stop", "more"))) == [
        "a.yaml:2: stop.more.a: required key is missing",
        "a.yaml:2: stop.more.inner: required key is missing",
    ]


def test_an_absent_section_is_one_with_only_defaults(write):
    assert validate(Inner, load_config(write("a: 1\n")), ("params",)) == Inner()
    assert validate(Inner, load_config(write("params: 5\n")), ("params", "inner")) == Inner()


def test_an_empty_section_is_a_mistake(write, mistakes):
    path = write("params:\n")
    assert mistakes(lambda: validate(Inner, load_config(path), ("params",))) == [
        "a.yaml:1: params: must be a mapping (key: value), got nothing"
    ]


class Ruled(StrictModel):
    low: float = 0
    high: float = 1
    both: list[float] = Field(default=[])

    @field_validator("both")
    @classmethod
    def _positive(cls, both: list[float]) -> list[float]:
        raise ConfigIssuesError(*(((index,), f"{value} is odd") for index, value in enumerate(both)))

    @model_validator(mode="after")
    def _ordered(self) -> "Ruled":
        if self.low > self.high:
            raise ValueError("low must be\n below high")
        return self


def test_a_rule_of_the_protocol_speaks_in_its_own_words_on_one_line(mistakes):
    assert mistakes(validate, Ruled, tree(low=3)) == ["command line: low must be below high"]


def test_a_validator_may_report_several_places(mistakes):
    assert mistakes(validate, Ruled, tree(both=[1, 3])) == [
        "command line: both[0]: 1.0 is odd",
        "command line: both[1]: 3.0 is odd",
    ]


class Dog(BaseModel, extra="forbid"):
    kind: Literal["dog"]
    bark: int = 1


class Cat(BaseModel, extra="forbid"):
    kind: Literal["cat"]
    meow: int = 1


class Zoo(StrictModel):
    pet: Dog | Cat | None = Field(default=None, discriminator="kind")
    either: Dog | Inner | None = None


def test_unions_with_a_discriminating_key_are_explained_by_that_key(mistakes):
    assert mistakes(validate, Zoo, tree(pet={"kind": "dgo"})) == [
        "command line: pet.kind: unknown kind 'dgo'; did you mean 'dog'? accepted: dog, cat"
    ]
    assert mistakes(validate, Zoo, tree(pet={"kind": "dog", "brak": 1})) == [
        "command line: pet.brak: unknown key; did you mean 'bark'? accepted: kind, bark"
    ]


def test_a_key_unknown_to_one_member_of_a_union_lists_those_of_that_member(mistakes):
    found = mistakes(validate, Zoo, tree(either={"kind": "dog", "bark": 1, "ull": 3}))
    assert "command line: either.ull: unknown key; did you mean 'ul'? accepted: ul" in found
    assert "command line: either.ull: unknown key; accepted: kind, bark" in found


def test_the_file_is_named_when_no_line_is_known(mistakes):
    assert mistakes(validate, Needy, LayeredConfig({"inner": {}}, {}, (Path("x.yaml"),))) == [
        "x.yaml: a: required key is missing"
    ]
