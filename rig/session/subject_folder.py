"""Open a subject's folder: its place, its lock, and the state that is kept between sessions.

Simulated sessions have separate folders, ``<data>/sim/<subject>/``:
no start of a real session reads what a virtual subject did.

``state.json`` has one section per protocol. It is written after a session that ended as it should, never after
a fault; a subject that has sessions but no readable state, or one that they have not left, is not guessed at.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.header import Free
from rig.platform.command_line import command_line
from rig.records.session.brief import SessionBrief
from rig.records.session.history import past_journals, past_sessions
from rig.system.atomic_files import os_error_text, read_errors, write_atomic
from rig.system.config_paths import NO_SUBJECTS, SIMULATED
from rig.system.file_names import name_problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
STATE = "state.json"
PREVIOUS = "state.previous.json"


def check_name(name: str) -> str:
    """Check that a name can be a folder on every system, and return it. Raises ``ConfigError``."""
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"subject '{name}' cannot be a folder's name: use up to 64 letters, digits, '-', '_' or '.', "
            "beginning with a letter or digit"
        )
    if problem := name_problem(name):
        raise ConfigError(f"subject {problem}")
    # Windows and macOS do not tell capital letters from small ones in the name of a folder.
    if name.lower() in NO_SUBJECTS:
        what = "simulated sessions" if name.lower() == SIMULATED else name.lower()
        raise ConfigError(f"subject '{name}': {what} lie in a folder of that name: choose another")
    return name


def check_case(folder: Path) -> None:
    """Check that no subject has a folder's name in other letters. Raises ``ConfigError``.

    Windows and macOS would give both one folder, and two animals one set of records.
    """
    with suppress(FileNotFoundError):
        names = [entry.name for entry in os.scandir(folder.parent) if entry.name.lower() == folder.name.lower()]
        if names and folder.name not in names:
            raise ConfigError(
                f"subject '{folder.name}': there is {names[0]}: type {names[0]} if it is the same animal, or take a "
                "name that differs in more than its case"
            )


def subjects_folder(data: Path, *, simulated: bool) -> Path:
    """Return the folder of all subjects below the data folder: simulated ones have a place of their own."""
    return data / SIMULATED if simulated else data


class SubjectFolder:
    """One subject's folder, locked while it is in use: ``with Subject(data, "M1") as subject:``."""

    def __init__(self, data: Path, name: str, *, simulated: bool = False) -> None:
        self.name = check_name(name)
        self.folder = subjects_folder(data, simulated=simulated) / name
        self.simulated = simulated
        self._data = data
        # The system releases this lock when the process dies: no file blocks the subject after `kill -9`.
        self._lock = FileLock(self.folder / ".lock", timeout=0)

    def __enter__(self) -> SubjectFolder:
        try:
            check_case(self.folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            if not os.access(self.folder, os.W_OK | os.X_OK):  # found out now, not when the session has ended
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.folder))
        except Timeout:
            raise ConfigError(f"{self.folder}: another session of '{self.name}' is running; wait for its end") from None
        except OSError as error:
            self._let_go()
            raise RecordError(
                f"{error.filename or self.folder}: cannot be used for records: {error.strerror}: "
                "wanted a folder that you may write in; --data or $RIG_DATA names another"
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def _let_go(self) -> None:
        with suppress(OSError):  # the system takes the lock back when the program ends, and no session fails for it
            self._lock.release()

    def state(self) -> dict[str, dict[str, object]]:
        """Read the state, making an empty one for a new subject. Raises ``RecordError`` when it is unreadable."""
        path = self.folder / STATE
        with read_errors(path):
            # Sessions without a state mean a lost state: an empty one would begin the training again.
            is_new = not path.exists() and not self._has_sessions()
        if is_new:
            # Written at once: a crash in the first session must not look like a lost state.
            self.write_state({})
            return {}
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except PermissionError as error:
            raise RecordError(f"{path}: cannot be read: {os_error_text(error)}") from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise RecordError(
                f"{path}: cannot be read ({reason}), and '{self.name}' has sessions: "
                f"run `{self._rebuild}`, which rebuilds it from their journals"
            ) from None
        if not isinstance(state, dict) or not all(isinstance(section, dict) for section in state.values()):
            raise RecordError(f"{path}: holds no state: run `{self._rebuild}`")
        return state

    def carried_over(self, state: Mapping[str, dict[str, object]], protocol: str) -> dict[str, object]:
        """Return a protocol's section of the state, which must be what the newest session that counts has left.

        It is not after a crash between a session's footer and the state, with an older state that was put
        back, or when a session was moved away. Raises ``RecordError``.
        """
        carried_over = state.get(protocol, {})
        newest: SessionBrief | None = None
        for past in past_sessions(self.folder, simulated=self.simulated):
            if past.header.protocol != protocol or not past.advances_state:
                continue
            # The session that ran last need not have the newest date: a clock may have gone back.
            newest = newest or past
            if _left(past) == carried_over:
                return carried_over
            if past.header.carry_over == carried_over:  # a session has gone on from it
                break
        # The sessions may have been moved to an archive: nothing contradicts the state.
        if newest is None:
            return carried_over
        raise RecordError(
            f"{self.folder / STATE}: is not what {newest.name}, the newest session with {protocol} that counts, has "
            f"left: run `{self._rebuild}`, which rebuilds it from the journals"
        )

    @property
    def _rebuild(self) -> str:
        sim = ["--sim"] if self.simulated else []
        return command_line(["rig", "subject", "rebuild", self.name, *sim, "--data", str(self._data)])

    def rebuild_state(self) -> tuple[dict[str, object], list[str]]:
        """Write the state again: for each protocol, what its last session that counts has left.

        Returns it, and the sessions that were left out. Raises ``RecordError``.
        """
        state: dict[str, object] = {}
        left_out: list[str] = []
        for past in reversed(list(past_journals(self.folder, simulated=self.simulated))):
            if isinstance(past, Path):
                left_out.append(f"{past.parent}: has no header that can be read")
            elif past.advances_state:
                state[past.header.protocol] = _left(past)
            elif past.footer is None:
                left_out.append(f"{past.folder}: has no end")
        self.write_state(state)
        return state, left_out

    def days_before(self, date: str) -> int:
        """Return the number of days before a date on which it had a session. Raises ``RecordError``."""
        with read_errors(self.folder):
            return sum(day < date for day in self._days())

    def _days(self) -> list[str]:
        # glob() would pass over a folder that cannot be read, and the subject would look new.
        return [name for name in os.listdir(self.folder) if _DAY.fullmatch(name)]

    def _has_sessions(self) -> bool:
        days = filter(Path.is_dir, map(self.folder.joinpath, self._days()))
        return any(entry.is_dir() for day in days for entry in day.iterdir())

    def write_state(self, state: Mapping[str, object]) -> None:
        """Write the state in one step; the previous one is kept beside it. Raises ``RecordError``."""
        path = self.folder / STATE
        try:
            previous = path.read_bytes() if path.exists() else None
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {os_error_text(error)}") from error
        # A copy and no rename: between two renames a power cut would leave no state at all.
        if previous is not None:
            write_atomic(self.folder / PREVIOUS, previous, synced=True)
        write_atomic(path, json.dumps(state, indent=2, sort_keys=True), synced=True)


def _left(past: SessionBrief) -> Free:
    """Return what a session left for the next one with its protocol."""
    return {} if past.footer is None else past.footer.carry_over
