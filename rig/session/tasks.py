"""Finding the task that ``protocol:`` means.

``./my_task.py:MyTask`` is a class in a file, the path counted from the YAML file that says so; a bare name is a file
``protocols/<name>.py`` beside that YAML file, above it, or here, or else what is installed under that name.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from rig.config.words import did_you_mean, shown
from rig.core.errors import ConfigError
from rig.core.journal import OWN
from rig.core.rows import TRIAL_TABLE, Row
from rig.core.task import Task, TaskParams
from rig.devices.base import Device
from rig.devices.box import wanted_by
from rig.installed import PROTOCOLS, installed, load, not_installed, origin, told
from rig.session.beside import look_into

AnyTask: TypeAlias = type[Task[Any, Any, Any]]

FOLDER = "protocols"
_ABOVE = 3
"""A laboratory's ``protocols/`` stands beside a YAML file, or up to two folders above: ``configs/protocols/x.yaml``."""


@dataclass(frozen=True)
class FoundTask:
    """A task, what records call it, and where it comes from; ``word`` finds it again among copies of its ``files``."""

    name: str
    task: AnyTask
    origin: str = ""
    files: tuple[Path, ...] = ()
    word: str | None = None


def find_task(word: str, near: Path | None = None) -> FoundTask:
    """Find a task; ``near`` is the folder of the file that names it. Raises ``ConfigError``."""
    found = _found(word, near)
    if wrong := list(_misfits(found.task)):
        raise ConfigError(*(f"protocol '{word}': {found.task.__name__}: {text}" for text in wrong))
    return found


def _misfits(task: AnyTask) -> Iterator[str]:
    """Say which of the three classes that a task is made of are not what they must be."""
    named: Any  # whatever somebody has written
    for named, wanted in ((task.params_type, TaskParams), (task.row_type, Row)):
        if not (isinstance(named, type) and issubclass(named, wanted)):
            yield f"{_name(named)} is no {wanted.__name__}: wanted Task[Params, Box, Trial]"
    yield from _wrong_tables(task)
    try:
        devices = wanted_by(task.box_type)
    except (NameError, TypeError) as error:
        yield f"{_name(task.box_type)}: {error}: wanted devices, such as left: Port"
        return
    for name, (named, _, _) in devices.items():
        if not (isinstance(named, type) and issubclass(named, Device)):
            yield f"{_name(task.box_type)}: {name}: {_name(named)} is no device: wanted such as Port"
    if devices and not is_dataclass(task.box_type):
        yield f"{_name(task.box_type)} is no dataclass: write @dataclass above it"


def _wrong_tables(task: AnyTask) -> Iterator[str]:
    """Say which further tables cannot be files of their own, or cannot be told apart by their rows."""
    tables: dict[str, Any] = dict(task.tables)
    for place, (name, kind) in enumerate(tables.items()):
        if not _TABLE.fullmatch(name) or name in _TAKEN:
            yield f"table '{name}': wanted small letters, digits and _, a letter first, and none of {', '.join(_TAKEN)}"
        if not (isinstance(kind, type) and issubclass(kind, Row)):
            yield f"table '{name}': {_name(kind)} is no Row"
        elif kind in list(tables.values())[:place]:
            yield f"table '{name}': {_name(kind)} is the row of another table, too: make it a class of its own"
        elif taken := [column for column in kind.columns() if column in _TAKEN_COLUMNS]:
            yield f"table '{name}': a column '{taken[0]}' is the journal's own: give it another name"


_TABLE = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN = (TRIAL_TABLE, "positions")
_TAKEN_COLUMNS = {*OWN, "table"} - {"t"}


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))


def _found(word: str, near: Path | None) -> FoundTask:
    if ":" in word or word.endswith(".py") or "/" in word or os.sep in word:
        file, _, name = word.rpartition(":") if not word.endswith(".py") else (word, "", "")
        return _in_file(word, (near or Path()) / (file or word), name)
    for folder in _folders(near):
        file_there = folder / f"{word}.py"
        if os.path.isfile(file_there) and not _is_installed(word, file_there):
            return _in_file(word, file_there, "")
    return _installed(word, near)


def folders(near: Path | None = None) -> list[Path]:
    """List the folders of protocols that there are: beside a file and above it, and here."""
    return [folder for folder in _folders(near) if folder.is_dir()]


def tasks_in(file: Path) -> list[AnyTask]:
    """Import a file and list the tasks that it defines. Raises ``ConfigError`` with the line at which it breaks."""
    return list(_tasks(_imported(file)))


def files_of(task: AnyTask) -> tuple[Path, ...]:
    """List the files of a task: its own, and those beside it that it takes something from."""
    first = sys.modules[task.__module__]
    found: dict[str, Path] = {}
    waiting = [first]
    while waiting:
        module = waiting.pop(0)
        file = getattr(module, "__file__", None)
        if file is None or file in found or Path(file).parent != Path(first.__file__ or "").parent:
            continue
        found[file] = Path(file)
        waiting += [sys.modules[name] for name in _imports(Path(file)) if name in sys.modules]
    return tuple(found.values())


def _imports(file: Path) -> Iterator[str]:
    """Name the modules that a file imports from."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _folders(near: Path | None) -> list[Path]:
    above = [] if near is None else [near.absolute(), *near.absolute().parents][:_ABOVE]
    return list(dict.fromkeys(folder / FOLDER for folder in (*above, Path.cwd())))


def _is_installed(name: str, file: Path) -> bool:
    """Tell whether this very file is what is installed under the name."""
    point = installed(PROTOCOLS).get(name)
    if point is None:
        return False
    try:
        module = import_module(point.module)
    except Exception:  # it cannot be loaded: it is told when it is asked for
        return False
    return module.__file__ is not None and os.path.realpath(module.__file__) == os.path.realpath(file)


def _installed(name: str, near: Path | None) -> FoundTask:
    points = installed(PROTOCOLS)
    if name not in points:
        there = {*points, *(file.stem for folder in folders(near) for file in folder.glob("[!_]*.py"))}
        raise ConfigError(
            not_installed(PROTOCOLS, name, there) + f"; a file of your own is written ./{name}.py:ClassName"
        )
    task = load(PROTOCOLS, name)
    if not (isinstance(task, type) and issubclass(task, Task)):
        raise ConfigError(f"protocol '{name}' cannot be loaded: {points[name].value} is no Task")
    return FoundTask(name, task, origin(points[name]), files_of(task))


def _in_file(word: str, path: Path, class_name: str) -> FoundTask:
    if path.suffix != ".py":
        raise ConfigError(f"protocol '{word}': wanted a Python file and its class, such as ./my_task.py:MyTask")
    if not os.path.isfile(path):  # unlike Path.is_file, it never raises: a name may be too long
        raise ConfigError(f"protocol '{word}': there is no file {shown(path)}; {_beside(path)}")
    there = {task.__name__: task for task in tasks_in(path)}
    task = there.get(class_name) if class_name else next(iter(there.values()), None)
    if not there:
        raise ConfigError(f"protocol '{word}': {shown(path)} defines no task: class MyTask(Task[Params, Box, Trial])")
    if task is None:
        hint = did_you_mean(class_name, there)
        raise ConfigError(
            f"protocol '{word}': {shown(path)} has no task {class_name}; {hint}it has: {', '.join(there)}"
        )
    if not class_name and len(there) > 1:
        raise ConfigError(f"protocol '{word}': {shown(path)} has several tasks ({', '.join(there)}): add :ClassName")
    name = path.stem if len(there) == 1 else f"{path.stem}.{task.__name__}"
    return FoundTask(name, task, shown(path), files_of(task), f"{path.name}:{task.__name__}")


def _beside(path: Path) -> str:
    there = [file.name for file in sorted(path.parent.glob("*.py"))] if os.path.isdir(path.parent) else []
    return f"{did_you_mean(path.name, there)}its folder holds: {', '.join(there) or 'no Python files'}"


def _tasks(module: ModuleType) -> Iterator[AnyTask]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Task) and value.__module__ == module.__name__ and value.states:
            yield value


_modules: dict[str, ModuleType] = {}
"""Files that were imported, by their real path: a file is imported once."""


def _imported(file: Path) -> ModuleType:
    real = os.path.realpath(file)
    folder = Path(real).parent
    look_into(str(folder.parent if folder.name == FOLDER else folder))  # also for what a state imports later
    if real not in _modules:
        _modules[real] = _executed(file, real)
    return _modules[real]


def _executed(file: Path, real: str) -> ModuleType:
    name = f"rig_file_{file.stem}_{zlib.crc32(real.encode()):08x}"
    spec = spec_from_file_location(name, real)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{shown(file)}: is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look their module up
    try:
        with redirect_stdout(sys.stderr):  # what it prints is no part of what we were asked for
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ConfigError(f"{shown(file)} cannot be loaded: {told(error)}") from error
    return module
