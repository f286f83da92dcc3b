"""Where each value of a session came from: the copies of its files say it, or else it is a default or of ``--set``.

Only files in the session's own folder ``config`` are read. What they extend is looked for there by its name, because a
path in a file of unknown origin must not choose what is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.config.errors.errors import Loc
from rig.config.explain import yaml_text
from rig.config.yaml.document import Document, read_yaml
from rig.core.errors import ConfigError

CONFIG = "config"
COMMAND_LINE = "command line (--set)"
DEFAULT = "default"
UNKNOWN = "default or command line"
_MOST_FILES = 100
_MOST_BYTES = 1 << 20
_MISSING = object()


@dataclass(frozen=True)
class Origin:
    """Where a value came from; ``overridden`` says what other files had set."""

    source: str
    overridden: tuple[str, ...] = ()


class Copies:
    """The copies of the files that configured a session."""

    def __init__(self, folder: Path) -> None:
        found = list(_documents(folder / CONFIG))
        ranks = _ranks(found)
        self._documents = sorted(found, key=lambda document: ranks[document.path.name])
        """Those that no other one extends first: what they set overrides the others."""

    def __bool__(self) -> bool:
        return bool(self._documents)

    def of(self, loc: Loc, value: object, default: object = _MISSING) -> Origin:
        """Return the origin of a value of a protocol or rig file."""
        return self._origin([(document, loc) for document in self._documents], value, default)

    def of_stage(self, stage: str, loc: Loc, value: object, default: object = _MISSING) -> Origin:
        """Return the origin of a value that a curriculum's stage may have set over the protocol's file."""
        stages: list[tuple[Document, Loc]] = [(document, ("stages", stage, *loc)) for document in self._documents]
        return self._origin([*stages, *((document, loc) for document in self._documents)], value, default)

    def _origin(self, places: list[tuple[Document, Loc]], value: object, default: object) -> Origin:
        written = [
            (document, found, _value(document, found)) for document, loc in places for found in _found(document, loc)
        ]
        for number, (document, loc, said) in enumerate(written):
            if _same(said, value):
                others = tuple(f"{yaml_text(other)} in {_place(each, at)}" for each, at, other in written[number + 1 :])
                return Origin(_place(document, loc), others)
        others = tuple(f"{yaml_text(said)} in {_place(document, loc)}" for document, loc, said in written)
        if written:
            return Origin(COMMAND_LINE, others)
        if default is _MISSING:
            return Origin(UNKNOWN)
        return Origin(DEFAULT if _same(default, value) else COMMAND_LINE)


def _documents(folder: Path) -> Iterator[Document]:
    try:
        paths = sorted(path for path in folder.glob("*/*.y*ml") if path.is_file() and not path.is_symlink())
    except OSError:
        return
    for path in paths[:_MOST_FILES]:
        try:
            if path.stat().st_size <= _MOST_BYTES:
                yield read_yaml(path)
        except (ConfigError, OSError, RecursionError):  # a damaged copy says nothing
            continue


def _ranks(documents: list[Document]) -> dict[str, int]:
    """Return how many files extend a file, directly or through others, by its name."""
    ranks = {document.path.name: 0 for document in documents}
    # A forged file may name a million others.
    extended = [(document.path.name, ranks.keys() & set(_extends(document))) for document in documents]
    for _ in documents:  # files that extend each other in a circle end here, too
        for extending, names in extended:
            for name in names:
                ranks[name] = max(ranks[name], min(ranks[extending] + 1, len(documents)))
    return ranks


def _extends(document: Document) -> list[str]:
    wanted = document.data.get("extends", [])
    names = wanted if isinstance(wanted, list) else [wanted]
    return [Path(name).name for name in names if isinstance(name, str)]


def _found(document: Document, loc: Loc) -> list[Loc]:
    """Return the place of a value in a file; a plain value in place of its mapping stands for it."""
    if loc in document.locations:
        return [loc]
    above = loc[:-1]
    is_short = len(above) > 1 and above in document.locations and not isinstance(_value(document, above), dict)
    return [above] if is_short else []


def _value(document: Document, loc: Loc) -> object:
    value: Any = document.data
    for key in loc:
        value = value[key]
    return value


def _place(document: Document, loc: Loc) -> str:
    line = document.locations[loc].line
    return f"{document.path.parent.name}/{document.path.name}" + ("" if line is None else f":{line}")


def _same(one: object, other: object) -> bool:
    """Whether two values are equal as JSON would have them: a tuple is a list, and 1 is 1.0, but not true."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    return bool(one == other) or str(one) == str(other)
