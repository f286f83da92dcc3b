"""What happened beside the task: pauses, breaks, faults, requests, changed parameters and notes, in their order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rig.core.journal.lines import RESERVED_FIELDS, Line
from rig.expectations.rules.reported import Reported
from rig.records.session.summary import CONDITIONS
from rig.terminal.format import clock, param_texts, prefixed

MOST_MOMENTS = 300
"""So many are listed; a session with more has its journal."""
MOST_ALIKE = 5
"""So many notes of the program with the same word are listed; a protocol may write one in each trial."""


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
    kind, t_us = line["k"], line["t"]
    by_person = line["src"] == "operator"
    if kind == "pause":
        yield Moment(t_us, "pause", "the session is paused", by_person=True)
    elif kind == "resume":
        yield Moment(t_us, "resume", f"the session goes on after {clock(line['paused_us'] / 1e6)}", by_person=True)
    elif kind == "params":
        changed = ", ".join(param_texts(line["changed"]))
        yield Moment(t_us, "parameter", f"{changed}, from trial {line['trial']} on", by_person=True)
    elif kind == "request":
        yield Moment(t_us, "request", line["what"], by_person=True)
    elif kind in ("fault", "continued"):
        yield Moment(t_us, kind, _reported(line) or str(line["what"]))
    elif kind == "correction":
        yield Moment(t_us, kind, f"the board's answer after the session was added (from {line['source']})")
    elif kind == "note" and line.get("what") not in CONDITIONS:
        word = "" if by_person else str(line.get("what", ""))
        yield Moment(t_us, "note", note_text(line), by_person=by_person, word=word)


def note_text(line: Mapping[str, Any]) -> str:
    """Return a note in words: as a warning, as a person wrote it, or its fields."""
    if line.get("what") == "operator_note":
        return str(line.get("text", ""))
    return _reported(line) or f"{line.get('what', '')}{prefixed(_fields(line))}"


def _reported(line: Mapping[str, Any]) -> str:
    """Return a line as the warnings say it; an empty text if it is none."""
    return next((finding.text for finding in Reported().take(line)), "")


def _fields(line: Mapping[str, Any]) -> str:
    named = {key: value for key, value in line.items() if key not in (*RESERVED_FIELDS, "what")}
    return ", ".join(f"{key} {value if isinstance(value, str) else json.dumps(value)}" for key, value in named.items())
