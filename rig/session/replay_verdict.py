"""Replay one journal with the installed code, and say in one sentence what came of it.

The journal may come from anywhere: no code runs because it says so, and whatever is wrong with it is a sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from rig.core.errors import RecordError, RigError
from rig.records.journal.read import undamaged_lines
from rig.session.recorded_code import InstalledCode, RecordedCode, RecordedKinds, select_code, select_kinds
from rig.session.replay import replay
from rig.session.replay_comparison import Difference, RecordedDecisions
from rig.system.atomic_files import read_errors
from rig.system.plugins import describe_user_error

Verdict: TypeAlias = Literal["same", "differs", "other version", "not replayed"]

LARGEST_BYTES = 64_000_000
"""A longer journal is not replayed: that of a session of 40 minutes has at most 5 MB."""
_LONGEST_TEXT = 400
TRUST = "its code is a laboratory's own file: read it, then `rig replay --trust`"


class ReplayCheck(Struct, frozen=True):
    """What came of the replay of a session; ``decisions`` is the number of those that agree."""

    protocol: str
    verdict: Verdict
    decisions: int
    text: str


def check_replay(journal: Path) -> ReplayCheck:
    """Run a journal's decisions again with the installed protocol."""
    protocol = ""
    try:
        _check_size(journal)
        recorded = RecordedDecisions(undamaged_lines(journal))
        protocol = recorded.header.protocol_name
        code, kinds = select_code(recorded.header, journal.parent), select_kinds(recorded.header, journal.parent)
        if isinstance(code, RecordedCode) or kinds.copies:
            return _result(protocol, "not replayed", TRUST)
        agreed, difference = replay(recorded, code.found, kinds.installed)
    except RigError as error:
        return _result(protocol, "not replayed", _sentence(error.lines, journal))
    # A forged journal may lead any line of a protocol or of this program astray.
    except (Exception, SystemExit) as error:
        why = describe_user_error(error) or type(error).__name__
        return _result(protocol, "not replayed", f"the replay fails: {why}")
    return _compared(protocol, agreed, difference, _differing(code, kinds))


def _check_size(journal: Path) -> None:
    with read_errors(journal):
        size = journal.stat().st_size
    if size > LARGEST_BYTES:
        raise RecordError(f"has {size / 1e6:.0f} MB, more than {LARGEST_BYTES / 1e6:.0f}: `rig replay` replays it")


def _differing(code: InstalledCode, kinds: RecordedKinds) -> tuple[str, ...]:
    return (*code.differing, *kinds.differing)


def _compared(protocol: str, agreed: int, difference: Difference | None, files: tuple[str, ...]) -> ReplayCheck:
    changed = f"; changed since: {', '.join(files)}" if files else ""
    if difference is None:
        return _result(protocol, "same", f"{agreed} decisions, the same{changed}", agreed)
    text = f"decides otherwise in trial {difference.trial}, after {agreed} decisions{changed}"
    return _result(protocol, "other version" if files else "differs", text, agreed)


def _result(protocol: str, verdict: Verdict, text: str, decisions: int = 0) -> ReplayCheck:
    # The name of a file in it need not be UTF-8, and another process has to read it.
    printable = text[:_LONGEST_TEXT].encode(errors="backslashreplace").decode()
    return ReplayCheck(protocol[:100], verdict, decisions, printable)


def _sentence(lines: tuple[str, ...], journal: Path) -> str:
    """Return the first and the last line of an error, without the path, which stands beside it."""
    ends = lines if len(lines) < 3 else (lines[0], lines[-1])
    return " ".join("; ".join(line.removeprefix(f"{journal}:") for line in ends).split())
