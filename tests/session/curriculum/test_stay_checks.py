"""Rules that need more sessions than a stay in their stage has, and those that start again after each probe."""

from typing import Any

import pytest

from rig.config.models.curriculum import Stage
from rig.session.curriculum.stay_checks import check_stay, restarted

LEAVES = {"to": "other", "when": [{"sessions": 4}]}
GOOD = {"share": {"choice": "left"}, "at_least": 0.8}


def on(**keys: Any) -> dict[str, Any]:
    return {"to": "end", "when": [keys if "sessions" in keys else {**GOOD, **keys}]}


def stage(*rules: dict[str, Any]) -> Stage:
    return Stage.model_validate({"protocol": "p", "rules": list(rules)})


@pytest.mark.parametrize(
    ("rules", "place", "wanted"),
    [
        ((LEAVES, on(required_sessions=5)), 1, "at most 3 here, or more sessions there"),
        ((LEAVES, on(required_sessions=4)), 1, "at most 3 here, or more sessions there"),
        ((on(required_sessions=5), LEAVES), 0, "at most 4 here, or more sessions there"),
        ((LEAVES, on(sessions=10)), 1, "at most 3 here, or more sessions there"),
        (({"to": "other", "when": [{"sessions": 1}]}, on()), 1, "more sessions there"),
    ],
    ids=["behind", "as many, behind", "before", "sessions", "never a turn"],
)
def test_a_rule_that_needs_more_sessions_than_a_stay_has_is_a_mistake(
    rules: tuple[dict[str, Any], ...], place: int, wanted: str
) -> None:
    ((loc, text),) = check_stay(stage(*rules))
    assert loc[:4] == ("rules", place, "when", 0)
    assert f"rules[{1 - place}] leads to other after" in text
    assert text.endswith(f"wanted {wanted}")


@pytest.mark.parametrize(
    "rules",
    [
        (LEAVES, on(required_sessions=3)),
        (on(required_sessions=4), LEAVES),
        (LEAVES, on(required_sessions=2, window_sessions=9)),
        (LEAVES, on(pooled=True, window_sessions=9)),
        ({"to": "other", "when": [{"sessions": 4}, GOOD]}, on(required_sessions=5)),
        (LEAVES, on(required_sessions=5, across=["other"])),
        (LEAVES, on(sessions=5, across=["other"])),
    ],
    ids=["fewer", "as many, before", "window", "pooled", "leaves if good", "across", "sessions across"],
)
def test_a_rule_that_can_hold_is_none(rules: tuple[dict[str, Any], ...]) -> None:
    assert list(check_stay(stage(*rules))) == []


BACK = stage({"to": "train", "when": [{"sessions": 1}]})
BACK_IF_BAD = stage({"to": "train", "when": [{"share": {"choice": ""}, "above": 0.5}]})
PROBED = {"to": "probe", "when": [{"sessions": 4}]}


@pytest.mark.parametrize("keys", [{"required_sessions": 3}, {"window_sessions": 3}, {"pooled": True}, {"sessions": 3}])
def test_a_criterion_over_days_that_a_probe_starts_again_is_told_with_the_way_out(keys: dict[str, Any]) -> None:
    ((loc, text),) = restarted({"train": stage(on(**keys), PROBED), "probe": BACK})
    assert loc == ("stages", "train", "rules", 0, "when", 0)
    assert "counts only since the last visit to probe: `across: [probe]` counts on" in text


@pytest.mark.parametrize("across", [["probe"], []], ids=["counts on", "starts again"])
def test_the_criterion_that_says_which_it_is_is_not_told(across: list[str]) -> None:
    assert list(restarted({"train": stage(on(required_sessions=3, across=across), PROBED), "probe": BACK})) == []


def test_a_criterion_of_one_day_and_a_stage_that_a_subject_falls_back_to_are_not_told() -> None:
    assert list(restarted({"train": stage(on(), PROBED), "probe": BACK})) == []
    fallen = stage(on(required_sessions=3), PROBED)
    assert list(restarted({"train": fallen, "probe": BACK_IF_BAD})) == []
