"""``rig show protocols``: what is installed, what lies in folders here, and the YAML files of each."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rig.cli.listing import first_comment, sentence, show
from rig.cli.show_asked import asked_for
from rig.cli.show_template import write_template
from rig.config import find, names
from rig.config.words import shown
from rig.core.errors import ConfigError
from rig.installed import PROTOCOLS, installed
from rig.places import yaml_files
from rig.session.tasks import AnyTask, FoundTask, files_of, find_task, folders, tasks_in
from rig.status import OK


@dataclass(frozen=True)
class File:
    """A YAML file of a protocol."""

    name: str
    path: str
    sentence: str


@dataclass(frozen=True)
class Listed:
    """A protocol, or what keeps it from being one."""

    name: str
    source: str
    sentence: str = ""
    mistake: str = ""
    files: list[File] = field(default_factory=list)


def run(arguments: argparse.Namespace) -> int:
    """List the protocols, or write a new one."""
    if arguments.template is not None:
        return _template(arguments)
    if arguments.into is not None:
        raise ConfigError("--into: says where a template goes: give --template NAME too")
    listed = protocols()
    if arguments.json:
        print(json.dumps({"protocols": [asdict(each) for each in listed]}, indent=2))
        return OK
    show((each.name, each.source, each.sentence, each.mistake, _lines(each.files)) for each in listed)
    return OK


def protocols() -> list[Listed]:
    """List all protocols; one that cannot be loaded is listed with its mistake."""
    found: dict[AnyTask, FoundTask] = {}
    wrong: list[Listed] = []
    for word, near in _words():
        try:
            task = find_task(word, near)
            found.setdefault(task.task, task)
        except ConfigError as error:
            name = word.removeprefix("./")
            wrong.append(Listed(name, "installed" if near is None else shown(near / name), mistake=str(error)))
    files: dict[AnyTask, list[File]] = {}
    for name, path in _yaml_files():
        try:
            asked = asked_for(str(path)).found
        except ConfigError as error:
            wrong.append(Listed(name, shown(path), mistake=str(error)))
            continue
        found.setdefault(asked.task, asked)
        files.setdefault(asked.task, []).append(File(name, shown(path), first_comment(path)))
    right = [Listed(each.name, each.origin, sentence(task), files=files.get(task, [])) for task, each in found.items()]
    return [*right, *wrong]


def _words() -> Iterator[tuple[str, Path | None]]:
    """Give the words that find all tasks, with the folder that they are counted from."""
    ours: set[str] = set()
    for name in installed(PROTOCOLS):
        yield name, None
        ours |= _files_of(name)
    for folder in folders():
        for path in sorted(folder.glob("[!_]*.py")):
            if os.path.realpath(path) not in ours:
                yield from ((word, folder) for word in _tasks_of(path))


def _files_of(name: str) -> set[str]:
    try:
        return {os.path.realpath(path) for path in files_of(find_task(name).task)}
    except ConfigError:
        return set()


def _tasks_of(path: Path) -> Iterable[str]:
    """Give the words for the tasks of a file; for one that cannot be loaded its own name, so that it is told."""
    try:
        return [f"./{path.name}:{task.__name__}" for task in tasks_in(path)]
    except ConfigError:
        return [f"./{path.name}"]


def _yaml_files() -> Iterator[tuple[str, Path]]:
    """Give the YAML files that are found by name, and those right here that name a protocol."""
    for name in names("protocols"):
        yield name, find("protocols", name)
    for file in yaml_files("."):
        if _names_a_protocol(Path(file)):
            yield file, Path(file)


def _names_a_protocol(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return any(line.startswith("protocol:") for line in file)
    except (OSError, UnicodeDecodeError):
        return False


def _lines(files: list[File]) -> list[tuple[str, str]]:
    return [(each.name, each.sentence) for each in files]


def _template(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.into or "")
    python, yaml = write_template(arguments.template, folder)
    if arguments.json:
        print(json.dumps({"written": [str(python), str(yaml)]}, indent=2))
        return OK
    print(f"{python}: the task; change it to your own\n{yaml}: its parameters, and when a session ends\n\nTry:")
    print(f"  rig check {yaml}\n  rig sim {yaml} --model random --seed 1")
    return OK
