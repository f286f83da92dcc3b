"""What happened beside the task: pauses, breaks, faults, requests, changed parameters and notes, in their order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rig.core.journal.kinds import FAULTS, Correction, Note, OperatorNote, ParamsChanged, Paused, Resumed
from rig.core.model.events import Continued, Request
from rig.core.model.line import Line
from rig.expectations.rules.reported import Reported
from rig.records.session.summary import CONDITIONS
from rig.terminal.format import clock, param_texts, prefixed

MOST_MOMENTS = 300
"""So many are listed; a session with more has its journal."""
MOST_ALIKE = 5
"""So many notes of the program with the same word are listed; a protocol may write one in each trial."""

KINDS = (Paused, Resumed, ParamsChanged, Request, Continued, Correction, OperatorNote, Note, *FAULTS)
"""The kinds of lines that `timeline` reads."""


@dataclass(frozen=True)
class Moment:
    """One thing that happened: when, of which kind, and in words; ``by_person`` says that a person did it.

    ``word`` is that of a note of the program or the protocol; otherwise it is empty.
    """

    t_us: int
    kind: str
    text: str
    by_person: bool = False
    word: str = ""


def timeline(lines: Iterable[Line]) -> list[Moment]:
    """Return what happened beside the task, in the order of the journal."""
    return [moment for line in lines for moment in _moments(line)]


def shown(moments: Iterable[Moment]) -> tuple[list[Moment], Counter[str]]:
    """Return the moments to list, and how many notes of each word are left out."""
    counts: Counter[str] = Counter()
    listed, left_out = [], Counter[str]()
    for moment in moments:
        counts[moment.word] += 1
        if moment.word and counts[moment.word] > MOST_ALIKE:
            left_out[moment.word] += 1
        else:
            listed.append(moment)
    left_out["others"] += max(0, len(listed) - MOST_MOMENTS)
    return listed[:MOST_MOMENTS], +left_out


def _moments(line: Line) -> Iterator[Moment]:
    t_us = line.t_us
    match line:
        case Paused():
            yield Moment(t_us, "pause", "the session is paused", by_person=True)
        case Resumed(paused_us=paused_us):
            yield Moment(t_us, "resume", f"the session goes on after {clock(paused_us / 1e6)}", by_person=True)
        case ParamsChanged(changed=changed, trial=trial):
            text = f"{', '.join(param_texts(changed))}, from trial {trial} on"
            yield Moment(t_us, "parameter", text, by_person=True)
        case Request(what=what):
            yield Moment(t_us, "request", what, by_person=True)
        case Continued():
            yield Moment(t_us, "continued", _reported(line))
        case Correction(source=source):
            yield Moment(t_us, "correction", f"the board's answer after the session was added (from {source})")
        case OperatorNote(text=text):
            yield Moment(t_us, "note", text, by_person=True)
        case Note(what=what, fields=fields) if what not in CONDITIONS:
            yield Moment(t_us, "note", _reported(line) or f"{what}{prefixed(_fields_text(fields))}", word=what)
        case _ if isinstance(line, FAULTS):
            yield Moment(t_us, "fault", _reported(line))


def _reported(line: Line) -> str:
    """Return a line as the warnings say it; an empty text if it is none."""
    return next((finding.text for finding in Reported().take(line)), "")


def _fields_text(fields: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {value if isinstance(value, str) else json.dumps(value)}" for key, value in fields.items())
