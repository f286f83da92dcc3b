"""Classes in a user's own Python files: ``./my_task.py:MyTask``, the path counted from where it is written."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from rig.config.errors.closest_names import did_you_mean
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.system.local_imports import use_folder
from rig.system.plugins import describe_user_error
from rig.terminal.output import multiline_output

T = TypeVar("T")


@dataclass(frozen=True)
class ClassFinder(Generic[T]):
    """What is looked for in files: called ``what``, a class such as ``example``, written as ``begins``."""

    what: str
    noun: str
    example: str
    begins: str
    matches: Callable[[type], bool]

    def defined_in(self, values: Iterable[object], module: str) -> Iterator[type[T]]:
        """Yield the classes that a module defines itself."""
        for value in values:
            if isinstance(value, type) and value.__module__ == module and self.matches(value):
                yield value

    def find(self, word: str, near: Path | None = None) -> tuple[type[T], Path, bool]:
        """Return the class that a word means, its file, and whether it is the only one there.

        ``near`` is the folder of the file that says the word. Raises ``ConfigError``.
        """
        path, name = split_reference(word, near)
        if path.suffix != ".py":
            raise ConfigError(f"{self.what} '{word}': wanted a Python file and its class, such as {self.example}")
        if not os.path.isfile(path):  # unlike Path.is_file, it never raises: a name may be too long
            raise ConfigError(f"{self.what} '{word}': there is no file {display_path(path)}; {_beside(path)}")
        there = {kind.__name__: kind for kind in self.load_all(path)}
        kind = there.get(name) if name else next(iter(there.values()), None)
        if not there:
            raise ConfigError(f"{self.what} '{word}': {display_path(path)} defines no {self.noun}: {self.begins}")
        if kind is None:
            text = (
                f"{display_path(path)} has no {self.noun} {name}; {did_you_mean(name, there)}it has: {', '.join(there)}"
            )
            raise ConfigError(f"{self.what} '{word}': {text}")
        if not name and len(there) > 1:
            text = f"{display_path(path)} has several {self.noun}s ({', '.join(there)}): add :ClassName"
            raise ConfigError(f"{self.what} '{word}': {text}")
        return kind, path, len(there) == 1

    def load_all(self, file: Path) -> list[type[T]]:
        """Load a file and return the classes that it defines. Raises ``ConfigError`` with the line that fails."""
        module = import_file(file)
        return list(self.defined_in(vars(module).values(), module.__name__))


def is_file_reference(word: str) -> bool:
    """Whether a word means a class in a file, and not something installed."""
    return ":" in word or word.endswith(".py") or "/" in word or os.sep in word


def split_reference(word: str, near: Path | None = None) -> tuple[Path, str]:
    """Return the path of ``./my_task.py:MyTask``, counted from a folder, and the name of the class or an empty one."""
    file, _, name = word.rpartition(":") if not word.endswith(".py") else (word, "", "")
    return (near or Path()) / (file or word), name


def source_files(kind: type) -> tuple[Path, ...]:
    """Return the files of a class: its own, and those beside it or in its package from which it imports.

    Those from which it imported when this was first asked: later a laboratory's modules may be unloaded.
    """
    if kind not in _sources:
        _sources[kind] = _files(sys.modules[kind.__module__])
    return _sources[kind]


_sources: dict[type, tuple[Path, ...]] = {}


def code_hashes(path: Path) -> dict[str, str]:
    """Return the SHA-256 of a Python file and of those beside it from which it imports; empty without the file."""
    return hashes(_files(import_file(path))) if os.path.isfile(path) else {}


def package_hashes(kind: type) -> dict[str, str]:
    """Return the SHA-256 of the files of an installed class, by the names of their modules.

    They are its own file, and those of its package, or beside it, from which it imports.
    """
    first = kind.__module__
    folder = Path(sys.modules[first].__file__ or "").parent
    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        file = None if name in found else _file_of(name, first, folder)
        if file is not None:
            found[name] = _sha256(file)
            waiting += _imports(file, name if file.name == "__init__.py" else name.rpartition(".")[0])
    return found


def _file_of(name: str, first: str, folder: Path) -> Path | None:
    """Return the Python file of a module in the package of another one, or beside it; None for all others."""
    top = first.partition(".")[0]
    if name.partition(".")[0] != top and "." in name:
        return None  # to look for it would import a package
    try:
        # Not in sys.modules: what is imported only when it is needed must not depend on what ran before.
        spec = find_spec(name)
    except Exception:  # no module but a name in one, or a package that fails
        return None
    file = Path((spec and spec.origin) or "")
    is_there = file.suffix == ".py" and file.is_file()
    return file if is_there and (name.partition(".")[0] == top or file.parent == folder) else None


def _files(first: ModuleType) -> tuple[Path, ...]:
    package, dot, _ = first.__name__.partition(".")
    files: dict[str, Path] = {}
    waiting = [first]
    while waiting:
        module = waiting.pop(0)
        file = getattr(module, "__file__", None)
        in_package = bool(dot) and module.__name__.partition(".")[0] == package
        if file is None or file in files or not (in_package or Path(file).parent == Path(first.__file__ or "").parent):
            continue
        files[file] = Path(file)
        waiting += [sys.modules[name] for name in _imports(Path(file)) if name in sys.modules]
    return tuple(files.values())


def hashes(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files, by their paths below the folder that holds them all."""
    paths = sorted(files)
    above = common_folder(paths)
    return {path.relative_to(above).as_posix(): _sha256(path) for path in paths}


def common_folder(files: Iterable[Path]) -> Path:
    """Return the folder that holds all files; the current one where there are none."""
    folders = [file.parent for file in files]
    return Path(os.path.commonpath(folders)) if folders else Path()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _imports(file: Path, package: str = "") -> tuple[str, ...]:
    """Return the names of the modules that a file imports from; a file is imported once, so it is read once.

    ``package`` is the one from which ``from .other import name`` is counted.
    """
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            module = _absolute(node, package)
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return tuple(names)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """Return the whole name of a module that may be written with dots before it, one for the package itself."""
    parts = package.split(".")
    above = parts[: len(parts) - node.level + 1] if node.level else []
    return ".".join([*above, *([] if node.module is None else [node.module])])


def _beside(path: Path) -> str:
    there = [file.name for file in sorted(path.parent.glob("*.py"))] if os.path.isdir(path.parent) else []
    return f"{did_you_mean(path.name, there)}its folder holds: {', '.join(there) or 'no Python files'}"


PROTOCOLS_FOLDER = "protocols"
_modules: dict[str, ModuleType] = {}
"""Files that were imported, by their real path: a file is imported once."""


def import_file(file: Path) -> ModuleType:
    """Load a file as a module, once. Raises ``ConfigError`` with the line at which it fails."""
    real = os.path.realpath(file)
    folder = Path(real).parent
    # Also for what it imports later.
    use_folder(str(folder.parent if folder.name == PROTOCOLS_FOLDER else folder))
    if real not in _modules:
        _modules[real] = _executed(file, real)
    return _modules[real]


def _executed(file: Path, real: str) -> ModuleType:
    # The checksum of the path keeps files of the same name in two folders apart.
    name = f"rig_file_{file.stem}_{zlib.crc32(real.encode()):08x}"
    spec = spec_from_file_location(name, real)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{display_path(file)}: is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look their module up
    try:
        with redirect_stdout(multiline_output(sys.stderr)):  # what it prints is no part of what we were asked for
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ConfigError(f"{display_path(file)} cannot be loaded: {describe_user_error(error)}") from error
    return module
