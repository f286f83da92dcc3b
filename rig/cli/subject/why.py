"""``rig subject why``: explain which rule selected a subject's stage, with its sessions and numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from msgspec import to_builtins

from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.session.curriculum.explanation import StageExplanation, explain_stage, stage_visits, why_not_counted
from rig.session.select_stage import RuleResult, StageDecision
from rig.system.statuses import OK
from rig.terminal.format import pluralize


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation; change nothing."""
    with known_subject(arguments) as subject:  # a running session's journal has no end either; the lock refuses it
        why = explain_stage(subject, arguments.curriculum)
    if arguments.json:
        print_json(_as_json(why))
    else:
        print(*_lines(why), sep="\n")
    return OK


def _lines(why: StageExplanation) -> Iterator[str]:
    decision = why.decision
    if decision.finished:
        yield f"{why.subject} has been through {decision.curriculum}"
    else:
        yield f"{why.subject}, {decision.curriculum}: the next session is in stage {decision.stage}"
        yield f"  {why.file.stages[decision.stage].protocol}"
    yield f"  {decision.explanation}"
    if why.copied is not None:
        yield f"  by the newest session's copy, {why.copied}: --curriculum PATH takes the file itself"
    for tried in decision.rule_results:
        yield from _of_rule(tried, decision)
    yield ""
    yield "so far:"
    for stage, reason, sessions in stage_visits(why.past):
        names = [each.name for each in sessions if each.advances_state]
        span = f", {' to '.join(dict.fromkeys((names[0], names[-1])))}" if names else ""
        yield f"  {stage}: {pluralize(len(names), 'session')}{span}; {reason}"
    for session in why.past:
        if not session.advances_state:
            yield f"  {session.name} does not count: {why_not_counted(session)}"
    yield from (f"  {path.parent}: has no header that can be read, and does not count" for path in why.unreadable)
    if why.outside:
        yield f"  {pluralize(why.outside, 'session')} outside of {decision.curriculum} do not count for it"


def _of_rule(tried: RuleResult, decision: StageDecision) -> Iterator[str]:
    yield ""
    yield f"rule {decision.previous_stage} -> {tried.rule.to}: {'holds' if tried.holds else 'does not hold'}"
    for weighed in tried.conditions:
        yield f"  {'yes' if weighed.holds else 'no '}  {weighed.condition}"
        for value in weighed.values:
            yield f"       {value.where}: {value.error or value}{'' if value.holds else '  (no)'}"


def _as_json(why: StageExplanation) -> dict[str, object]:
    decision = why.decision
    return {
        "subject": why.subject,
        **to_builtins(decision.recorded),
        "over": decision.finished,
        "rules": [
            {
                "to": tried.rule.to,
                "holds": tried.holds,
                "when": [
                    {
                        "condition": str(weighed.condition),
                        "holds": weighed.holds,
                        "values": [vars(value) for value in weighed.values],
                    }
                    for weighed in tried.conditions
                ],
            }
            for tried in decision.rule_results
        ],
        "past": [
            {
                "session": each.name,
                "stage": each.stage,
                "counts": each.advances_state,
                "reason": each.reason,
            }
            for each in why.past
        ],
        "outside": why.outside,
        "unreadable": [str(path) for path in why.unreadable],
    }
