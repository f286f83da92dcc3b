"""Record the sessions that `rig self-test` replays: one of each shipped protocol, short and small.

A recording whose protocol still decides the same is kept, although the code may have changed since.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

from rig.session.replay_verdict import check_replay
from rig.session.shipped_sessions import recorded_path
from rig.system.plugins import PROTOCOLS, installed_plugins

SESSIONS: dict[str, tuple[str, int]] = {
    "two_armed_bandit": ("rflr", 120),
    "free_water": ("random_explorer", 40),
    "disk_bandit": ("pigeon", 120),
    "disk_bandit_human": ("human", 60),
    "delay_discounting": ("rat", 400),
    "grid_bandit": ("local_search", 150),
    "risky_bandit": ("gp_pos", 200),
}
"""The virtual subject of each protocol, and the length of its session in seconds."""
START = "2026-11-21T09:00"


def pages() -> dict[Path, bytes]:
    """Return the recordings that are missing, or whose protocol decides otherwise now."""
    stale = {}
    for name, point in installed_plugins(PROTOCOLS).items():
        path = _path(point)
        if name in SESSIONS and not (path.is_file() and check_replay(path).verdict == "same"):
            stale[path] = recorded(name, *SESSIONS[name])
    return stale


def _path(point: EntryPoint) -> Path:
    path = recorded_path(point.name, point.module)
    if path is None:
        raise LookupError(f"{point.value} is not there")
    return path


def recorded(protocol: str, model: str, session_s: int) -> bytes:
    """Run a session; return its journal."""
    with tempfile.TemporaryDirectory() as data:
        words = ["sim", protocol, "--model", model, "--seed", "1", "--start", START, "--subject", "recorded"]
        _run([*words, "--data", data, "--set", f"stop.session_s={session_s}"])
        (journal,) = Path(data).glob("sim/*/*/*/journal.jsonl")
        return journal.read_bytes()


def _run(words: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "rig.cli.main", *words], check=True, capture_output=True)
