"""The pellets in each feeder, and the grain in each hopper: what was filled in, less what was given since.

``stock.jsonl`` in the data folder is only ever added to. A line says that a person has filled a device, that a test
has given some, or that a session has begun on the rig. What a session gave is read from its journal, so that a crash
loses no pellet; a reward in doubt counts as given.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from filelock import FileLock, Timeout

from rig.core.errors import RecordError
from rig.core.journal.codec import sealed, unsealed
from rig.core.journal.header import Header
from rig.core.journal.kinds import RewardLine
from rig.core.model.line import LONGEST_US
from rig.core.model.reward import RewardStatus
from rig.records.journal.read import JOURNAL, DamagedLine, TornLine, iter_lines
from rig.records.session.moves import find_session
from rig.system.atomic_files import append_atomic, os_error_text, read_errors

STOCK = "stock.jsonl"
WARN_PELLETS = 50
REFILL_G = 60.0
"""A hopper holds at least so much grain at the start of a session."""
MOST_PELLETS = 100_000
MOST_G = 10_000.0
"""A larger filling is a typing error."""
StockLine: TypeAlias = Mapping[str, Any]
"""A line of the file, whose checksum fits."""
_LOCK = ".stock.lock"
_NOT_GIVEN = (RewardStatus.REFUSED, RewardStatus.CANCELLED)


@dataclass(frozen=True)
class FeederStock:
    """What is left in a feeder. ``unknown`` names the records that could not be read."""

    device: str
    left: int
    filled: str
    unknown: tuple[str, ...] = ()


class StockFile:
    """The stock of all devices of all rigs that share a data folder."""

    def __init__(self, data: Path) -> None:
        self.path = data / STOCK
        self._data = data

    def fill(self, rig: str, device: str, amount: Mapping[str, float], by: str, at: datetime.datetime) -> None:
        """Record how much a device holds now: ``{"pellets": 400}``, ``{"grain_g": 60}``. Raises ``RecordError``."""
        self._append({"k": "filled", "rig": rig, "device": device, **amount, "by": by}, at)

    def took(self, rig: str, device: str, pellets: int, why: str, at: datetime.datetime) -> None:
        """Record pellets that are given outside a session; fewer than 0 were recorded, and not given.

        Raises ``RecordError``.
        """
        self._append({"k": "took", "rig": rig, "device": device, "pellets": pellets, "why": why}, at)

    def begin_session(self, rig: str, folder: Path, at: datetime.datetime) -> None:
        """Record that a session uses the feeders of a rig; its journal says what it gives. Raises ``RecordError``."""
        self._append({"k": "session", "rig": rig, "folder": self._place(folder)}, at)

    def cancel_session(self, rig: str, folder: Path, at: datetime.datetime) -> None:
        """Record that a session was refused before its first event, and left no folder. Raises ``RecordError``."""
        self._append({"k": "no_session", "rig": rig, "folder": self._place(folder)}, at)

    def _place(self, folder: Path) -> str:
        place = folder.relative_to(self._data) if folder.is_relative_to(self._data) else folder.resolve()
        return place.as_posix()

    def stock(self, rig: str, device: str) -> FeederStock | None:
        """Return what is left in a feeder; None if it was never filled. Raises ``RecordError``."""
        lines = [line for line in self._read() if line["rig"] == rig]
        fillings = [n for n, line in enumerate(lines) if line["k"] == "filled" and line["device"] == device]
        if not fillings:
            return None
        last = lines[fillings[-1]]
        since = lines[fillings[-1] + 1 :]
        left = int(last.get("pellets", 0))
        left -= sum(int(line["pellets"]) for line in since if line["k"] == "took" and line["device"] == device)
        # The session that runs while a person fills a feeder has begun before the filling.
        for folder in _sessions(lines[: fillings[-1]])[-1:]:
            with suppress(RecordError):
                filled = datetime.datetime.fromisoformat(last["at"])
                left -= pellets_given(self._data / folder / JOURNAL, device, since=filled)
        unknown = []
        for folder in _sessions(since):
            try:
                left -= pellets_given(find_session(self._data / folder) / JOURNAL, device)
            except RecordError as error:
                unknown.append(str(error))
        return FeederStock(device, max(0, left), last["at"], tuple(unknown))

    def last_filled(self, rig: str, device: str) -> StockLine | None:
        """Return the line of the last filling of a device, or None. Raises ``RecordError``."""
        lines = (line for line in self._read() if line["k"] == "filled")
        return next((line for line in reversed(list(lines)) if (line["rig"], line["device"]) == (rig, device)), None)

    def _read(self) -> list[StockLine]:
        if not self.path.exists():
            return []
        with read_errors(self.path):
            raw = self.path.read_bytes()
        return [self._parse(number, line) for number, line in enumerate(raw.splitlines(keepends=True), start=1)]

    def _parse(self, number: int, raw: bytes) -> StockLine:
        # A checksum, because a damaged count would let an animal work for an empty feeder. It does not fit a line
        # without a newline either, which has another last byte.
        try:
            line: StockLine = json.loads(unsealed(raw[:-1]) + b"}")
        except ValueError:
            raise RecordError(
                f"{self.path}: line {number} is damaged or torn: move the file away, and record what each feeder "
                "holds: `rig device fill`"
            ) from None
        return line

    def _append(self, fields: Mapping[str, object], at: datetime.datetime) -> None:
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            with FileLock(self._data / _LOCK, timeout=10):
                self._read()  # a file that is damaged is not made longer
                body = json.dumps({**fields, "at": at.isoformat(timespec="seconds")}, separators=(",", ":"))[:-1]
                append_atomic(self.path, sealed(body.encode()), synced=True)
        except Timeout:
            raise RecordError(f"{self.path}: is being written by another program") from None
        except OSError as error:
            raise RecordError(f"{self.path}: cannot be written: {os_error_text(error)}") from error


def _sessions(lines: Iterable[StockLine]) -> list[str]:
    """Return the folders of the sessions that have begun, each once: a refused one leaves its name to the next."""
    folders: dict[str, bool] = {}
    for line in lines:
        if line["k"] in ("session", "no_session"):
            folders[line["folder"]] = line["k"] == "session"
    return [folder for folder, begun in folders.items() if begun]


def pellets_given(journal: Path, device: str, since: datetime.datetime | None = None) -> int:
    """Return the pellets that a session took from a feeder, all or those ``since`` a time; those in doubt count.

    Raises ``RecordError``.
    """
    if not journal.parent.exists():
        raise RecordError(f"{journal.parent}: is not there any more, and its pellets are not known")
    given: dict[int, float] = {}
    first_us = 0
    for line in iter_lines(journal, Header, RewardLine) if journal.exists() else ():
        if isinstance(line, TornLine):  # a reward is on the disk before it can be given
            break
        if isinstance(line, DamagedLine):
            raise RecordError(f"{journal}: is damaged, and its pellets are not known")
        if isinstance(line, Header):
            first_us = _session_us(line.start, since)
        elif isinstance(line, RewardLine) and (line.source, line.unit) == (device, "pellets") and line.t_us >= first_us:
            given[line.id] = 0 if line.status in _NOT_GIVEN else line.amount
    return round(sum(given.values()))


def _session_us(start: str | None, since: datetime.datetime | None) -> int:
    """Return a time in the microseconds of a session; without a time that of its earliest line."""
    if since is None or start is None:
        return -LONGEST_US
    return round((since.astimezone() - datetime.datetime.fromisoformat(start).astimezone()).total_seconds() * 1e6)
