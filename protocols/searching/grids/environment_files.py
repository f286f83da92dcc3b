"""Files of environments in the form of the released data of Wu et al. (2017 and later).

A file is an object of environments, each an object of tiles ``{"x1": x, "x2": y, "y": value}``; on a line a tile is
``{"x": x, "y": value}``. Lists instead of objects are read too. Values are 0 to 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from protocols.searching.grids.places import Floats
from rig import ConfigError

MOST_TILES = 10_000
"""Most tiles of one environment that are read."""


def environments_text(environments: Sequence[Floats]) -> str:
    """Return environments of shape (height, width) as the text of a file, one line for each."""
    lines = (f'"{number}": {json.dumps(_tiles_of(values))}' for number, values in enumerate(environments))
    return "{" + ",\n".join(lines) + "}\n"


def read_environments(path: Path) -> list[Floats]:
    """Read a file of environments, all of one size; shape (height, width) each.

    Raises ``ConfigError`` that names the environment and the tile at fault.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is no text in UTF-8: wanted JSON") from None
    return parse_environments(text, str(path))


def parse_environments(text: str, source: str) -> list[Floats]:
    """Return the environments in the text of a file; ``source`` is its name in messages. Raises ``ConfigError``."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: is no JSON: {error}") from None
    found = [
        _environment(tiles, f"{source}: environment {number}")
        for number, tiles in _entries(document, source, "environments")
    ]
    if not found:
        raise ConfigError(f"{source}: has no environment: wanted one at least")
    sizes = [values.shape for values in found]
    for number, (height, width) in enumerate(sizes):
        if sizes[number] != sizes[0]:
            first = f"{sizes[0][1]} x {sizes[0][0]}"
            raise ConfigError(f"{source}: environment {number}: has {width} x {height} tiles: wanted {first} as in 0")
    return found


def _tiles_of(values: Floats) -> dict[str, dict[str, float]]:
    """Return the tiles of an environment; those of one x follow each other, as in the released files."""
    height, width = values.shape
    if height == 1:
        return {str(x): {"x": x, "y": float(values[0, x])} for x in range(width)}
    places = [(x, y) for x in range(width) for y in range(height)]
    return {str(at): {"x1": x, "x2": y, "y": float(values[y, x])} for at, (x, y) in enumerate(places)}


def _entries(document: object, place: str, what: str) -> Iterator[tuple[str, object]]:
    """Yield the entries of an object or a list with their names."""
    if isinstance(document, dict):
        yield from document.items()
    elif isinstance(document, list):
        yield from ((str(number), entry) for number, entry in enumerate(document))
    else:
        raise ConfigError(f"{place}: is no object or list of {what}")


def _environment(document: object, place: str) -> Floats:
    values: dict[tuple[int, int], float] = {}
    for number, entry in _entries(document, place, "tiles"):
        at = f"{place}, tile {number}"
        if len(values) == MOST_TILES:
            raise ConfigError(f"{at}: wanted at most {MOST_TILES} tiles")
        (x, y), value = _tile(entry, at)
        if (x, y) in values:
            raise ConfigError(f"{at}: is a second tile at x {x}, y {y}: wanted one")
        values[x, y] = value
    if len(values) < 2:
        raise ConfigError(f"{place}: has {len(values)} tiles: wanted two at least")
    width, height = (1 + max(place[axis] for place in values) for axis in (0, 1))
    if len(values) != width * height:
        x, y = next((x, y) for y in range(height) for x in range(width) if (x, y) not in values)
        raise ConfigError(f"{place}: has no tile at x {x}, y {y}: wanted all of {width} x {height}")
    if len(set(values.values())) == 1:
        raise ConfigError(f"{place}: all tiles have the value {next(iter(values.values())):g}: wanted different ones")
    return np.array([[values[x, y] for x in range(width)] for y in range(height)])


def _tile(entry: object, place: str) -> tuple[tuple[int, int], float]:
    names = ("x",) if isinstance(entry, dict) and "x" in entry else ("x1", "x2")
    if not isinstance(entry, dict) or set(entry) != {*names, "y"}:
        raise ConfigError(f"{place}: wanted an object with x1, x2 and y, or on a line with x and y")
    where = [_index(entry[name], f"{place}: {name}") for name in names]
    value = entry["y"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(f"{place}: y is {value!r:.40}: wanted a number from 0 to 1")
    return (where[0], where[1] if len(where) > 1 else 0), float(value)


def _index(value: object, place: str) -> int:
    """Return a coordinate; the released files have whole numbers from 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < MOST_TILES or value % 1:
        raise ConfigError(f"{place} is {value!r:.40}: wanted a whole number from 0")
    return int(value)
