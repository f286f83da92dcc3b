"""``rig subject why``: which rule of a subject's curriculum chose its stage, from which sessions, with the numbers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.config import find, load, validate
from rig.config.curriculum import CurriculumFile
from rig.core.errors import ConfigError
from rig.live.words import counted
from rig.records.past import Past, past_sessions
from rig.session.stages import Decision, Tried, decide
from rig.session.subject import Subject
from rig.status import OK


@dataclass(frozen=True)
class Why:
    """Everything that is told of a subject."""

    subject: str
    decision: Decision
    file: CurriculumFile
    past: Sequence[Past]
    """The sessions of the curriculum, the first one first."""
    outside: int
    unreadable: Sequence[Path]


def run(arguments: argparse.Namespace) -> int:
    """Tell of a subject, changing nothing."""
    data = common.data_folder(arguments)
    folder = data / arguments.subject
    if not folder.is_dir():
        raise ConfigError(f"{data}: has no subject '{arguments.subject}'")
    with Subject(data, arguments.subject):  # the journal of a session that is running has no end either
        why = _why(folder, arguments.curriculum)
    if arguments.json:
        print(json.dumps(_as_json(why), indent=2))
    else:
        print("\n".join(_lines(why)))
    return OK


def _why(folder: Path, curriculum: str | None) -> Why:
    found = list(past_sessions(folder))
    past = [session for session in found if isinstance(session, Past)]
    path = find("curricula", curriculum or _newest(folder.name, past))
    file = validate(CurriculumFile, load(path))
    inside = [session for session in reversed(past) if session.facts is not None and session.facts["name"] == path.stem]
    unreadable = [path for path in reversed(found) if isinstance(path, Path)]
    decision = decide(path.stem, file, past)
    return Why(folder.name, decision, file, inside, len(past) - len(inside), unreadable)


def _newest(subject: str, newest_first: Sequence[Past]) -> str:
    """Name the curriculum of the newest session that has one. Raises ``ConfigError``."""
    for session in newest_first:
        if session.facts is not None:
            return str(session.facts["name"])
    raise ConfigError(f"no session of {subject} belongs to a curriculum: give --curriculum NAME")


def _lines(why: Why) -> Iterator[str]:
    decision = why.decision
    if decision.over:
        yield f"{why.subject} has been through {decision.curriculum}"
    else:
        yield f"{why.subject}, {decision.curriculum}: the next session is in stage {decision.stage}"
        yield f"  {why.file.stages[decision.stage].protocol}"
    yield f"  {decision.why}"
    for tried in decision.tried:
        yield from _of_rule(tried, decision)
    yield ""
    yield "so far:"
    for stage, reason, sessions in _visits(why.past):
        names = [each.name for each in sessions if each.counts]
        span = f", {' to '.join(dict.fromkeys((names[0], names[-1])))}" if names else ""
        yield f"  {stage}: {counted(len(names), 'session')}{span}; {reason}"
    for session in why.past:
        if not session.counts:
            yield f"  {session.name} does not count: {_why_not(session)}"
    yield from (f"  {path.parent}: has no header that can be read, and does not count" for path in why.unreadable)
    if why.outside:
        yield f"  {counted(why.outside, 'session')} outside of {decision.curriculum} do not count for it"


def _of_rule(tried: Tried, decision: Decision) -> Iterator[str]:
    yield ""
    yield f"rule {decision.came_from} -> {tried.rule.to}: {'holds' if tried.holds else 'does not hold'}"
    for weighed in tried.weighed:
        yield f"  {'yes' if weighed.holds else 'no '}  {weighed.condition}"
        for value in weighed.values:
            yield f"       {value.where}: {value.trouble or value}{'' if value.holds else '  (no)'}"


def _visits(past: Sequence[Past]) -> Iterator[tuple[str, str, list[Past]]]:
    """Give the stages in the order in which the subject was in them, each with why it came there."""
    visit = 0
    numbered: list[tuple[tuple[int, str], Past]] = []
    for session in past:
        facts = session.facts or {}
        visit += facts["override"] is not None
        numbered.append(((visit, facts["stage"]), session))
    for (_, stage), group in groupby(numbered, key=lambda each: each[0]):
        sessions = [session for _, session in group]
        yield stage, str((sessions[0].facts or {})["why"]), sessions


def _why_not(session: Past) -> str:
    if session.reason is None:
        return f"it has no end; `rig recover {session.folder}`"
    if session.reason in ("operator", "idle"):
        return f"ended by {session.reason} after {counted(session.trials, 'trial')}, fewer than min_trials"
    return f"it ended by a {session.reason}"


def _as_json(why: Why) -> dict[str, Any]:
    decision = why.decision
    return {
        "subject": why.subject,
        **decision.facts(),
        "over": decision.over,
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
                    for weighed in tried.weighed
                ],
            }
            for tried in decision.tried
        ],
        "past": [
            {"session": each.name, "stage": (each.facts or {})["stage"], "counts": each.counts, "reason": each.reason}
            for each in why.past
        ],
        "outside": why.outside,
        "unreadable": [str(path) for path in why.unreadable],
    }
