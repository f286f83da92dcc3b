"""The recorded session that a protocol's package ships: ``recorded/NAME.jsonl`` beside the module of its task."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from rig.system.plugins import PROTOCOLS, installed_plugins

FOLDER = "recorded"


def shipped_sessions() -> dict[str, Path | None]:
    """Return the recorded session of each installed protocol, by its name; None where its package ships none."""
    return {name: _recorded(name, point.module) for name, point in installed_plugins(PROTOCOLS).items()}


def recorded_path(name: str, module: str) -> Path | None:
    """Return where the recorded session of a protocol belongs; None of one whose module is not there."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / FOLDER / f"{name}.jsonl"


def _recorded(name: str, module: str) -> Path | None:
    path = recorded_path(name, module)
    return path if path is not None and path.is_file() else None
