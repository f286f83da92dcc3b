"""A computer's own settings: where its records lie, which rig it has, who works at it, and how its boxes are called.

An environment variable goes before ``rig.toml`` in the current folder, that before the user's own ``rig.toml``, and
that before the program's default: docs/decisions/settings.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rig.core.close_words import closest_word
from rig.core.errors import ConfigError
from rig.system.config_paths import SETTINGS, user_settings

DEFAULT = "the program's default"
LIMITS_FILE = "lab.yaml"
_LIMITS = re.compile(r"max_\w+_(day|24h)")
_LARGEST_BYTES = 100_000

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One value, and the variable, or the file and line, that sets it."""

    value: T
    source: str = DEFAULT


@dataclass(frozen=True)
class Settings:
    """What this computer is set to; `load_settings` reads it."""

    data: Setting[str] = Setting("data")
    """The folder of the records."""
    default_rig: Setting[str | None] = Setting(None)
    """The rig of ``rig run`` without ``--rig``: the name of a box or a rig, or the path of its file."""
    experimenters: Setting[tuple[str, ...]] = Setting(())
    """Who may be named as experimenter; everyone when empty."""
    lab: Setting[str | None] = Setting(None)
    """The laboratory, as exported files name it."""
    institution: Setting[str | None] = Setting(None)
    """Its institution, as exported files name it."""
    boxes: Setting[Mapping[str, str]] = field(default_factory=lambda: Setting[Mapping[str, str]]({}))
    """The rig of each box, by the box's name."""


@dataclass(frozen=True)
class _Kind:
    """How one key is written; a parser raises ``ValueError`` with what is wanted."""

    variable: str
    of_toml: Callable[[object, str], object]
    """Converts a value of a file in this folder."""
    of_text: Callable[[str], object]


def load_settings() -> Settings:
    """Read all settings. Raises ``ConfigError`` that lists every mistake, with file and line or variable."""
    mistakes: list[str] = []
    found: dict[str, Setting[Any]] = {}
    for path in (user_settings(), SETTINGS):
        found |= _of_file(path, mistakes)
    found |= _of_variables(mistakes)
    if mistakes:
        raise ConfigError(*mistakes)
    return Settings(**found)


def check_experimenter(name: str, settings: Settings) -> str:
    """Return a name that the list of experimenters has. Raises ``ConfigError``."""
    known = settings.experimenters
    if known.value and name not in known.value:
        raise ConfigError(
            f"experimenter {name!r} is not known at this computer; {_guess(name, known.value)}"
            f"known: {', '.join(known.value)} ({known.source})"
        )
    return name


def rig_of(name: str, settings: Settings) -> str:
    """Return the rig of a box; another name is that of a rig itself."""
    return settings.boxes.value.get(name, name)


def boxes_by_rig(settings: Settings) -> dict[str, str]:
    """Return the name of the box of each rig, by the rig's name in records; none for a rig of several boxes."""
    boxes: dict[str, list[str]] = {}
    for box, rig in settings.boxes.value.items():
        name = os.path.basename(rig).removesuffix(".yaml").removesuffix(".yml")
        boxes.setdefault(name, []).append(box)
    return {name: found[0] for name, found in boxes.items() if len(found) == 1}


# --- files ------------------------------------------------------------------------------------------------------


def _of_file(path: str, mistakes: list[str]) -> dict[str, Setting[object]]:
    import tomllib

    try:
        with open(path, "rb") as file:
            raw = file.read(_LARGEST_BYTES + 1)
    except FileNotFoundError:
        if os.path.islink(path):
            mistakes.append(f"{path}: is a link that leads nowhere")
        return {}
    except OSError as error:
        mistakes.append(f"{path}: cannot be read: {error.strerror}")
        return {}
    if len(raw) > _LARGEST_BYTES:
        mistakes.append(f"{path}: is larger than {_LARGEST_BYTES} bytes: these are no settings")
        return {}
    try:
        text = raw.decode("utf-8-sig")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        mistakes.append(f"{path}:{line}: is no UTF-8 text: save the file as UTF-8")
        return {}
    except tomllib.TOMLDecodeError as error:
        mistakes.append(_not_toml(path, text, str(error)))
        return {}
    return dict(_of_table(path, table, _lines(text), mistakes))


def _of_table(
    path: str, table: Mapping[str, object], lines: Mapping[str, int], mistakes: list[str]
) -> Iterator[tuple[str, Setting[object]]]:
    folder = os.path.dirname(os.path.abspath(path))
    for key, value in table.items():
        where = f"{path}:{lines.get(key, 1)}"
        if key not in _KINDS:
            mistakes.append(f"{where}: {_unknown(key)}")
            continue
        try:
            yield key, Setting(_KINDS[key].of_toml(value, folder), where)
        except ValueError as error:
            mistakes.append(f"{where}: {key}: {error}")


def _unknown(key: str) -> str:
    shown = key if key.isprintable() else repr(key)
    if _LIMITS.fullmatch(key):
        return f"{shown}: limits belong to animals, not to a computer: write it into {LIMITS_FILE} in the data folder"
    return f"{shown}: unknown key; {_guess(key, _KINDS)}accepted: {', '.join(_KINDS)}"


def _guess(word: str, known: Iterable[str]) -> str:
    close = closest_word(word, known)
    return "" if close is None else f"did you mean '{close}'? "


_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")


def _not_toml(path: str, text: str, error: str) -> str:
    at = _AT_LINE.search(error)
    line = int(at.group(1)) if at else text.count("\n") + 1
    return f"{path}:{line}: is no TOML: {_AT_LINE.sub('', error).removesuffix(' (at end of document)')}"


# tomllib reports no lines. This finds the line of each key and table; a text of several lines may mislead it.
_LINE = re.compile(r"""\s*(?:\[\s*(?P<table>[\w-]+|"[^"]+")|(?P<key>[\w-]+|"[^"]+"|'[^']+')[\w.\s"'-]*=)""")


def _lines(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.match(line)
        if match is None or (inside and match["key"]):
            continue
        inside = match["table"] is not None
        found.setdefault((match["table"] or match["key"]).strip("\"'"), number)
    return found


# --- variables --------------------------------------------------------------------------------------------------


def _of_variables(mistakes: list[str]) -> dict[str, Setting[object]]:
    found = {}
    for key, kind in _KINDS.items():
        text = os.environ.get(kind.variable)
        if not text or not text.strip():
            continue
        try:
            found[key] = Setting(kind.of_text(text), f"${kind.variable}")
        except ValueError as error:
            mistakes.append(f"${kind.variable}: {error}")
    return found


# --- values -----------------------------------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"wanted a text in quotation marks, got {_shown(value)}")
    if not value.isprintable():
        raise ValueError(f"{value!r} has characters that cannot be printed")
    return value.strip()


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "nothing" if value == "" else repr(value)[:60]


def _path(value: object, folder: str) -> str:
    return os.path.join(folder, os.path.expanduser(_text(value)))


def _rig(value: object, folder: str) -> str:
    name = _text(value)
    # A bare name is looked up among the configurations; a path is meant from the file that names it.
    return _path(name, folder) if "/" in name or os.sep in name else name


def _names(value: object, folder: str = "") -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f'wanted a list of names, such as ["anna", "ben"], got {_shown(value)}')
    names = tuple(map(_text, value))
    if len(set(names)) < len(names):
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} is named twice")
    return names


def _boxes(value: object, folder: str) -> dict[str, str]:
    if not isinstance(value, dict) or not value:
        raise ValueError(f'wanted a table of boxes and rigs, such as {{"box 1" = "box_a"}}, got {_shown(value)}')
    return {_text(name): _rig(rig, folder) for name, rig in value.items()}


def _boxes_of_text(text: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(equals and name.strip() and rig.strip() for name, equals, rig in pairs):
        raise ValueError(f"wanted BOX=RIG,BOX=RIG, got {text!r}")
    return {_text(name): _text(rig) for name, _, rig in pairs}


_KINDS: Mapping[str, _Kind] = {
    "data": _Kind("RIG_DATA", _path, str),
    "default_rig": _Kind("RIG_DEFAULT_RIG", _rig, _text),
    "experimenters": _Kind("RIG_EXPERIMENTERS", _names, lambda text: _names(text.split(","))),
    "lab": _Kind("RIG_LAB", lambda value, folder: _text(value), _text),
    "institution": _Kind("RIG_INSTITUTION", lambda value, folder: _text(value), _text),
    "boxes": _Kind("RIG_BOXES", _boxes, _boxes_of_text),
}
VARIABLES: Mapping[str, str] = {key: kind.variable for key, kind in _KINDS.items()}
"""The environment variable of each key."""
