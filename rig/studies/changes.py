"""Which arms have changed since their sessions ran: ``conditions.json`` has what decided the sessions of each arm."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rig.campaigns.store import has_sessions
from rig.core.errors import RecordError
from rig.system.atomic_files import read_errors, write_atomic

CONDITIONS = "conditions.json"


def changed_arms(folder: Path, study: str, keys: Mapping[str, str]) -> list[str]:
    """Return the arms with sessions that ran under another condition, or an unknown one. Raises ``RecordError``."""
    before = _read(folder)
    return [name for name, key in keys.items() if before.get(name) != key and has_sessions(folder, study, name)]


def write_conditions(folder: Path, keys: Mapping[str, str]) -> None:
    """Write the conditions of the arms. Raises ``RecordError``.

    Those of arms that the file of the study no longer has are kept, as their sessions are.
    """
    write_atomic(folder / CONDITIONS, json.dumps({**_read(folder), **keys}, indent=1) + "\n")


def _read(folder: Path) -> dict[str, str]:
    path = folder / CONDITIONS
    if not path.exists():
        return {}
    try:
        with read_errors(path):
            found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("wanted the key of each arm")
    except (ValueError, RecursionError) as error:
        raise RecordError(
            f"{path}: cannot be read ({error}): remove this file, and run the sessions again with --again"
        ) from None
    return found
