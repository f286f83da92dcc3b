"""Which subject a name means, and which one a mistyped name may mean."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rig.cli.terminal.prompt import ask, is_interactive
from rig.core.errors import ConfigError
from rig.records.history import journals
from rig.system.config_paths import NO_SUBJECTS


def subject_names(data: Path) -> list[str]:
    """Return the names of the folders in which subjects are. Raises ``ConfigError``."""
    try:
        return sorted(
            entry.name for entry in os.scandir(data) if os.path.isdir(entry.path) and entry.name not in NO_SUBJECTS
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"{data}: cannot be read: {error.strerror}") from None


def is_near(one: str, other: str) -> bool:
    """Whether two names differ by one letter: another, missing, too many, or two that changed places."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or one == other:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped


def check_known(arguments: argparse.Namespace, folder: Path) -> None:
    """Check that a subject is known, or that ``--new`` or its name typed again confirms it. Raises ``ConfigError``."""
    names = subject_names(folder.parent)
    if folder.name in names:
        if arguments.new and any(journals(folder)):
            raise ConfigError(f"--new: {folder.name} is not new, its sessions are in {folder}: leave --new out")
        return
    if os.path.lexists(folder):
        same = next((name for name in names if name.lower() == folder.name.lower()), None)
        if same is None:
            raise ConfigError(f"{folder}: is in the way: it is no folder that could hold records: move it away")
        # this file system ignores case
        raise ConfigError(f"subject '{folder.name}': on this computer its folder would be that of {same}: type {same}")
    meant = folder.name.lower()
    near = [name for name in names if name.lower() == meant] or [name for name in names if is_near(name.lower(), meant)]
    if not arguments.new:
        _have_typed_again(folder.name, near)


def _have_typed_again(name: str, near: list[str]) -> None:
    known = " and ".join(near[:5])
    if not is_interactive():
        there = f"there is {known}; " if near else ""
        raise ConfigError(f"subject '{name}': {there}no subject of that name has records: add --new if {name} is new")
    answer = ask(f"{name} has no records{f' (there is {known})' if near else ''}. Type the name again if it is new: ")
    if answer != name:
        raise ConfigError(f"{name} is not known and was not typed again: nothing was done")
