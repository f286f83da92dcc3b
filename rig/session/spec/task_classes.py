"""Find the task that ``protocol:`` names.

``./my_task.py:MyTask`` is a class in a file, the path counted from the YAML file that says so; a bare name is a file
``protocols/<name>.py`` beside that YAML file, above it, or here, or else what is installed under that name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path

from rig.config.errors.formatting import display_path
from rig.config.user_classes import (
    PROTOCOLS_FOLDER,
    ClassFinder,
    hashes,
    is_file_reference,
    source_files,
    split_reference,
)
from rig.core.errors import ConfigError
from rig.core.model.rows import TRIAL_TABLE, Row, column_name_error, table_name_error
from rig.core.model.view_checks import view_problems
from rig.core.task.row_class import row_class_problems
from rig.core.task.task import AnyTask, Task, TaskParams
from rig.devices.base import Device
from rig.devices.box import wanted_by
from rig.system.plugins import PROTOCOLS, installed_plugins, load_plugin, not_installed_text, origin

_SEARCH_LEVELS = 3
"""A laboratory's ``protocols/`` stands beside a YAML file, or up to two folders above: ``configs/protocols/x.yaml``."""


@dataclass(frozen=True)
class FoundTask:
    """A task, what records call it, and where it comes from; ``word`` finds it again among copies of its ``files``.

    ``instead`` tells that it is a laboratory's own, and taken instead of the installed one of its name.
    """

    name: str
    task: type[AnyTask]
    origin: str = ""
    files: tuple[Path, ...] = ()
    reference: str | None = None
    replaces_installed: bool = False

    @cached_property
    def code(self) -> dict[str, str]:
        """Return the SHA-256 of each of its files by name."""
        return hashes(self.files)


def find_task(word: str, near: Path | None = None) -> FoundTask:
    """Return the task of a name; ``near`` is the folder of the file that names it. Raises ``ConfigError``."""
    return _validated(word, _locate(word, near))


def installed_task(name: str) -> FoundTask:
    """Return the task that is installed under a name, whatever the current folder is. Raises ``ConfigError``."""
    return _validated(name, _installed(name))


def _validated(word: str, found: FoundTask) -> FoundTask:
    if wrong := list(_class_problems(found.task)):
        raise ConfigError(*(f"protocol '{word}': {found.task.__name__}: {text}" for text in wrong))
    return found


def _class_problems(task: type[AnyTask]) -> Iterator[str]:
    """Return which of the three classes that a task is made of are not what they must be."""
    for named, wanted in ((task.params_type, TaskParams), (task.row_type, Row)):
        if not _is_class(named, wanted):
            yield f"{_name(named)} is no {wanted.__name__}: wanted Task[Params, Box, Trial]"
    if _is_class(task.row_type, Row) and (wrong := column_name_error(task.row_type.columns())):
        yield wrong
    wrong_tables = [*_table_problems(task), *_column_problems(task)]
    yield from wrong_tables
    if _is_class(task.row_type, Row) and not wrong_tables:
        yield from view_problems(task.views, {TRIAL_TABLE: task.row_type, **task.tables})
    try:
        devices = wanted_by(task.box_type)
    except (NameError, TypeError) as error:
        yield f"{_name(task.box_type)}: {error}: wanted devices, such as left: Port"
        return
    for name, (kind, _, _) in devices.items():
        if not _is_class(kind, Device):
            yield f"{_name(task.box_type)}: {name}: {_name(kind)} is no device: wanted such as Port"
    if devices and not is_dataclass(task.box_type):
        yield f"{_name(task.box_type)} is no dataclass: write @dataclass above it"


def _column_problems(task: type[AnyTask]) -> Iterator[str]:
    """Yield what is wrong with the columns of the tables."""
    # Read when the whole file is loaded: a type may stand below the task. Later, the first trial would fail at its end,
    # with an animal in the rig.
    for kind in (task.row_type, *task.tables.values()):
        if _is_class(kind, Row):
            yield from row_class_problems(kind)


def _table_problems(task: type[AnyTask]) -> Iterator[str]:
    """Return which further tables cannot be files of their own, or cannot be told apart by their rows."""
    for index, (name, kind) in enumerate(task.tables.items()):
        if wrong := table_name_error(name):
            yield f"table '{name}': {wrong}"
        if not _is_class(kind, Row):
            yield f"table '{name}': {_name(kind)} is no Row"
        elif kind in list(task.tables.values())[:index]:
            yield f"table '{name}': {_name(kind)} is the row of another table, too: make it a class of its own"
        elif wrong := column_name_error(kind.columns()):
            yield f"table '{name}': {wrong}"


def _is_class(value: object, base: type[object]) -> bool:
    """Whether a value is a class with this base: the file of a task may have anything in its place."""
    return isinstance(value, type) and issubclass(value, base)


def _name(kind: object) -> str:
    return str(getattr(kind, "__name__", kind))


def _locate(word: str, near: Path | None) -> FoundTask:
    if is_file_reference(word):
        return _in_file(word, near)
    stem, dot, name = word.partition(".")
    if dot and (several := file_of(stem, near)) is not None:  # as `rig show protocols` names a class of several
        return _in_file(f"{display_path(several)}:{name}")
    file_there = file_of(word, near)
    if file_there is not None:
        return replace(_in_file(display_path(file_there)), replaces_installed=word in installed_plugins(PROTOCOLS))
    if word not in installed_plugins(PROTOCOLS):
        there = {
            *installed_plugins(PROTOCOLS),
            *(file.stem for folder in folders(near) for file in folder.glob("[!_]*.py")),
        }
        raise ConfigError(
            not_installed_text(PROTOCOLS, word, there) + f"; for a file of your own write ./{word}.py:ClassName"
        )
    return _installed(word)


def file_of(word: str, near: Path | None = None) -> Path | None:
    """Return the laboratory's own file in which a task is looked for, without running it; None if there is none."""
    if is_file_reference(word):
        return split_reference(word, near)[0]
    files = (folder / f"{word}.py" for folder in _folders(near))
    # In a checkout the installed file itself lies in `protocols`; it replaces nothing.
    return next((file for file in files if os.path.isfile(file) and not _is_installed(word, file)), None)


def folders(near: Path | None = None) -> list[Path]:
    """Return the existing folders of protocols: beside a file and above it, and in the current folder."""
    return [folder for folder in _folders(near) if folder.is_dir()]


def _folders(near: Path | None) -> list[Path]:
    above = [] if near is None else [near.absolute(), *near.absolute().parents][:_SEARCH_LEVELS]
    return list(dict.fromkeys(folder / PROTOCOLS_FOLDER for folder in (*above, Path.cwd())))


def _is_installed(name: str, file: Path) -> bool:
    """Whether this very file is what is installed under the name."""
    point = installed_plugins(PROTOCOLS).get(name)
    if point is None:
        return False
    try:
        module = import_module(point.module)
    except Exception:  # it cannot be loaded: it is told when it is asked for
        return False
    return module.__file__ is not None and os.path.realpath(module.__file__) == os.path.realpath(file)


def _installed(name: str) -> FoundTask:
    task = load_plugin(PROTOCOLS, name)
    point = installed_plugins(PROTOCOLS)[name]
    if not (isinstance(task, type) and issubclass(task, Task)):
        raise ConfigError(f"protocol '{name}' cannot be loaded: {point.value} is no Task")
    return FoundTask(name, task, origin(point), source_files(task))


def _in_file(word: str, near: Path | None = None) -> FoundTask:
    task, path, is_only = TASKS.find(word, near)
    # Tasks of one file need different names: a subject's state has one section for each.
    name = path.stem if is_only else f"{path.stem}.{task.__name__}"
    files = source_files(task)
    return FoundTask(name, task, display_path(path), files, f"{files[0].name}:{task.__name__}")


TASKS: ClassFinder[AnyTask] = ClassFinder(
    what="protocol",
    noun="task",
    example="./my_task.py:MyTask",
    begins="class MyTask(Task[Params, Box, Trial])",
    matches=lambda kind: issubclass(kind, Task) and bool(kind.states),
)
