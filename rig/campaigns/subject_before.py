"""What a simulated subject's folder held before a job that runs several of its sessions.

If the process of such a job is killed, the job runs again, and begins from there: so its results are the same.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rig.session.subject_folder import PREVIOUS, STATE
from rig.system.atomic_files import read_errors, write_atomic, write_errors

_MARK = ".job"
"""The file with the job that works in the folder; without it, sessions of another command would be removed."""


@dataclass(frozen=True)
class SubjectBefore:
    """The names of a subject's sessions, and the files of its state."""

    sessions: frozenset[str]
    states: tuple[tuple[str, bytes | None], ...]

    @classmethod
    def of(cls, folder: Path) -> SubjectBefore:
        """Read them. Raises ``RecordError``."""
        with read_errors(folder):
            return cls(_sessions(folder), tuple((name, _content(folder / name)) for name in (STATE, PREVIOUS)))

    @contextmanager
    def in_job(self, folder: Path, job: str) -> Iterator[None]:
        """Run the block in the folder as it was before; ``job`` is a name that no other job has.

        If a process of this job was killed in the block, what it has begun is removed first. Raises ``RecordError``.
        """
        mark = folder / _MARK
        with write_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with read_errors(mark):
            was_killed = _content(mark) == job.encode()
        if was_killed:
            self._restore(folder)
        write_atomic(mark, job)
        try:
            yield
        finally:
            with suppress(OSError):  # of the folder: it has sessions, unless the first one was refused
                mark.unlink(missing_ok=True)
                folder.rmdir()

    def _restore(self, folder: Path) -> None:
        with write_errors(folder):
            begun = _sessions(folder) - self.sessions
            if begun:
                for name in begun:
                    shutil.rmtree(folder / name)
                for name, content in self.states:
                    _restore_content(folder / name, content)


def _sessions(folder: Path) -> frozenset[str]:
    # Not only folders with a journal: a process may be killed before it writes the first line.
    return frozenset(str(session.relative_to(folder)) for session in folder.glob("*-*-*/*") if session.is_dir())


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _restore_content(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, content)
