"""Rules of a stage that need more sessions than a stay has, and those that start again after a short visit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.config.errors.errors import Loc
from rig.config.models.criteria import StageCondition
from rig.config.models.curriculum import Rule, Stage
from rig.terminal.format import pluralize


def check_stay(stage: Stage) -> Iterator[tuple[Loc, str]]:
    """Yield place and text of each condition that needs more sessions than a stay in the stage can have."""
    for index, rule in enumerate(stage.rules):
        for number, condition in enumerate(rule.when):
            key, needed = _needed(condition)
            if condition.across:
                continue
            for leaving, other in enumerate(stage.rules):
                most = _ends_after(other)
                if most is None or leaving == index:
                    continue
                # A rule that comes first is tried first, also after the last session of a stay.
                limit = most - (leaving < index)
                if needed <= limit:
                    continue
                wanted = f"at most {limit} here, or more sessions there" if limit else "more sessions there"
                yield (
                    ("rules", index, "when", number, key),
                    f"is never reached: rules[{leaving}] leads to {other.to} after {pluralize(most, 'session')}, "
                    f"and this needs {needed}: wanted {wanted}",
                )
                break


def restarted(stages: Mapping[str, Stage]) -> Iterator[tuple[Loc, str]]:
    """Yield the conditions over several sessions that start again after each short visit to another stage.

    A short visit is one that comes back after a number of sessions, whatever they were like, as a probe does.
    """
    for name, stage in stages.items():
        visits = [to for to in dict.fromkeys(rule.to for rule in stage.rules) if _comes_back(stages, to, name)]
        for index, rule in enumerate(stage.rules):
            others = [to for to in visits if to != rule.to]
            for number, condition in enumerate(rule.when):
                if others and "across" not in condition.model_fields_set and _looks_back(condition):
                    yield (
                        ("stages", name, "rules", index, "when", number),
                        f"counts only since the last visit to {' or '.join(others)}: "
                        f"`across: [{', '.join(others)}]` counts on over it, `across: []` says that it starts again",
                    )


def _comes_back(stages: Mapping[str, Stage], there: str, back: str) -> bool:
    return there in stages and any(rule.to == back and _ends_after(rule) is not None for rule in stages[there].rules)


def _needed(condition: StageCondition) -> tuple[str, int]:
    """Return the key that says how many sessions a condition needs, and the number."""
    if condition.sessions is not None:
        return "sessions", condition.sessions
    return "required_sessions", condition.required_sessions


def _ends_after(rule: Rule) -> int | None:
    """Return after how many sessions a rule leads away whatever they were like; None if it depends on more."""
    counts = [condition.sessions for condition in rule.when if not condition.across]
    known = [count for count in counts if count is not None]
    return max(known) if len(known) == len(rule.when) else None


def _looks_back(condition: StageCondition) -> bool:
    return _needed(condition)[1] > 1 or condition.pooled or condition.window_sessions is not None
