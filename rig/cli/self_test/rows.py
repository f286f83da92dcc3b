"""The rows of ``rig self-test``: what each check means for a laboratory."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from rig.diagnostics.computer_checks import Part
from rig.session.replay_verdict import ReplayCheck, Verdict

RowVerdict = Literal["ok", "missing", "warning", "error"]
_RECORDED: dict[Verdict, RowVerdict] = {
    "same": "ok",
    "differs": "error",
    # The code was changed on purpose: what it decides now is the laboratory's business.
    "other version": "warning",
    "not replayed": "warning",
}


@dataclass(frozen=True)
class Row:
    """One check: the group it belongs to, and its result; ``get`` is how to mend it, and ``gives`` what that is for."""

    group: str
    what: str
    verdict: RowVerdict
    text: str
    gives: str = ""
    get: str = ""

    def document(self) -> dict[str, str]:
        """Return it for scripts."""
        return asdict(self)


def shipped_row(group: str, protocol: str, check: ReplayCheck | None) -> Row:
    """Return the row of a shipped session: its protocol must decide here as where it was recorded."""
    if check is None:
        return Row(group, protocol, "warning", "its package ships no recorded session")
    if check.verdict == "same":
        return Row(group, protocol, "ok", f"{check.decisions} decisions, the same")
    get = "install this program again; if that changes nothing, report it with the output of `rig self-test --json`"
    return Row(group, protocol, "error", check.text, "sessions that decide as in every other laboratory", get)


def recorded_row(group: str, data: Path, journal: Path, check: ReplayCheck | None) -> Row:
    """Return the row of a laboratory's session; ``check`` is None of one that runs now."""
    folder = journal.parent
    name = str(folder.relative_to(data))
    if check is None:
        return Row(group, name, "ok", "runs now: not replayed")
    what = f"{name} {check.protocol}".strip()
    verdict = _RECORDED[check.verdict]
    get = f"rig replay {folder}" if verdict == "error" else ""
    return Row(group, what, verdict, check.text, "analyses that repeat the session" if get else "", get)


def computer_row(group: str, part: Part) -> Row:
    """Return the row of a part of the computer."""
    return Row(group, part.what, part.verdict, part.text, part.gives, part.get)
