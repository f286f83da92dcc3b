"""Entry points of installed packages, read as text: ``importlib.metadata`` would double the time of ``rig --help``."""

from __future__ import annotations

import os
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_METADATA = (".dist-info", ".egg-info")


@lru_cache
def entry_point_texts(group: str, path: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return name and value of each entry point of a group, in the order of a search path.

    Of a distribution that lies on the path twice, the first one counts.
    """
    distributions: dict[str, str] = {}
    for folder in path:
        for entry in _listing(folder or "."):
            if entry.endswith(_METADATA):
                distribution = entry.rpartition(".")[0].partition("-")[0].lower()
                distributions.setdefault(distribution, os.path.join(folder, entry, "entry_points.txt"))
    return tuple(point for file in distributions.values() for point in _entry_points(file, group))


def _listing(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _entry_points(file: str, group: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in lines_of(file):
        name, equals, value = line.partition("=")
        if line.startswith("["):
            section = line.strip().strip("[]")
        elif equals and section == group:
            yield name.strip(), value.strip()


def lines_of(file: str) -> Iterator[str]:
    """Yield the lines of a text file; none of a file that cannot be read."""
    try:
        with open(file, encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError):
        return
