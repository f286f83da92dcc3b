"""Views: what a protocol may write, what the header holds of it, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.codec import parse_line
from rig.core.model.rows import OneOf, Row
from rig.core.model.shares import Share, fulfills
from rig.core.model.view_checks import view_problems
from rig.core.model.views import (
    Choices,
    Cumulative,
    Numbers,
    Outcomes,
    Places,
    Raster,
    RunningShare,
    Spans,
    Track,
    View,
)
from rig.core.task.trial_row import TrialRow
from rig.session.spec.task_classes import find_task, installed_task
from rig.system.plugins import PROTOCOLS, installed_plugins
from tests.journal_lines import HEADER, as_json, made, sealed_json


@dataclass
class Trial(TrialRow):
    shares: ClassVar[Mapping[str, Share]] = {"left": Share("choice", "equals", "left")}
    t_in: float = 0.0
    choice: Annotated[str, OneOf("", "left", "right")] = ""
    latency_s: float | None = None
    p_left: float = 0.5


@dataclass
class Interval(Row):
    disk: int
    t_armed: float


TABLES = {"trials": Trial, "intervals": Interval}
VIEWS = (
    Choices("choice", "rewarded", {"left": "p_left"}, title="choices"),
    Outcomes(where={"choice": "left", "rewarded": 1}),
    RunningShare("left", over=5, beside="p_left"),
    Numbers(("latency_s", "p_left"), log=True),
    Numbers("latency_s", by="choice", over=0),
    Cumulative("t_in", rows="pokes"),
    Places("latency_s", "p_left"),
    Track(),
    Spans("t_armed", "t_armed", "disk", table="intervals"),
    Raster("left.beam", at="t_in", before_s=1.5),
)


def problems(*views: Any) -> str:
    return "; ".join(view_problems(views, TABLES))


def test_views_of_columns_that_exist_are_right() -> None:
    assert problems(*VIEWS) == ""


@pytest.mark.parametrize("view", VIEWS)
def test_the_header_gives_a_view_back(view: View) -> None:
    header = made("header", **{**HEADER, "views": [as_json(view)]})
    assert header.views == [view]


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (Numbers("latncy_s"), ("views[0] (Numbers)", "Trial has no column 'latncy_s'", "Did you mean 'latency_s'?")),
        (Numbers("choice"), ("Trial.choice holds texts", "number")),
        (Choices("choice", odds={"up": "p_left"}), ("Trial.choice is never 'up'", "'left' or 'right'")),
        (Choices("choice", odds={"left": "outcome"}), ("Trial.outcome holds texts",)),
        (Outcomes(where={"choice": "middle"}), ("Trial.choice is never 'middle'",)),
        (Outcomes(table="laps"), ("there is no table 'laps'", "'trials' or 'intervals'")),
        (RunningShare("right"), ("Trial has no share 'right'", "left")),
        (RunningShare("left", table="intervals"), ("shares are counted in the table 'trials' only",)),
        (RunningShare(()), ("'shares' is empty",)),
        (Numbers(("latency_s", "p_left"), by="choice"), ("by: 'choice'", "latency_s, p_left")),
        (Numbers("latency_s", over=-1), ("'over' is not a whole number",)),
        (Numbers(3), ("'columns' is not a name",)),  # type: ignore[arg-type]
        (Choices(""), ("'column' is empty",)),
        ("choice", ("is no view", "Choices")),
    ],
)
def test_a_view_that_cannot_be_drawn_is_refused_with_what_would_be_right(view: Any, told: tuple[str, ...]) -> None:
    found = problems(view)
    assert all(text in found for text in told), found


def test_views_are_a_list_of_at_most_so_many() -> None:
    assert "no list" in "; ".join(view_problems(Outcomes(), TABLES))
    assert "more than" in problems(*[Outcomes()] * 33)


WRONG: tuple[Any, ...] = (
    3,
    [3],
    [{}],
    [{"view": "pie"}],
    [{"view": "numbers"}],
    [{"view": "numbers", "columns": []}],
    [{"view": "numbers", "columns": ["t"], "color": "red"}],
    [{"view": "numbers", "columns": [["t"]]}],
    [{"view": "numbers", "columns": ["t"], "over": 1e9}],
    [{"view": "numbers", "columns": ["t"], "over": True}],
    [{"view": "numbers", "columns": ["t"], "title": "x" * 1000}],
    [{"view": "outcomes", "where": {"a": {}}}],
    [{"view": "raster", "channels": "a", "at": "t", "after_s": -1}],
    [{"view": "outcomes"}] * 33,
)


@pytest.mark.parametrize("views", WRONG)
def test_a_header_with_other_views_is_refused(views: Any) -> None:
    body = {"seq": 0, "k": "header", "t": 0, **HEADER, "views": views}
    with pytest.raises(ValueError, match=r"\$\.views"):
        parse_line(sealed_json(body)[:-1])


@pytest.mark.parametrize("name", sorted(installed_plugins(PROTOCOLS)))
def test_every_shipped_protocol_says_what_people_look_at(name: str) -> None:
    assert installed_task(name).task.views


def test_a_protocol_with_a_wrong_view_is_refused_by_class_and_column(tmp_path: Any) -> None:
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "from typing import ClassVar\n"
        "from rig import Light, Next, Numbers, Task, TaskParams, TrialRow, state\n"
        "class Params(TaskParams):\n    pass\n"
        "@dataclass\nclass Box:\n    cue: Light\n"
        "@dataclass\nclass Trial(TrialRow):\n    licks: int = 0\n"
        "class Mine(Task[Params, Box, Trial]):\n"
        "    views: ClassVar = (Numbers('lick'),)\n"
        "    @state(to=('one',), can_end=True)\n    async def one(self) -> Next:\n"
        "        await self.sleep(1)\n        return self.one\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"Mine: views\[0\] \(Numbers\): Trial has no column 'lick'"):
        find_task(f"{tmp_path}/mine.py:Mine")


def test_a_share_compares_as_its_rule_says() -> None:
    before, row = {"a": "x", "b": "y"}, {"a": "y", "b": "y"}
    assert fulfills(Share("a", "equals", "y"), row, None) is True
    assert fulfills(Share("a", "same_as", "b"), before, None) is False
    assert fulfills(Share("a", "changes"), row, before) is True
    assert fulfills(Share("a", "changes"), row, None) is None
