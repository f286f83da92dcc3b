"""Which protocols are installed, which lie in folders here, and the YAML files of each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from rig.config import ProtocolFile, config_issue, files, load_config, validate
from rig.config.errors.formatting import display_path
from rig.config.user_classes import is_file_reference, split_reference
from rig.core.errors import ConfigError
from rig.session.spec.declared_tasks import declared_tasks
from rig.session.spec.protocol_lookup import look_up_protocol
from rig.session.spec.task_classes import file_of, folders, installed_task
from rig.system.config_paths import yaml_files
from rig.system.first_sentence import first_comment, first_sentence, sentence
from rig.system.plugins import PROTOCOLS, installed_plugins


@dataclass(frozen=True)
class YamlEntry:
    """A YAML file of a protocol."""

    name: str
    path: str
    sentence: str


@dataclass(frozen=True)
class ProtocolEntry:
    """A protocol, or what keeps it from being one; of a file of the laboratory's own nothing is ``run``."""

    name: str
    source: str
    sentence: str = ""
    mistake: str = ""
    files: list[YamlEntry] = field(default_factory=list)
    run: bool = True


def protocols() -> list[ProtocolEntry]:
    """Return all protocols, running no local file; one that cannot be loaded is listed with its mistake."""
    catalog = _Catalog()
    for folder in folders():
        for path in sorted(folder.glob("[!_]*.py")):
            catalog.read(path)
    for name, path in _yaml_files():
        catalog.add(name, path)
    return [*catalog.entries.values(), *catalog.wrong]


Key: TypeAlias = tuple[str, str]
"""A file by its real path, and a class of it; or nothing, and what is installed."""


class _Catalog:
    """The protocols that were found, and the mistakes."""

    def __init__(self) -> None:
        self.entries: dict[Key, ProtocolEntry] = {}
        self.wrong: list[ProtocolEntry] = []
        self._seen: set[str] = set()
        for name in installed_plugins(PROTOCOLS):
            try:
                found = installed_task(name)
            except ConfigError as error:
                self.wrong.append(ProtocolEntry(name, "installed", mistake=str(error)))
                continue
            self.entries["", name] = ProtocolEntry(name, found.origin, sentence(found.task))
            self._seen |= {os.path.realpath(path) for path in found.files}

    def read(self, path: Path) -> None:
        """Read a file of the laboratory's own, once."""
        real = os.path.realpath(path)
        if real in self._seen:
            return
        self._seen.add(real)
        try:
            tasks = declared_tasks(path)
        except ConfigError as error:
            self.wrong.append(ProtocolEntry(path.name, display_path(path), mistake=str(error), run=False))
            return
        for name, doc in tasks:
            called = path.stem if len(tasks) == 1 else f"{path.stem}.{name}"
            self.entries[real, name] = ProtocolEntry(called, display_path(path), first_sentence(doc), run=False)

    def add(self, name: str, path: Path) -> None:
        """Add a YAML file to the protocol that it names."""
        try:
            entry = self._named_in(path)
        except ConfigError as error:
            self.wrong.append(ProtocolEntry(name, display_path(path), mistake=str(error)))
        else:
            entry.files.append(YamlEntry(name, display_path(path), first_comment(path)))

    def _named_in(self, path: Path) -> ProtocolEntry:
        """Return the protocol that a YAML file names, running nothing that is not installed. Raises ``ConfigError``."""
        layered = load_config(path)
        word = validate(ProtocolFile, layered).protocol
        mark = layered.location(("protocol",))
        file = file_of(word, None if mark.line is None else Path(mark.file).parent)
        if file is None:
            return self.entries["", look_up_protocol(str(path)).found.name]
        self.read(file)
        real, wanted = os.path.realpath(file), split_reference(word)[1] if is_file_reference(word) else ""
        there = [each for (of, name), each in self.entries.items() if of == real and wanted in ("", name)]
        if not there:
            raise ConfigError(
                config_issue(mark, ("protocol",), f"{display_path(file)} defines no task {wanted}".rstrip())
            )
        return there[0]


def _yaml_files() -> Iterator[tuple[str, Path]]:
    """Return the YAML files that are found by name, and those right here that name a protocol."""
    yield from files("protocols")
    for file in yaml_files("."):
        if _names_a_protocol(Path(file)):
            yield file, Path(file)


def _names_a_protocol(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return any(line.startswith("protocol:") for line in file)
    except (OSError, UnicodeDecodeError):
        return False
