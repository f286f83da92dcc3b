"""Take an object apart: a table has no place for objects."""

from __future__ import annotations

from collections.abc import Iterator


def flat_items(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values of an object with their paths, the keys joined by dots; an empty object is a value.

    Of a list that holds objects the entries are taken apart, their numbers are the keys, from 0.
    """
    if isinstance(value, dict) and value:
        inner = value.items()
    elif isinstance(value, list) and _holds_objects(value):
        inner = dict(enumerate(value)).items()
    else:
        yield path, value
        return
    for key, each in inner:
        yield from flat_items(each, f"{path}.{key}" if path else str(key))


def _holds_objects(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds_objects, value)))
