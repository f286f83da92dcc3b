"""Merge files that extend others and command-line values into one tree, with the location of each value.

Later sources override earlier ones: the extended file, the file itself, ``--set``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from pathlib import Path

from rig.config.errors.errors import Loc, SourceLocation, collect_errors, config_issue
from rig.config.errors.formatting import display_path, no_such_file, value_text
from rig.config.find import resolve_extends
from rig.config.yaml.document import Document, parse, read_yaml
from rig.config.yaml.scalars import YamlValue
from rig.core.errors import ConfigError
from rig.system.config_paths import Kind

COMMAND_LINE = SourceLocation("command line")
_SET = re.compile(r"\s*([^\s=.]+(?:\.[^\s=.]+)*)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LayeredConfig:
    """Values after inheritance and overrides; ``sources`` are the files read, the first one asked for first."""

    data: dict[str, YamlValue] = field(default_factory=dict)
    locations: dict[Loc, SourceLocation] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()
    order: tuple[str, ...] = ()
    """The files as locations name them, from the one that the others are laid over to the last."""

    def location(self, loc: Loc) -> SourceLocation:
        """Return where the value at a place, or its nearest existing parent, was written."""
        for length in range(len(loc), -1, -1):
            place = loc[:length]
            if place in self.locations:
                return self.locations[place]
            if place:  # a mapping that only `--set` creates has no location; use that of the first value inside it
                inner = (mark for each, mark in self.locations.items() if each[:length] == place)
                if (first := next(inner, None)) is not None:
                    return first
        return SourceLocation(display_path(self.sources[0])) if self.sources else COMMAND_LINE

    def blamed(self, *locs: Loc) -> Loc:
        """Return, of several values that contradict each other, the first of those that were laid over the others.

        A file that is extended is right by itself, and may be one of the program's, which is not to be edited.
        """
        return max(locs, key=self._height)

    def _height(self, loc: Loc) -> int:
        file = self.location(loc).file
        # What is in no file of the order, such as the command line, is laid over all of them.
        return self.order.index(file) if file in self.order else len(self.order)


def load_config(path: Path, sets: Sequence[str] = ()) -> LayeredConfig:
    """Read a file and all it extends, then apply ``key.path=value`` overrides; raise ConfigError with all mistakes."""
    overrides = [partial(parse_override, text) for text in sets]
    return reduce(merge, collect_errors(partial(_FileTree().layered, path), *overrides))


def parse_override(text: str) -> LayeredConfig:
    """Read one ``--set`` argument, ``key.path=value`` with a YAML value; raise ConfigError on any other form."""
    match = _SET.fullmatch(text)
    if match is None:
        wanted = "must be key.path=value, for instance --set params.reward_ul=2.5"
        raise ConfigError(config_issue(COMMAND_LINE, (), f"--set {text}: {wanted}"))
    loc = tuple(match.group(1).split("."))
    value, marks = parse(match.group(2), lambda line: COMMAND_LINE, loc)
    *outer, key = loc
    # Only the value is marked: the mappings around it, if they exist, keep the lines of their files.
    return LayeredConfig(reduce(lambda inner, name: {name: inner}, reversed(outer), {key: value}), marks)


def merge(base: LayeredConfig, over: LayeredConfig) -> LayeredConfig:
    """Return one tree laid over another: mappings are merged key by key, everything else is replaced whole."""
    replaced = set(_replaced(base.data, over.data, ()))
    # The lines of replaced values go, or a mistake would be reported where the value was overridden.
    kept = {loc: mark for loc, mark in base.locations.items() if not _is_below(loc, replaced)}
    sources = tuple(dict.fromkeys(base.sources + over.sources))
    order = tuple(dict.fromkeys(base.order + over.order))
    return LayeredConfig(merged_mappings(base.data, over.data), kept | over.locations, sources, order)


def merged_mappings(base: dict[str, YamlValue], over: dict[str, YamlValue]) -> dict[str, YamlValue]:
    """Return one mapping laid over another, key by key."""
    return base | {
        key: merged_mappings(below, value)
        if isinstance(value, dict) and isinstance(below := base.get(key), dict)
        else value
        for key, value in over.items()
    }


def _replaced(base: dict[str, YamlValue], over: dict[str, YamlValue], at: Loc) -> Iterator[Loc]:
    for key in base.keys() & over.keys():
        below, above = base[key], over[key]
        if isinstance(below, dict) and isinstance(above, dict):
            yield from _replaced(below, above, (*at, key))
        else:
            yield (*at, key)


def _is_below(loc: Loc, places: set[Loc]) -> bool:
    return any(loc[:length] in places for length in range(len(loc) + 1))


class _FileTree:
    """A file and its ancestors, each read once."""

    def __init__(self) -> None:
        self._done: dict[str, LayeredConfig] = {}

    def layered(self, path: Path, chain: tuple[Path, ...] = ()) -> LayeredConfig:
        key = os.path.realpath(path)
        if key not in self._done:
            self._done[key] = self._read(path, (*chain, path))
        return self._done[key]

    def _read(self, path: Path, chain: tuple[Path, ...]) -> LayeredConfig:
        document = read_yaml(path)
        own = LayeredConfig(
            # `extends` is no value: a file that extends this one must not inherit it.
            {key: value for key, value in document.data.items() if key != "extends"},
            {loc: mark for loc, mark in document.locations.items() if loc[:1] != ("extends",)},
            (path,),
            (display_path(path),),
        )
        parents = collect_errors(*(partial(self._parent, *parent, chain) for parent in _parents(document)))
        merged = reduce(merge, (*parents, own))
        # The file itself first, then what it extends: the order in which a reader opens them.
        return LayeredConfig(merged.data, merged.locations, tuple(dict.fromkeys((path, *merged.sources))), merged.order)

    def _parent(self, path: Path, mark: SourceLocation, chain: tuple[Path, ...]) -> LayeredConfig:
        if not os.path.isfile(path):
            raise ConfigError(config_issue(mark, ("extends",), f"{display_path(path)}: {no_such_file(path)}"))
        files = [os.path.realpath(link) for link in chain]
        if os.path.realpath(path) in files:
            circle = (*chain[files.index(os.path.realpath(path)) :], path)
            names = " -> ".join(display_path(link) for link in circle)
            raise ConfigError(config_issue(mark, ("extends",), f"goes in a circle: {names}"))
        return self.layered(path, chain)


def _parents(document: Document) -> list[tuple[Path, SourceLocation]]:
    """Return the files that a document extends, in order, each with the line that names it."""
    wanted = document.data.get("extends", [])
    entries = wanted if isinstance(wanted, list) else [wanted]
    names = [entry for entry in entries if isinstance(entry, str) and entry]
    mark = document.locations.get(("extends",), COMMAND_LINE)
    if len(names) < len(entries):
        wrong = next(entry for entry in entries if entry not in names)
        text = f"must be a file name or a list of file names, got {value_text(wrong)}"
        raise ConfigError(config_issue(mark, ("extends",), text))
    marks = [document.locations.get(("extends", index), mark) for index in range(len(names))]
    folder = document.path.parent
    # A curriculum or a study may have the same name as its protocol, so they extend their own kind first.
    own: dict[str, Kind] = {"stages": "curricula", "arms": "studies"}
    kind: Kind = next((kind for key, kind in own.items() if key in document.data), "protocols")
    return [(_resolved(folder, name, kind, line), line) for name, line in zip(names, marks, strict=True)]


def _resolved(folder: Path, name: str, kind: Kind, mark: SourceLocation) -> Path:
    try:
        return resolve_extends(folder, name, kind)
    except ConfigError as error:
        raise ConfigError(config_issue(mark, ("extends",), str(error))) from None
