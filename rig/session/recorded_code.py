"""Select the code that replays a journal: the installed protocol, or the trusted copy in the session's folder.

A journal names no module to import; its protocol's name is looked up among the installed ones. A file of the folder
runs only if its hash is in the header and a person trusts it. It runs from a temporary copy, so that neither files
beside it nor compiled code are loaded with it.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rig.config.device_kinds import file_kind, is_shipped
from rig.config.errors.formatting import display_path
from rig.config.user_classes import is_file_reference, package_hashes
from rig.core.errors import ConfigError, RecordError
from rig.core.journal.header import Header
from rig.devices.base import Device
from rig.devices.kinds import installed_kind
from rig.session.spec.task_classes import FoundTask, find_task, installed_task
from rig.system.plugins import PROTOCOLS, installed_plugins, not_installed_text
from rig.system.scratch import scratch_place

LARGEST_BYTES = 1_000_000
"""Larger files are not loaded: no protocol is so long."""

_LONGEST = 100
"""A longer name is no protocol's."""
_WORD = re.compile(r"(?P<file>[^/\\:\0]+\.py):(?P<name>\w+)")


@dataclass(frozen=True)
class RecordedCode:
    """The code of a session as its folder has it, exactly as its header says."""

    place: Path
    word: str
    files: Mapping[str, bytes]

    def lines(self) -> Iterator[str]:
        """Return which files these are, each with its hash."""
        for name, code in self.files.items():
            yield f"{display_path(self.place / name)}, SHA-256 {_hash(code)}"

    def task(self, root: Path) -> FoundTask:
        """Run the code of a protocol, which `TrustedCode` has written. Raises ``ConfigError``."""
        return find_task(f"./{self.word}", root / self.place.name)

    def kind(self, root: Path) -> type[Device]:
        """Run the code of a device, which `TrustedCode` has written. Raises ``ConfigError``."""
        return file_kind(f"./{self.word}", root / self.place.name)


@dataclass(frozen=True)
class InstalledCode:
    """What is installed under a protocol's name, and the files in which it is not what was recorded."""

    found: FoundTask
    differing: tuple[str, ...] = ()


class TrustedCode:
    """The copies of code that run, for as long as they are needed: ``with TrustedCode() as trusted:``."""

    def __enter__(self) -> TrustedCode:
        self._stack = ExitStack()
        self._roots: dict[tuple[object, ...], Path] = {}
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def root(self, copies: Collection[RecordedCode]) -> Path:
        """Return a folder with the copies of one session; that of sessions with the same code is the same.

        So their code runs once. The folders in it keep their names: files in `protocols` import each other as
        protocols.NAME. Without copies no folder is made.
        """
        if not copies:
            return Path()
        key = tuple((copy.place.name, copy.word, tuple(copy.files.items())) for copy in copies)
        if key not in self._roots:
            place = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="rig-trusted-", dir=scratch_place()))
            self._roots[key] = Path(place)
            for copy in copies:
                folder = Path(place, copy.place.name)
                folder.mkdir(exist_ok=True)
                for name, code in copy.files.items():
                    (folder / name).write_bytes(code)
        return self._roots[key]


@dataclass(frozen=True)
class RecordedKinds:
    """The kinds of a journal's devices: the installed classes, and the copies of files, which have not run yet.

    ``differing`` are the files in which an installed class is not what was recorded.
    """

    installed: Mapping[str, type[Device]]
    copies: Mapping[str, RecordedCode]
    differing: tuple[str, ...] = ()


def select_kinds(header: Header, folder: Path | None = None) -> RecordedKinds:
    """Return the kinds of a journal's devices. Raises ``ConfigError`` or ``RecordError`` as `select_code` does."""
    rig = header.rig
    words = dict.fromkeys(str(device.get("kind"))[:_LONGEST] for device in rig.devices.values())
    code = {word: kind.code for word, kind in rig.kinds.items()}
    copies = {word: _find_recorded_code(word, code.get(word, {}), folder) for word in words if is_file_reference(word)}
    installed = {word: installed_kind(word) for word in words if word not in copies}
    differing = (
        name
        for word, kind in installed.items()
        for name in _differing(code.get(word, {}), {} if is_shipped(kind) else package_hashes(kind))
    )
    return RecordedKinds(installed, copies, tuple(differing))


def select_code(header: Header, folder: Path | None = None) -> InstalledCode | RecordedCode:
    """Return the code for a journal: the installed one, or else the copy in its folder, which has not run yet.

    Raises ``ConfigError`` when there is neither, and ``RecordError`` when the copy is not what was recorded.
    """
    # A journal may come from anywhere: its name may be a very long one.
    name, recorded, word = header.protocol[:_LONGEST], header.code, header.task
    there = installed_plugins(PROTOCOLS)
    here = installed_task(name) if name in there else None
    if here is not None and (not word or _is_part(recorded, here.code)):
        return InstalledCode(here, () if word else tuple(_differing(recorded, here.code)))
    if not word:
        raise ConfigError(not_installed_text(PROTOCOLS, name, there))
    return _find_recorded_code(word, recorded, folder)


def _is_part(recorded: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether the recorded files are installed as they were, maybe under other names: others may have been imported."""
    return bool(recorded) and all(code in now.values() for code in recorded.values())


def _differing(recorded: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    yield from sorted(name for name in {*recorded, *now} if recorded.get(name) != now.get(name))


def _find_recorded_code(word: str, recorded: Mapping[str, str], folder: Path | None) -> RecordedCode:
    """Return the code in a session's folder. Raises ``RecordError`` if it is not there as it was recorded."""
    parts = _WORD.fullmatch(word)
    if parts is None or parts["file"] not in recorded:
        raise RecordError(f"the header names no file and its class: {word!r}, code {recorded!r}")
    wrong = f"{parts['file']} is not in the folder config of the session"
    for place in _folders(None if folder is None else folder / "config"):
        try:
            files = {name: _read(place, name) for name in recorded}
        except OSError:
            continue
        # These bytes are the ones that run: a file that changes after the check has no effect.
        if {name: _hash(code) for name, code in files.items()} == recorded:
            return RecordedCode(place, parts[0], files)
        wrong = f"{display_path(place)} is not what was recorded: its SHA-256 differ from those in the header"
    raise RecordError(f"{parts[0]} cannot be replayed: {wrong}")


def _folders(config: Path | None) -> list[Path]:
    """Return the folders below one, without links to other places."""
    if config is None or config.is_symlink():
        return []
    try:
        with os.scandir(config) as there:
            return sorted(Path(entry) for entry in there if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _read(place: Path, name: str) -> bytes:
    """Read a file that lies in a folder, itself, and not somewhere else. Raises ``OSError``."""
    with os.scandir(place) as there:
        # Compared with the folder's entries, so that a name with '..' or a slash matches none.
        entry = next((entry for entry in there if entry.name == name), None)
    if entry is None or not entry.is_file(follow_symlinks=False) or entry.stat().st_size > LARGEST_BYTES:
        raise FileNotFoundError(name)
    return Path(entry).read_bytes()


def _hash(code: bytes) -> str:
    return hashlib.sha256(code).hexdigest()
