"""What is wrong with a class of rows is told before the first trial."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Annotated, Any, ClassVar

import pytest

from rig.core.model.columns import Column
from rig.core.model.reward_types import RewardVolume
from rig.core.model.rows import OneOf, Row
from rig.core.task.row_class import row_class_problems
from rig.core.task.trial_row import TrialRow


class Undecorated(TrialRow):
    choice: str = ""


@dataclass
class Letter(TrialRow):
    letter: str = "choice"  # type: ignore[misc]
    choice: str = ""


@dataclass
class Hides(TrialRow):
    values: int = 0  # type: ignore[assignment]


@dataclass
class NoneByDefault(TrialRow):
    latency_s: float = None  # type: ignore[assignment]


@dataclass
class TwoUnits(TrialRow):
    latency_s: Annotated[float, Column("time to the poke", unit="ms")] = 0.0


@dataclass
class RewardInMs(Row):
    drop_ms: RewardVolume = 0.0


@dataclass
class Right(TrialRow):
    letter = "choice"
    shares: ClassVar[Any] = {}

    choice: Annotated[str | None, OneOf("left", "right")] = None
    latency_s: Annotated[float | None, Column("time to the poke", unit="s")] = None
    anything: Any = None
    drop_ul: RewardVolume = 0.0
    start: InitVar[int] = 0


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Undecorated, "Undecorated has no column 'choice': write @dataclass above the class"),
        (
            Letter,
            "Letter.letter: every row has 'letter' already: write letter = ... without a type, or with ClassVar",
        ),
        (Hides, "Hides.values: every row has 'values' already: give the column another name"),
        (
            NoneByDefault,
            "NoneByDefault.latency_s is None until it is set: write '| None' in its type, or another default",
        ),
        (TwoUnits, "TwoUnits.latency_s: its name says s, its type says ms"),
        (RewardInMs, "RewardInMs.drop_ms: its name says ms, its type says ul"),
    ],
)
def test_a_mistake_of_a_class_of_rows_is_told(kind: type[Row], text: str) -> None:
    assert list(row_class_problems(kind)) == [text]


@pytest.mark.parametrize("kind", [Right, TrialRow, Row])
def test_a_class_of_rows_that_is_right_has_no_mistake(kind: type[Row]) -> None:
    assert list(row_class_problems(kind)) == []
