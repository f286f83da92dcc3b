"""A session that was voided, such as a test: it stays, and counts nowhere but in what its subject was given.

``void.json`` in the session's folder holds every decision, the last of which holds. It moves with the session.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from pathlib import Path

from rig.core.errors import RecordError
from rig.system.atomic_files import os_error_text, write_atomic

VOID = "void.json"


def void_text(session: Path) -> str | None:
    """Return who voided a session, and why; None if it counts. Raises ``RecordError`` for a damaged file."""
    decisions = _read(session / VOID)
    if not decisions or not decisions[-1]["voided"]:
        return None
    return f"{decisions[-1]['by']}: {decisions[-1]['reason']}"


def write_void(session: Path, by: str, reason: str, at: datetime.datetime, *, voided: bool) -> None:
    """Write down that a session is voided, or that it counts again. Raises ``RecordError``."""
    decision = {"voided": voided, "by": by, "reason": reason, "at": at.isoformat(timespec="seconds")}
    content = json.dumps([*_read(session / VOID), decision], indent=2, ensure_ascii=False)
    write_atomic(session / VOID, content + "\n", synced=True)


def _read(path: Path) -> list[Mapping[str, object]]:
    try:
        decisions = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(decisions, list) or not all(map(_is_decision, decisions)):
            raise ValueError("it is no list of decisions")
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        reason = os_error_text(error) if isinstance(error, OSError) else error
        raise RecordError(f"{path}: cannot be read: {reason}") from None
    return decisions


def _is_decision(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("voided"), bool)
        and all(isinstance(value.get(name), str) for name in ("by", "reason", "at"))
    )
