"""Which subject a name means, and which one a mistyped name may mean."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rig.cli import common
from rig.cli.terminal.prompt import ask, is_interactive
from rig.core.errors import ConfigError
from rig.records.session.history import journals
from rig.session.subject_folder import SubjectFolder, check_case, check_name, subjects_folder
from rig.session.subject_names import is_near, subject_names


def known_subject(arguments: argparse.Namespace) -> SubjectFolder:
    """Return the subject, real or with ``--sim`` simulated; its folder must exist.

    A name in other letters finds the subject, and the answer says so. A command without the option is for real
    subjects only. Raises ``ConfigError``.
    """
    data, sim = common.data_folder(arguments), getattr(arguments, "sim", None)
    place = subjects_folder(data, simulated=bool(sim))
    wanted = SubjectFolder(data, _spelled(place, check_name(arguments.subject)), simulated=bool(sim))
    if wanted.folder.is_dir():
        if wanted.name != arguments.subject:
            print(f"{arguments.subject} is read as {wanted.name}", file=sys.stderr)
        return wanted
    other = subjects_folder(data, simulated=not sim) / wanted.name
    advice = {True: "leave --sim out", False: "add --sim", None: "this command is for real subjects only"}
    hint = f"; {other} is there: {advice[sim]}" if other.is_dir() else _near(place, wanted.name)
    raise ConfigError(f"{place}: has no subject '{wanted.name}'{hint}")


def _spelled(place: Path, name: str) -> str:
    """Return a subject's name as its folder spells it."""
    names = subject_names(place)
    return name if name in names else next((each for each in names if each.lower() == name.lower()), name)


def _near(place: Path, name: str) -> str:
    near = [each for each in subject_names(place) if is_near(each.lower(), name.lower())]
    return f": did you mean {' or '.join(near[:5])}?" if near else ""


def check_known(arguments: argparse.Namespace, folder: Path) -> None:
    """Check that a subject is known, or that ``--new`` or its name typed again confirms it. Raises ``ConfigError``."""
    names = subject_names(folder.parent)
    if folder.name in names:
        if arguments.new and any(journals(folder)):
            raise ConfigError(f"--new: {folder.name} is not new, its sessions are in {folder}: leave --new out")
        return
    check_case(folder)
    if os.path.lexists(folder):
        raise ConfigError(f"{folder}: is in the way: it is no folder that could hold records: move it away")
    if not arguments.new:
        _have_typed_again(folder.name, [name for name in names if is_near(name.lower(), folder.name.lower())])


def _have_typed_again(name: str, near: list[str]) -> None:
    known = " and ".join(near[:5])
    if not is_interactive():
        there = f"there is {known}; " if near else ""
        raise ConfigError(f"subject '{name}': {there}no subject of that name has records: add --new if {name} is new")
    answer = ask(f"{name} has no records{f' (there is {known})' if near else ''}. Type the name again if it is new: ")
    if answer != name:
        raise ConfigError(f"{name} is not known and was not typed again: nothing was done")
