"""``rig subject why``: explain which rule selected a subject's stage, with its sessions and numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.config import find, load_config, names, validate
from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError
from rig.records.history import PastSession, past_sessions
from rig.session.stage_rules import RuleResult, StageDecision, select_stage
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class StageExplanation:
    """The explanation of a subject's stage."""

    subject: str
    decision: StageDecision
    file: CurriculumFile
    past: Sequence[PastSession]
    """The sessions of the curriculum, oldest first."""
    outside: int
    unreadable: Sequence[Path]
    copied: Path | None
    """The curriculum's file, where it is a copy in a session's folder."""


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation; change nothing."""
    with known_subject(arguments) as subject:  # a running session's journal has no end either; the lock refuses it
        why = _why(subject, arguments.curriculum)
    if arguments.json:
        print_json(_as_json(why))
    else:
        print(*_lines(why), sep="\n")
    return OK


def _why(subject: SubjectFolder, curriculum: str | None) -> StageExplanation:
    found = list(past_sessions(subject.folder, simulated=subject.simulated))
    every = [session for session in found if isinstance(session, PastSession)]
    past = [session for session in every if session.voided is None]
    path = find("curricula", curriculum) if curriculum is not None else _newest(subject.name, past)
    file = validate(CurriculumFile, load_config(path))
    inside = [
        session
        for session in reversed(every)
        if session.curriculum is not None and session.curriculum["name"] == path.stem
    ]
    unreadable = [path for path in reversed(found) if isinstance(path, Path)]
    decision = select_stage(path.stem, file, past, subject=subject.name)
    copied = path if path.is_relative_to(subject.folder) else None
    return StageExplanation(subject.name, decision, file, inside, len(every) - len(inside), unreadable, copied)


def _newest(subject: str, newest_first: Sequence[PastSession]) -> Path:
    """Return the curriculum of the newest session that has one: by its name, or the session's own copy of its file.

    Raises ``ConfigError``.
    """
    session = next((past for past in newest_first if past.curriculum is not None), None)
    if session is None or session.curriculum is None:
        raise ConfigError(f"no session of {subject} belongs to a curriculum: give --curriculum NAME")
    name = str(session.curriculum["name"])
    if name in names("curricula"):  # a journal must not choose a path
        return find("curricula", name)
    copies = (path for path in sorted((session.folder / "config").glob("*/*.y*ml")) if path.stem == name)
    if (copy := next((path for path in copies if "stages" in load_config(path).data), None)) is not None:
        return copy
    raise ConfigError(f"the curriculum {name!r} of {session.name} is not found by its name: give --curriculum PATH")


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
    for stage, reason, sessions in _visits(why.past):
        names = [each.name for each in sessions if each.advances_state]
        span = f", {' to '.join(dict.fromkeys((names[0], names[-1])))}" if names else ""
        yield f"  {stage}: {pluralize(len(names), 'session')}{span}; {reason}"
    for session in why.past:
        if not session.advances_state:
            yield f"  {session.name} does not count: {_why_not(session)}"
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


def _visits(past: Sequence[PastSession]) -> Iterator[tuple[str, str, list[PastSession]]]:
    """Yield the visited stages in order, each with the reason and its sessions."""
    visit = 0
    numbered: list[tuple[tuple[int, str], PastSession]] = []
    for session in past:
        facts = session.curriculum or {}
        visit += facts["override"] is not None
        numbered.append(((visit, facts["stage"]), session))
    for (_, stage), group in groupby(numbered, key=lambda each: each[0]):
        sessions = [session for _, session in group]
        yield stage, str((sessions[0].curriculum or {})["why"]), sessions


def _why_not(session: PastSession) -> str:
    if session.voided is not None:
        return f"it is voided, {session.voided}"
    if session.reason is None:
        return f"it has no end; `rig recover {session.folder}`"
    if session.reason in ("operator", "idle"):
        return f"ended by {session.reason} after {pluralize(session.trials, 'trial')}, fewer than min_trials"
    if session.reason == "participant_left":
        return "the participant declined or withdrew"
    return f"it ended by a {session.reason}"


def _as_json(why: StageExplanation) -> dict[str, Any]:
    decision = why.decision
    return {
        "subject": why.subject,
        **decision.header_fields(),
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
                "stage": (each.curriculum or {})["stage"],
                "counts": each.advances_state,
                "reason": each.reason,
            }
            for each in why.past
        ],
        "outside": why.outside,
        "unreadable": [str(path) for path in why.unreadable],
    }
