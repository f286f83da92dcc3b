"""Recorded sessions for notebooks: ``rig.load("data/M1/2026-11-21/001").trials``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.kinds import SessionLine
from rig.core.model.line import kind_of
from rig.core.model.microseconds import to_s, to_us
from rig.core.model.rows import TRIAL_TABLE
from rig.export.merge import merge_tables
from rig.records.journal.read import DamagedLine, iter_lines
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.find import find_sessions, is_session
from rig.records.session.task_version import TaskGroup, TaskVersion, group_by_task, group_lines

if TYPE_CHECKING:
    import pandas as pd

INSTALL = "pip install 'behavior-rig[data]'"


class _Frames:
    """Tables by their names, each made into a frame when it is asked for: ``.trials`` or ``["trials"]``."""

    def __init__(self) -> None:
        self._frames: dict[str, object] = {}

    @property
    def table_names(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        raise NotImplementedError

    def _frame(self, name: str) -> pd.DataFrame:
        raise NotImplementedError

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self.table_names:
            raise KeyError(f"there is no table '{name}', but: {', '.join(self.table_names)}")
        if name not in self._frames:
            self._frames[name] = self._frame(name)
        return self._frames[name]

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_") or name not in self.table_names:
            raise AttributeError(f"there is no table '{name}', but: {', '.join(self.table_names)}")
        return self[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.table_names})


class Session(_Frames):
    """One recorded session.

    Its frames are those of the protocol (``trials``, and further tables such as ``intervals``), and those of every
    session: ``edges``, ``spans``, ``states``, ``rewards``, ``touches``, ``keys``, ``hovers``, ``scenes_shown``,
    ``positions``, ``samples``, ``notes``, ``faults``, ``requests``, ``param_changes``, ``pauses``, ``health``. Times
    are in seconds since the start of the session, pauses included; those in the tables of the protocol are task time
    (see `session_time_s`). After `rig align` each time is there on the other system's clock too, as ``t_NAME_s``;
    ``frames_CHANNEL`` is a further table.
    """

    def __init__(self, recorded: RecordedSession) -> None:
        super().__init__()
        # All is read at once: a running session grows, and a folder may be moved.
        self.recorded = recorded
        self._tables = recorded.tables
        self.journal = recorded.journal
        self.name = recorded.name
        """Its name below the subject's folder: ``2026-11-21/001``."""
        self.subject = recorded.subject
        """The name of the subject; empty if the header has none."""
        self.header = recorded.header
        """The first line of the journal: everything that decides the session."""
        self.footer = recorded.footer
        """The last line; None if the session has no end."""
        self.params = recorded.header.params
        """The parameters at the start; ``param_changes`` has the later values."""
        self.complete = recorded.complete
        """Whether the session has ended and nothing of its journal is missing."""
        self.damage = recorded.left_out
        """What cannot be trusted and was left out, in sentences; empty if nothing was."""
        self.alignments = recorded.clocks.alignments
        """The mappings onto the clocks of other systems, by the names of `rig align`."""

    @property
    def table_names(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        return tuple(self._tables)

    def _frame(self, name: str) -> pd.DataFrame:
        from rig.export.frames import frame_of

        return frame_of(self._tables[name])

    @cached_property
    def version(self) -> TaskVersion:
        """Return the code and the parameters that it ran."""
        return TaskVersion.of(f"{self.subject} {self.name}", self.header, self.journal.parent)

    @property
    def start(self) -> datetime | None:
        """Return the local time of the start."""
        return self.recorded.start

    @property
    def descriptions(self) -> dict[str, dict[str, dict[str, object]]]:
        """Return for each table and column its kind, unit, text and possible values."""
        return {name: table.described() for name, table in self._tables.items()}

    def lines(self, *kinds: str) -> Iterator[SessionLine]:
        """Return the good lines of the journal, all kinds or only some: for what is in no table, such as orders."""
        read = iter_lines(self.journal)
        return (line for line in read if not isinstance(line, DamagedLine) and (not kinds or kind_of(line) in kinds))

    def session_time_s(self, task_time_s: object) -> object:
        """Return the time since the start of the session of a task time, which pauses do not count for.

        Takes a number, an array or a column; returns a number or an array.
        """
        import numpy as np

        times = np.asarray(task_time_s, dtype=float)
        clock = self.recorded.clock
        session_s = [t_s if t_s != t_s else to_s(clock.session_us(to_us(t_s))) for t_s in times.ravel().tolist()]
        return np.array(session_s).reshape(times.shape) if times.ndim else session_s[0]

    def __repr__(self) -> str:
        trials = len(self.recorded.protocol_tables[TRIAL_TABLE].rows)
        return f"<Session {self.subject} {self.name}: {self.header.protocol_name}, {trials} trials, {self._state()}>"

    def _state(self) -> str:
        ended = "no end" if self.footer is None else self.footer.reason
        return f"{ended}, damaged" if self.recorded.damage else ended


class Sessions(_Frames):
    """Several recorded sessions.

    The frames have the rows of all, with the index ``subject`` and ``session``. ``unreadable`` names the journals that
    could not be read, each with the reason. Sessions of one protocol that differ in its code or parameters make no
    common frame, unless ``pool_different``: ``by_task()`` has those that are alike, and ``differences`` the texts.
    """

    def __init__(
        self, sessions: Sequence[Session], unreadable: Mapping[Path, str], *, pool_different: bool = False
    ) -> None:
        super().__init__()
        self._sessions = list(sessions)
        self.unreadable = dict(unreadable)
        self._pool_different = pool_different

    @property
    def table_names(self) -> tuple[str, ...]:
        """Return the names of the tables that any of the sessions has."""
        return tuple(dict.fromkeys(name for session in self._sessions for name in session.table_names))

    @property
    def complete(self) -> bool:
        """Whether all sessions could be read, have ended, and miss nothing."""
        return not self.unreadable and all(session.complete for session in self._sessions)

    @cached_property
    def _groups(self) -> list[TaskGroup]:
        return group_by_task(session.version for session in self._sessions)

    def by_task(self) -> list[Sessions]:
        """Return the sessions in groups: those of one have the same code and the same parameters."""
        numbers = {id(version): number for number, group in enumerate(self._groups) for version in group.versions}
        alike: list[list[Session]] = [[] for _ in self._groups]
        for session in self._sessions:
            alike[numbers[id(session.version)]].append(session)
        return [Sessions(sessions, {}) for sessions in alike]

    @cached_property
    def differences(self) -> tuple[str, ...]:
        """Return a text for each group of sessions of a protocol that has several; empty if all are alike."""
        by_protocol: dict[str, list[TaskGroup]] = {}
        for group in self._groups:
            by_protocol.setdefault(group.versions[0].protocol, []).append(group)
        several = (groups for groups in by_protocol.values() if len(groups) > 1)
        return tuple(line for groups in several for line in group_lines(groups))

    def _frame(self, name: str) -> pd.DataFrame:
        import pandas as pd

        from rig.export.frames import frame_of

        if self.differences and not self._pool_different:
            raise ConfigError(
                "the sessions differ in code or parameters: take those that are alike from by_task(), "
                "or load all of them with rig.load(..., pool_different=True)",
                *self.differences,
            )
        having = [session for session in self._sessions if name in session.table_names]
        tables = [session.recorded.tables[name] for session in having]
        frame = frame_of(merge_tables(name, tables))
        names = [(session.subject, session.name) for session in having]
        keys = [key for key, table in zip(names, tables, strict=True) for _ in table.rows]
        frame.index = pd.MultiIndex.from_tuples(keys, names=INDEX) if keys else _empty_index()
        return frame

    def __iter__(self) -> Iterator[Session]:
        return iter(self._sessions)

    def __len__(self) -> int:
        return len(self._sessions)

    def __repr__(self) -> str:
        failed = f", {len(self.unreadable)} unreadable" if self.unreadable else ""
        subjects = len({session.subject for session in self._sessions})
        differ = ", of different code or parameters" if self.differences else ""
        return f"<Sessions: {len(self)} of {subjects} subjects{failed}{differ}>"


INDEX = ("subject", "session")


def _empty_index() -> object:
    import pandas as pd

    return pd.MultiIndex.from_arrays([[], []], names=INDEX)


def load(*paths: str | os.PathLike[str], pool_different: bool = False) -> Session | Sessions:
    """Load recorded sessions: one folder or journal as `Session`, everything else as `Sessions`.

    A path is a journal, or the folder of a session, a day, a subject or all subjects. What is damaged, torn or still
    running is loaded as far as it is good, and says so in ``complete`` and ``damage``. ``pool_different`` makes common
    frames of sessions although they differ in the code or the parameters of their protocol. Raises ``RecordError`` for
    what is no session, and ``ConfigError`` without the extra ``data``.
    """
    _check_installed()
    if not paths:
        raise RecordError("nothing to load: wanted a session's folder, such as data/M1/2026-11-21/001")
    places = [Path(path) for path in paths]
    if len(places) == 1 and is_session(places[0]):
        return Session(read_session(places[0]))
    sessions: list[Session] = []
    unreadable: dict[Path, str] = {}
    for place in places:
        for journal in find_sessions(place):
            try:
                sessions.append(Session(read_session(journal)))
            except RecordError as error:
                if is_session(place):  # named by itself
                    raise
                unreadable[journal] = str(error)
    return Sessions(sessions, unreadable, pool_different=pool_different)


def _check_installed() -> None:
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"rig.load needs pandas, which is not installed: {INSTALL}") from error
