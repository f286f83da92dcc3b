"""The facts of the machine, which have no place in the journal: ``environment.json``.

Nothing here may fail or take long: a session does not wait for what is only good to know.
"""

from __future__ import annotations

import inspect
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import rig
from rig.core.model.board import BoardInfo
from rig.records.power_loss import boot_id

GIT_TIMEOUT_S = 1.0
"""Git is not waited for longer than this, and then not asked again."""


def host_facts(sources: Sequence[Path], experimenter: str | None, replaced: Iterable[str] = ()) -> dict[str, Any]:
    """Collect what is known before the board is opened: programs and their versions, the host, who sits there.

    ``sources`` are the files of the session, YAML and Python; they are looked up in git. ``replaced`` says which of
    them are taken instead of what is installed or shipped.
    """
    return {
        "program": {"name": "behavior-rig", "version": rig.__version__, "git": git_state(_files_of(rig))},
        "protocol": {"git": git_state(tuple(str(source.resolve()) for source in sources))},
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "host": platform.node(),
        "boot": boot_id(),
        "experimenter": experimenter,
        "replaced": list(replaced),
    }


def board_facts(opened: BoardInfo, *, kept_awake: bool) -> dict[str, Any]:
    """Collect what is known once the board is open."""
    tones = None if opened.tones is None else asdict(opened.tones)
    board = {"name": opened.name, "uid": opened.uid, "firmware": opened.firmware, "tones": tones}
    screen = {} if opened.screen is None else {"screen": dict(opened.screen)}
    return {"processor_kept_awake": kept_awake, "board": board, **screen}


def _files_of(thing: Any) -> tuple[str, ...]:
    """Name the file that something was written in; of a package, its folder."""
    try:
        path = Path(inspect.getfile(thing)).resolve()
    except (OSError, TypeError):  # made in an interactive session
        return ()
    return (str(path.parent if path.name == "__init__.py" else path),)


@cache
def git_state(paths: Sequence[str]) -> list[dict[str, Any]]:
    """Look files and folders up in git: of each repository its commit, and whether any of them differs from it.

    What is in no repository is left out; without git, or when it takes too long, the list is empty. What was
    imported stays what it was, so each set of files is looked up once.
    """
    try:
        states = [_state(top, files) for top, files in _by_repository(paths).items()]
    except subprocess.TimeoutExpired:
        return []
    return [state for state in states if state is not None]


def _by_repository(paths: Sequence[str]) -> dict[str, list[str]]:
    """Sort paths by the repositories that they belong to, whether committed or new; what git ignores is in none."""
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        top = _top(path if os.path.isdir(path) else os.path.dirname(path))
        if top and _git(top, "ls-files", "--cached", "--others", "--exclude-standard", "--", path):
            found.setdefault(top, []).append(path)
    return found


@cache
def _top(folder: str) -> str | None:
    return _git(folder, "rev-parse", "--show-toplevel")


def _state(top: str, files: Sequence[str]) -> dict[str, Any] | None:
    commit = _git(top, "rev-parse", "HEAD")
    changes = _git(top, "status", "--porcelain", "--", *files)
    if commit is None or changes is None:
        return None
    return {"repository": top, "commit": commit, "dirty": bool(changes)}


def _git(folder: str, *words: str) -> str | None:
    """Ask git about a folder, changing nothing there; None when it has no answer. Raises ``TimeoutExpired``."""
    command = ["git", "-c", "core.fsmonitor=false", "--no-optional-locks", "-C", folder, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, stdin=subprocess.DEVNULL)
    except (OSError, ValueError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
