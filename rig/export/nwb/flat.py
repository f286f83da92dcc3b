"""Take an object apart: a table has no place for objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def flat_items(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of an object with their paths, the keys joined by dots; an empty object is a value."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from flat_items(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value
