"""Collect the facts about the computer, which the journal must not depend on: ``environment.json``.

Nothing here may fail or take more than a few seconds: a session must not wait for information that it does not need.
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
from types import ModuleType

import rig
from rig.core.model.board import BoardInfo
from rig.records.session.power_loss import boot_id
from rig.records.session.read_environment import RIG_FILE

GIT_TIMEOUT_S = 1.0
"""Timeout of one git command; after it, git is not called again for these files."""


def host_facts(
    sources: Sequence[Path], experimenter: str | None, replaced: Iterable[str] = (), rig_file: Path | None = None
) -> dict[str, object]:
    """Return what is known before the board is opened: program versions, the host and the experimenter.

    ``sources`` are the YAML and Python files of the session, whose git state is recorded. ``replaced`` lists those that
    take the place of installed or shipped ones. ``rig_file`` is where a resumed session looks for its rig.
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
        RIG_FILE: None if rig_file is None else str(rig_file.resolve()),
    }


def board_facts(opened: BoardInfo, *, kept_awake: bool) -> dict[str, object]:
    """Return what is known once the board is open."""
    tones = None if opened.tones is None else asdict(opened.tones)
    board = {"name": opened.name, "uid": opened.uid, "firmware": opened.firmware, "tones": tones}
    screen = {} if opened.screen is None else {"screen": dict(opened.screen)}
    return {"processor_kept_awake": kept_awake, "board": board, **screen}


def _files_of(module: ModuleType) -> tuple[str, ...]:
    """Return the source file of a module; of a package, its folder."""
    try:
        path = Path(inspect.getfile(module)).resolve()
    except (OSError, TypeError):  # made in an interactive session
        return ()
    return (str(path.parent if path.name == "__init__.py" else path),)


@cache
def git_state(paths: Sequence[str]) -> list[dict[str, object]]:
    """Return for each repository of the files its commit, and whether any file differs from it.

    Files outside of repositories are left out; without git, or after a timeout, the list is empty. Imported code does
    not change while the program runs, so each set of files is looked up once.
    """
    try:
        states = [_state(top, files) for top, files in _by_repository(paths).items()]
    except subprocess.TimeoutExpired:
        # A git that is slow once is not asked for the other files: the start must not wait for each.
        return []
    return [state for state in states if state is not None]


def _by_repository(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the paths by repository, committed or new; files that git ignores are left out."""
    by_top: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        if top := _top(path):
            by_top.setdefault(top, []).append(path)
    return {top: kept for top, inside in by_top.items() if (kept := _not_ignored(top, inside))}


def _top(path: str) -> str | None:
    """Return the repository that a path is in: the nearest folder with ``.git``, a file in a linked work tree."""
    # Git itself would be started for each folder of the sources: a session has some twenty of them.
    folders = (Path(path), *Path(path).parents)
    return next((str(folder) for folder in folders if (folder / ".git").exists()), None)


def _not_ignored(top: str, paths: Sequence[str]) -> list[str]:
    listed = _git(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths) or ""
    files = [os.path.normpath(os.path.join(top, name)) for name in listed.split("\0") if name]
    return [path for path in paths if any(f"{file}{os.sep}".startswith(f"{path}{os.sep}") for file in files)]


def _state(top: str, files: Sequence[str]) -> dict[str, object] | None:
    commit = _git(top, "rev-parse", "HEAD")
    changes = _git(top, "status", "--porcelain", "--", *files)
    if commit is None or changes is None:
        return None
    return {"repository": top, "commit": commit, "dirty": bool(changes)}


def _git(folder: str, *words: str) -> str | None:
    """Run a git command that changes nothing; None if it fails. Raises ``TimeoutExpired``."""
    # Without these options git would refresh its index, and take a lock that the laboratory's own git may need.
    command = ["git", "-c", "core.fsmonitor=false", "--no-optional-locks", "-C", folder, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, stdin=subprocess.DEVNULL)
    except (OSError, ValueError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
