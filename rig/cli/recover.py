"""``rig recover``: make the records of a crashed session readable again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rig.records.read import journal_of
from rig.records.recover import Recovery, recover
from rig.session.subject import Subject
from rig.status import OK


def run(arguments: argparse.Namespace) -> int:
    """Recover the sessions; one that is still running is locked, and refused."""
    results = []
    for name in arguments.sessions:
        session = journal_of(Path(name)).parent.resolve()
        subject = session.parent.parent
        with Subject(subject.parent, subject.name):
            found = recover(session)
        if arguments.json:
            results.append(_as_json(name, found))
        else:
            print(_as_text(name, found))
    if arguments.json:
        print(json.dumps(results, indent=2))
    return OK


def _as_json(name: str, found: Recovery) -> dict[str, object]:
    return {"session": name, **vars(found), "damage": [vars(item) for item in found.damage]}


def _as_text(name: str, found: Recovery) -> str:
    lines = [f"{name}: {found.lines} good lines, {found.trials} trials"]
    if found.torn_bytes:
        lines.append(f"  the last line was torn; its {found.torn_bytes} bytes are in journal.torn")
    lines += [f"  line {item.line}: {item.why}; left as it is" for item in found.damage]
    if found.had_footer and found.reason in ("crash", "fault"):
        lines.append(f"  the journal has an end already: {found.reason}")
    elif found.had_footer:
        lines.append("  the session had ended as it should")
    else:
        lines.append("  the session was not ended by its program: a footer says so now")
    lines += [f"  never confirmed: {order}" for order in found.unconfirmed]
    return "\n".join(lines)
