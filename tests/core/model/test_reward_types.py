"""The size of a reward is found by its type, wherever it stands among the parameters, and by no name."""

from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from rig import GivenAt, HopperSeconds, Pellets, RewardVolume, TaskParams
from rig.core.model.reward_types import reward_params, units_of


class Inner(TaskParams):
    ratios: tuple[Pellets, ...] = (2, 4)


class Params(TaskParams):
    window_s: float = 3.0
    water: RewardVolume = Field(default=2.5, ge=0.5, le=10)
    treat_ul: Annotated[RewardVolume, GivenAt("left", "right")] = 5.0
    bonus_ul: RewardVolume | None = None
    grain: HopperSeconds = 3.0
    inner: Inner = Inner()


def sizes(**values: Any) -> list[tuple[Any, ...]]:
    return [(*reward.loc, reward.unit, reward.size) for reward in reward_params(Params(**values))]


def test_every_reward_is_found_in_the_order_of_the_parameters() -> None:
    assert sizes() == [
        ("water", "ul", 2.5),
        ("treat_ul", "ul", 5.0),
        ("grain", "access_s", 3.0),
        ("inner", "ratios", 0, "pellets", 2),
        ("inner", "ratios", 1, "pellets", 4),
    ]


def test_a_reward_that_may_be_left_out_is_found_when_it_is_there() -> None:
    assert ("bonus_ul", "ul", 7.0) in sizes(bonus_ul=7)


def test_a_reward_is_given_at_every_device_of_its_unit_or_at_those_that_are_named() -> None:
    water, treat, *_ = reward_params(Params())
    assert water.is_given_at("center", "ul")
    assert not water.is_given_at("feeder", "pellets")
    assert not water.is_given_at("light", None)
    assert [name for name in ("left", "center", "right") if treat.is_given_at(name, "ul")] == ["left", "right"]


@pytest.mark.parametrize(
    ("key", "value", "is_taken"),
    [
        ("water", 10, True),
        ("water", 11, False),
        ("water", 0.4, False),
        ("treat_ul", 1000, True),
        ("treat_ul", 1001, False),
        ("treat_ul", 0, False),
        ("bonus_ul", -1, False),
        ("grain", 61, False),
    ],
)
def test_a_field_has_its_own_bounds_or_those_of_its_type(key: str, value: float, is_taken: bool) -> None:
    if is_taken:
        assert getattr(Params.model_validate({key: value}), key) == value
    else:
        with pytest.raises(ValidationError):
            Params.model_validate({key: value})


def test_the_schema_for_editors_has_the_narrower_bounds() -> None:
    properties = Params.model_json_schema()["properties"]
    assert (properties["water"]["minimum"], properties["water"]["maximum"]) == (0.5, 10)
    assert (properties["treat_ul"]["minimum"], properties["treat_ul"]["maximum"]) == (0.01, 1000)


def test_the_unit_is_that_of_the_type_whatever_the_name() -> None:
    assert units_of(Params) == {"water": "ul", "treat_ul": "ul", "bonus_ul": "ul", "grain": "s"}
