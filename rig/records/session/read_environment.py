"""Read the facts about the computer of a session, which its journal does not depend on: ``environment.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = "environment.json"
RIG_FILE = "rig_file"
"""The field with the absolute path of the rig's file."""
_MOST_BYTES = 1 << 20
"""A larger file is not read: the program writes a few kilobytes."""


def read_environment(session: Path) -> Mapping[str, object]:
    """Return the facts in a session's folder; empty if their file is missing or damaged."""
    path = session / ENVIRONMENT
    try:
        # Opening a pipe would block without end.
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return {}
        facts = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}


def fact(facts: Mapping[str, object], *keys: str) -> object:
    """Return a fact by the keys that lead to it; None where there is none."""
    value: object = facts
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
