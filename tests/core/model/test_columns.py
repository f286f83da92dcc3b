"""What a table's row says of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from rig.core.errors import TaskError
from rig.core.model.columns import Column, describe_columns
from rig.core.model.reward_types import HopperSeconds, RewardVolume
from rig.core.model.rows import OneOf, Row
from rig.core.task.trial_row import TrialRow


@dataclass
class Told(Row):
    t: float
    t_in: Annotated[float | None, Column("when the nose came")] = None
    side: Annotated[str, OneOf("left", "right"), Column("the side")] = "left"
    drop: RewardVolume = 0.0
    access: HopperSeconds | None = None
    iti_s: int | float | None = None
    force: Annotated[float, Column("the press", unit="N")] = 0.0
    several: list[int] | None = None
    either: int | str = 0
    whether: bool = False
    listed: Literal["high", "low"] | None = None


def test_every_column_has_its_kind_its_unit_and_its_text() -> None:
    described = describe_columns(Told)
    assert {name: (each["kind"], each["unit"], each["text"]) for name, each in described.items()} == {
        "t": ("number", "s", ""),
        "t_in": ("number", "s", "when the nose came"),
        "side": ("text", "", "the side"),
        "drop": ("number", "ul", ""),
        "access": ("number", "s", ""),
        "iti_s": ("number", "s", ""),
        "force": ("number", "N", "the press"),
        "several": ("any", "", ""),
        "either": ("any", "", ""),
        "whether": ("boolean", "", ""),
        "listed": ("text", "", ""),
    }
    assert described["listed"]["values"] == ["high", "low"]
    assert described["side"]["values"] == ["left", "right"]


def test_the_usual_columns_of_a_trial_are_described() -> None:
    assert all(each["text"] for each in describe_columns(TrialRow).values())


def test_a_type_that_is_not_known_where_the_class_stands_is_refused() -> None:
    class Hidden(Row):
        __annotations__: dict[str, Any] = {"x": "Annotated[NoSuchType, 1]"}

    with pytest.raises(TaskError, match="the type of a column cannot be read"):
        describe_columns(Hidden)
