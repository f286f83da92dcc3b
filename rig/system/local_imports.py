"""What a laboratory's files import from beside them: found after all that is installed, and one folder's at a time.

Two laboratories may both have a ``helper.py``: each gets its own, also where one command reads the files of both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

_folder: list[str] = []
"""The folder that is looked into now, if any."""

_unloaded: dict[str, dict[str, ModuleType]] = {}
"""What was imported from the other folders, by folder and by name."""


def use_folder(folder: str) -> None:
    """Switch imports to what lies in a folder; nothing of the folder before it is found any more."""
    if folder in sys.path:  # the same folder again, or one that Python itself looks into
        return
    while _folder:
        before = _folder.pop()
        if before in sys.path:
            sys.path.remove(before)
        _unloaded[before] = dict(_modules_of(before))
        for name in _unloaded[before]:
            _unload(name)
    sys.path.append(folder)
    _folder.append(folder)
    for name, module in _unloaded.pop(folder, {}).items():
        _reload(name, module)


@contextmanager
def kept_folder() -> Iterator[None]:
    """Return to the folder of before at the end of the block: a protocol may import from it later."""
    before = _folder[:]
    try:
        yield
    finally:
        for folder in before:
            use_folder(folder)


def _modules_of(folder: str) -> Iterator[tuple[str, ModuleType]]:
    """Return the modules that were found through a folder, and not those of an environment that lies below it."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        place = Path(folder, *name.split("."))
        if file is not None and Path(file) in (place.with_suffix(".py"), place / "__init__.py"):
            yield name, module


def _unload(name: str) -> None:
    module = sys.modules.pop(name)
    above, _, last = name.rpartition(".")
    if getattr(sys.modules.get(above), last, None) is module:
        delattr(sys.modules[above], last)


def _reload(name: str, module: ModuleType) -> None:
    sys.modules[name] = module
    above, _, last = name.rpartition(".")
    if above in sys.modules:
        setattr(sys.modules[above], last, module)
