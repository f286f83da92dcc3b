"""One simulated session of a campaign as a job: it depends on its order alone, and leaves nothing on the computer.

So a job gives the same result in any process, on any computer, and when it is run again after a worker died. What a
session needs of the earlier ones of its subject is in its order.
"""

from __future__ import annotations

import datetime
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rig.campaigns.alone import alone_command
from rig.campaigns.condition import Condition, planner_of
from rig.campaigns.session_tables import ArrowTables, session_tables
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import JOURNAL
from rig.records.sampled.samples import FILES, is_samples_name
from rig.records.track.positions import POSITIONS
from rig.session.curriculum.stage_planner import Records
from rig.session.run.run_session import SessionResult, run_session
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import STATE, subjects_folder
from rig.system.atomic_files import read_errors
from rig.system.scratch import scratch_place
from rig.terminal.output import multiline_output

ALL_RECORDS = (JOURNAL, POSITIONS, FILES)
"""The files of a session from which all others can be made, as a shell writes their names."""

_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{3,9}")

_FAST = 1
"""Level of the compression: a journal becomes five times smaller at any level."""


@dataclass(frozen=True)
class KeptSession:
    """The records of a finished session: files by their names, compressed."""

    name: str
    """Its name below the subject's folder: ``2026-01-05/001``."""
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, folder: Path, names: Sequence[str]) -> KeptSession:
        """Read files of a session, those of the names that it has. Raises ``RecordError``."""
        with read_errors(folder):
            paths = (path for name in names for path in sorted(folder.glob(name)))
            files = {path.name: zlib.compress(path.read_bytes(), _FAST) for path in paths if path.is_file()}
        return cls(f"{folder.parent.name}/{folder.name}", files)

    @classmethod
    def checked(cls, name: str, files: Mapping[str, bytes]) -> KeptSession:
        """Return the records of a session that were read from a file. Raises ``ValueError`` for forged or damaged ones.

        Names become paths, where a session of the subject follows.
        """
        if not _NAME.fullmatch(name) or not all(file in ALL_RECORDS or is_samples_name(file) for file in files):
            raise ValueError(f"no record of a session: {name!r:.60}")
        for content in files.values():
            zlib.decompress(content)
        return cls(name, files)

    def only(self, *names: str) -> KeptSession:
        """Return the records with the files of these names alone."""
        return KeptSession(self.name, {name: content for name, content in self.files.items() if name in names})

    def write(self, subject: Path) -> None:
        """Write the files below a subject's folder."""
        folder = subject / self.name
        folder.mkdir(parents=True)
        for name, content in self.files.items():
            (folder / name).write_bytes(zlib.decompress(content))


@dataclass(frozen=True)
class SessionOrder:
    """One session of one subject; ``number`` counts the subject's sessions from 1."""

    condition: Condition
    arm: str
    subject: str
    number: int
    seed: int
    start: datetime.datetime
    past: tuple[KeptSession, ...] = ()
    """The journals of the subject's earlier sessions."""
    state: bytes = b""
    """The subject's state after them."""
    keeps: tuple[str, ...] = ()
    """The files that are wanted, because sessions follow or a person wants to keep them."""

    def __str__(self) -> str:
        return f"arm {self.arm}, {self.subject}, session {self.number}, seed {self.seed}"

    @property
    def alone(self) -> str:
        """Return the command that runs it alone, if it is the first one of its subject."""
        return alone_command(self.condition.request, self.subject, self.seed, self.start)


@dataclass(frozen=True)
class SessionProduct:
    """What a session leaves; ``tables`` is None when the curriculum is over for the subject."""

    arm: str
    subject: str
    number: int
    tables: ArrowTables | None
    record: KeptSession | None = None
    state: bytes = field(default=b"", repr=False)


def run_job(order: SessionOrder) -> SessionProduct:
    """Run a session. Raises ``RigError``."""
    with TemporaryDirectory(prefix="rig-session-", dir=scratch_place()) as scratch:
        data = Path(scratch)
        subject = subjects_folder(data, simulated=True) / order.subject
        _restore(order, subject)
        spec = _spec(order, data)
        if spec is None:
            return SessionProduct(order.arm, order.subject, order.number, None)
        result = _run(spec)
        if result.stopped:  # in this process, not in a worker: half a session is no result
            raise KeyboardInterrupt
        if result.outcome.failure is not None:
            raise _fault(order, result.outcome.detail) from result.outcome.failure
        return SessionProduct(
            order.arm,
            order.subject,
            order.number,
            session_tables(result, order.number, order.condition.header),
            KeptSession.of(result.folder, order.keeps) if order.keeps else None,
            (subject / STATE).read_bytes(),
        )


def _run(spec: SessionSpec) -> SessionResult:
    """Run the session; what a virtual subject or a protocol prints is no part of what the command prints."""
    with redirect_stdout(multiline_output(sys.stderr)):
        return run_session(spec)


def _fault(order: SessionOrder, detail: str) -> RecordError:
    if order.past:
        return RecordError(f"{order}: {detail}")
    return RecordError(f"{order}: {detail}", f"it runs alone with: {order.alone}")


def _restore(order: SessionOrder, subject: Path) -> None:
    for session in order.past:
        session.write(subject)
    if order.past:
        (subject / STATE).write_bytes(order.state)


def _spec(order: SessionOrder, data: Path) -> SessionSpec | None:
    """Return the session that the subject's records select; None when its curriculum is over."""
    try:
        planner = planner_of(order.condition)
    except ConfigError as error:
        raise ConfigError(*(f"arm {order.arm}: {said}" for said in error.mistakes)) from None
    spec = planner.assign(Records.of(data, order.subject, simulated=True))
    if spec is None:
        return None
    simulation = replace(order.condition.request.simulation, seed=order.seed)
    request = replace(
        order.condition.request,
        data=data,
        subject=order.subject,
        seed=order.seed,
        start=order.start,
        simulation=simulation,
    )
    return replace(spec, request=request)
