"""One number out of what an analysis says, by its place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TypeGuard

from rig.config.errors.closest_names import did_you_mean
from rig.core.errors import ConfigError

_MOST_NAMED = 12
"""More names than this are not listed."""


def take(document: object, place: str) -> float:
    """Return the number at a place of a document, such as ``groups/80-20/rates/high/value``.

    A segment is the key of a mapping, or the index of a list, from 0; with ``NAME=VALUE`` it is the entry of a list
    whose NAME is VALUE. A key with a slash has no place. NaN where the document has a number that is not finite, or
    null; true is 1, and false is 0. Raises ``ConfigError`` with the segment that is not there, and what is there.
    """
    found = document
    segments = place.split("/")
    for depth, segment in enumerate(segments):
        found = _step(found, segment, "/".join(segments[:depth]))
    if found is None:
        return math.nan
    if not isinstance(found, Real):  # bool is one, and so are the numbers of NumPy
        raise ConfigError(f"{place}: is {_what(found)}, no number; {_within(found)}")
    value = float(found)
    return value if math.isfinite(value) else math.nan


def _step(found: object, segment: str, before: str) -> object:
    """Return what a segment leads to. Raises ``ConfigError``."""
    if isinstance(found, Mapping):
        return _of_mapping(found, segment, before)
    if _is_list(found):
        return _of_list(found, segment, before)
    raise ConfigError(f"{before or 'the document'}: is {_what(found)}, which has no {segment!r} in it")


def _of_mapping(found: Mapping[object, object], segment: str, before: str) -> object:
    if segment in found:
        return found[segment]
    named = {str(key): value for key, value in found.items()}  # JSON writes the key 5 as "5"
    if segment in named:
        return named[segment]
    raise ConfigError(f"{_at(before)}there is no {segment!r}; {_choice(segment, named)}")


def _of_list(found: Sequence[object], segment: str, before: str) -> object:
    name, equals, value = segment.partition("=")
    if equals:
        return _of_entries(found, name, value, before)
    try:
        index = int(segment)
    except ValueError:
        raise ConfigError(f"{_at(before)}{segment!r} chooses nothing from a list; {_within(found)}") from None
    if not -len(found) <= index < len(found):
        raise ConfigError(f"{_at(before)}there is no entry {index}; {_within(found)}")
    return found[index]


def _of_entries(found: Sequence[object], name: str, value: str, before: str) -> object:
    entries = [entry for entry in found if isinstance(entry, Mapping)]
    chosen = [entry for entry in entries if name in entry and _is_written(entry[name], value)]
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise ConfigError(f"{_at(before)}{len(chosen)} entries have {name}={value}: wanted one; choose it by its index")
    values = [_written(entry[name]) for entry in entries if name in entry]
    if values:
        raise ConfigError(f"{_at(before)}no entry has {name}={value}; {_choice(value, values)}")
    keys = {str(key): None for entry in entries for key in entry}
    choice = _choice(name, keys) if keys else _within(found)
    raise ConfigError(f"{_at(before)}no entry has a {name!r}; {choice}")


def _is_written(value: object, word: str) -> bool:
    """Whether a word stands for a value: 5 for 5.0 too."""
    if _written(value) == word:
        return True
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return float(value) == float(word)
    except ValueError:
        return False


def _written(value: object) -> str:
    """Return a value as JSON writes it, without quotation marks."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _at(before: str) -> str:
    return f"{before}: " if before else ""


def _what(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a mapping"
    if _is_list(value):
        return "a list"
    return f"the text {value!r:.40}" if isinstance(value, str) else f"the number {value}"


def _within(value: object) -> str:
    """Return what is in a value, for a message."""
    if isinstance(value, Mapping):
        return f"it has: {_listed(map(str, value))}"
    if not _is_list(value):
        return "wanted the place of a number"
    if not value:
        return "it is empty"
    many = "its only entry is 0" if len(value) == 1 else f"its entries are 0 to {len(value) - 1}"
    first = value[0] if isinstance(value[0], Mapping) else {}
    names = [str(key) for key, each in first.items() if isinstance(each, str)]
    return f"{many}, or chosen by {names[0]}={first[names[0]]}" if names else many


def _choice(word: str, there: Iterable[str]) -> str:
    """Return the closest name, and those that are there."""
    names = list(dict.fromkeys(there))
    return f"{did_you_mean(word, names)}it has: {_listed(names)}"


def _listed(there: Iterable[str]) -> str:
    names = list(there)
    more = len(names) - _MOST_NAMED
    listed = ", ".join(names[:_MOST_NAMED])
    return f"{listed} and {more} more" if more > 0 else listed or "nothing"
