"""What a simulated subject's folder held before a job that runs several of its sessions.

If the process of such a job is killed, the job runs again, and begins from there: so its results are the same.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from rig.session.subject import PREVIOUS, STATE
from rig.system.atomic_files import read_errors, write_atomic


@dataclass(frozen=True)
class SubjectBefore:
    """The names of a subject's sessions, and the files of its state."""

    sessions: frozenset[str]
    states: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, folder: Path) -> SubjectBefore:
        """Read them. Raises ``RecordError``."""
        with read_errors(folder):
            return cls(_sessions(folder), tuple((name, _text(folder / name)) for name in (STATE, PREVIOUS)))

    def restore(self, folder: Path) -> None:
        """Remove the sessions that a killed process of the same job has begun, and what they changed.

        Raises ``RecordError``.
        """
        with read_errors(folder):
            begun = _sessions(folder) - self.sessions
            if begun:
                for name in begun:
                    shutil.rmtree(folder / name)
                for name, text in self.states:
                    _restore_text(folder / name, text)


def _sessions(folder: Path) -> frozenset[str]:
    # Not only folders with a journal: a process may be killed before it writes the first line.
    return frozenset(str(session.relative_to(folder)) for session in folder.glob("*-*-*/*") if session.is_dir())


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _restore_text(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, text)
