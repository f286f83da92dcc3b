"""Find where a protocol uses files, the network or other processes while it is rehearsed.

The journal has none of what it learns so: a replay of the session would need them again, as they were.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import FrameType

from rig.core.model.code_lines import CodeLine
from rig.system.plugins import is_package_file

_USES: Mapping[str, str] = {
    "open": "opens the file {}",
    "os.listdir": "lists the folder {}",
    "os.scandir": "lists the folder {}",
    "socket.connect": "uses the network",
    "socket.getaddrinfo": "uses the network",
    "subprocess.Popen": "starts another process",
    "os.system": "starts another process",
    "os.posix_spawn": "starts another process",
}
"""The events of `sys.addaudithook` that are told, in words."""
_REMEDY = "which the journal does not have, so no replay can know it: give the protocol a parameter in its place"

Uses = Counter[tuple[CodeLine, str]]
_watched: ContextVar[tuple[frozenset[str], Uses] | None] = ContextVar("watched", default=None)


@contextmanager
def outside_uses(files: Iterable[Path]) -> Iterator[Uses]:
    """Record what the lines of a protocol's ``files`` use of the world outside, until the end of the block."""
    _install()
    uses: Uses = Counter()
    token = _watched.set((frozenset(map(str, files)), uses))
    try:
        yield uses
    finally:
        _watched.reset(token)


@cache
def _install() -> None:
    sys.addaudithook(_on_event)  # once: a hook can never be removed


def _on_event(event: str, args: tuple[object, ...]) -> None:
    if event not in _USES or (watched := _watched.get()) is None:
        return
    files, uses = watched
    line = _protocol_line(files)
    name = args[0] if args else None
    # A number is a file that is open already; Python reads source files for its own messages.
    if line is not None and not isinstance(name, int) and not str(name).endswith(".py"):
        uses[line, f"{_USES[event].format(repr(name))}, {_REMEDY}"] += 1


def _protocol_line(files: frozenset[str]) -> CodeLine | None:
    """Return the innermost line of the protocol; None if our own code or an import is what acts."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 (the public way goes up frame by frame)
    while frame is not None and (file := frame.f_code.co_filename) not in files:
        if file.startswith("<frozen importlib") or is_package_file(file):
            return None
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)
