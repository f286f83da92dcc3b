"""Paths, keys and values as a person would write them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rig.config.errors.thousands import WrittenNumber
from rig.core.close_words import closest_word
from rig.system.config_paths import yaml_files

_MAX_LENGTH = 60
# A larger float keeps its exponent: written as a whole number, 1e300 has 301 digits.
_EXACT = 1e15


def display_path(path: Path) -> str:
    """Write a path relative to the current folder when it lies below it."""
    absolute = Path(os.path.abspath(path))
    here = Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def key_text(loc: Sequence[str | int]) -> str:
    """Write a place in a document as ``points[2].ul``."""
    return "".join(_part_text(part) for part in loc).removeprefix(".")


def _part_text(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part if part.isprintable() else repr(part)}"  # a mistake stays on one line


def value_text(value: object) -> str:
    """Write a value as it looks in YAML, long ones cut."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, WrittenNumber):
        return value.text
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH] + "..."


def no_such_file(path: Path) -> str:
    """Return a message that a file is missing, which one was probably meant, and which YAML files its folder has."""
    if os.path.isdir(path):
        return "is a folder; a YAML file is wanted"
    if os.path.lexists(path):
        return f"is no file that could be read{' (a link that leads nowhere)' if os.path.islink(path) else ''}"
    if not os.path.isdir(path.parent):
        return f"no such file; there is no folder {display_path(path.parent)}"
    there = yaml_files(str(path.parent))
    by_stem = {Path(name).stem: name for name in there}  # else .yaml makes all names look alike
    close = closest_word(path.stem, by_stem)
    guess = "" if close is None else f"did you mean '{by_stem[close]}'? "
    return f"no such file; {guess}its folder holds: {', '.join(there) or 'no YAML files'}"
