"""Rules of a stage against the table that its protocol writes: what can never be so, or always is."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, Optional

import pytest

from rig.config.models.curriculum import Stage
from rig.core.model.rows import OneOf, Row
from rig.session.curriculum.condition_checks import RowLimits, check_rules
from tests.tables import rows


class Ending(Enum):
    CHOSEN = "chosen"
    MISSED = "missed"


@dataclass
class Table(Row):
    side: Literal["left", "right"]
    other: Literal["left", "right"]
    outcome: Annotated[str, OneOf("", "rewarded", "unrewarded")]
    ending: Optional[Ending]  # noqa: UP045
    level: Literal[1, 2, 3]
    right: bool
    speed: float
    free: str
    rewarded: int


def wrong(*conditions: dict[str, Any], **limits: int) -> list[tuple[str, str]]:
    stage = Stage.model_validate({"protocol": "p", "rules": [{"to": "next", "when": list(conditions)}]})
    found = check_rules(stage, Table, RowLimits(**limits))
    return [(".".join(map(str, loc)).removeprefix("rules.0.when."), text) for loc, text in found]


@rows("where", "said")
def test_a_cell_that_no_row_ever_holds_is_a_mistake_with_what_was_probably_meant(
    where: dict[str, Any], said: str
) -> None:
    ((loc, text),) = wrong({"share": where, "at_least": 0.5})
    assert (loc, text[: len(said)]) == (f"0.share.{next(iter(where))}", said)


@rows("where")
def test_a_cell_that_a_row_may_hold_is_none(where: dict[str, Any]) -> None:
    assert wrong({"share": where, "at_least": 0.5}) == []


@rows("condition", "at", "said")
def test_a_number_that_cannot_be_or_must_be_so_is_a_mistake(condition: dict[str, Any], at: str, said: str) -> None:
    assert wrong(condition) == [(at, said)]


def test_more_rows_than_a_session_may_have_are_never_there() -> None:
    hundred = {"count": {"right": True}, "at_least": 100}
    assert wrong(hundred, max_trials=100) == []
    assert wrong(hundred, max_trials=99) == [("0.at_least", "a count is 0 to 99: none is >= 100")]
    assert wrong(hundred | {"pooled": True}, max_trials=99) == []
    assert wrong(hundred | {"pooled": True, "window_sessions": 2}, max_trials=50) == []
    few = {"share": {"right": True}, "at_least": 0.8, "min_rows": 60}
    ((loc, text),) = wrong(few, max_trials=50)
    assert (loc, text) == ("0.min_rows", "a session has 50 rows at most (stop.max_trials): 60 never are there")
    assert wrong(few | {"pooled": True, "window_sessions": 2}, max_trials=30) == []


def test_two_conditions_that_leave_no_number_are_reported_at_the_second() -> None:
    fast, slow = {"mean": "speed", "above": 30}, {"mean": "speed", "at_most": 30, "label": "slow"}
    ((loc, text),) = wrong(fast, slow)
    assert (loc, text) == ("1", "mean of speed cannot be <= 30 and, as before, > 30")
    assert wrong(fast, slow | {"at_most": 31}) == []
    assert wrong(fast, slow | {"required_sessions": 2}) == [], "they look at other sessions"
    assert wrong({"sessions": 2}, {"sessions": 3}) == []


def test_a_rule_that_asks_what_an_earlier_one_asks_never_leads_on() -> None:
    rules = [{"to": to, "when": [{"sessions": 3}]} for to in ("forward", "back")]
    ((loc, text),) = check_rules(Stage.model_validate({"protocol": "p", "rules": rules}), Table)
    assert (loc, text) == (("rules", 1, "when"), "asks the same as rules[0], which comes first: it never leads on")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"count": {"outcome": "rewarded"}}, [("0.above", "a count is 0 to 400: none is > 1000 (stop.max_rewards)")]),
        (
            {"count": {}, "filter": {"outcome": ["rewarded"]}},
            [("0.above", "a count is 0 to 400: none is > 1000 (stop.max_rewards)")],
        ),
        ({"count": {"rewarded": True}}, [("0.above", "a count is 0 to 400: none is > 1000 (stop.max_rewards)")]),
        ({"sum": "rewarded"}, [("0.above", "the sum of 'rewarded' is 0 to 400: none is > 1000 (stop.max_rewards)")]),
        ({"count": {"outcome": ["rewarded", "unrewarded"]}}, []),
        ({"count": {"outcome": "rewarded"}, "pooled": True}, []),
        ({"count": {"outcome": "rewarded"}, "pooled": True, "window_sessions": 3}, []),
        ({"sum": "speed"}, []),
    ],
)
def test_more_rewarded_rows_than_a_session_can_reward_never_are_there(
    condition: dict[str, Any], said: list[tuple[str, str]]
) -> None:
    assert wrong(condition | {"above": 1000}, max_rewards=400) == said
