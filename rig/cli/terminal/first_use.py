"""Check a subject's name without records: a typing error would split an animal's records in two."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rig.cli.subject_names import is_near, subject_names
from rig.cli.terminal.prompt import ask, is_interactive
from rig.core.errors import ConfigError
from rig.records.session.history import journals


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
