"""Past sessions of a subject, looked at from their ends: what began, how it ended, whether it counts.

Of a journal only its first and its last line are read here, and the trial table when it is asked for: a subject may
have hundreds of sessions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal import unseal
from rig.files import why
from rig.records.read import JOURNAL, Line, check_format, rows_of

KEPT = ("time_limit", "reward_cap", "trial_cap")
"""Reasons of an end after which a session counts."""
IF_ENOUGH = ("operator", "idle")
"""After these it counts when it had the protocol's ``min_trials``."""

_TAIL = 1 << 16
_TRIAL = b'"k":"trial"'
"""What stands in the line of every trial, and within no text: quotes are escaped there."""


def counts(reason: str, trials: int, min_trials: int) -> bool:
    """Tell whether a session that ended so counts for those that come after it."""
    return reason in KEPT or (reason in IF_ENOUGH and trials >= min_trials)


@dataclass(frozen=True, slots=True)
class Past:
    """A session that was: ``reason`` is None where it has no end, as after a crash or while it runs."""

    folder: Path
    protocol: str
    facts: Mapping[str, Any] | None
    """What its header says of the curriculum; None outside of one."""
    reason: str | None
    trials: int
    counts: bool
    stamp: tuple[int, int]
    """Size and time of its journal: another one may stand there another day."""

    @property
    def name(self) -> str:
        """Name it as its folder is named below the subject's: ``2026-11-21/001``."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    def carried(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Read what it began with, and what it left for the next session. Raises ``RecordError``."""
        path = self.folder / JOURNAL
        try:
            header, last = _ends(path, self.stamp[0])
        except OSError as error:
            raise RecordError(f"{path}: cannot be read: {why(error)}") from error
        return (header or {}).get("carried", {}), (last or {}).get("carried", {})

    def rows(self) -> list[Line]:
        """Read the rows of its trial table from the journal. Raises ``RecordError`` when one is missing or damaged."""
        path = self.folder / JOURNAL
        try:
            rows = rows_of(unseal(raw) for raw in path.read_bytes().split(b"\n") if _TRIAL in raw)
        except OSError as error:
            raise RecordError(f"{path}: cannot be read: {why(error)}") from error
        except ValueError as error:
            raise RecordError(f"{path}: a row of its table cannot be trusted: {error}") from None
        if len(rows) != self.trials:
            raise RecordError(f"{path}: has {len(rows)} rows of its table, and its end says {self.trials}")
        return rows


def journals(folder: Path) -> Iterator[Path]:
    """Give the journals of a subject, the newest first. Raises ``RecordError`` where one may lie that is not seen."""
    for day in sorted(_within(folder, _is_day), reverse=True):
        for number in sorted(_within(folder / day, str.isdecimal), key=int, reverse=True):
            if _within(folder / day / number, JOURNAL.__eq__):
                yield folder / day / number / JOURNAL


def _is_day(name: str) -> bool:
    return len(name) == 10 and name[4] == name[7] == "-" and name.replace("-", "").isdecimal()


def _within(folder: Path, wanted: Callable[[str], bool]) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if wanted(name)]
    except (FileNotFoundError, NotADirectoryError):  # a subject that is new, or a file of somebody's
        return []
    except OSError as error:
        raise RecordError(f"{folder}: cannot be read: {why(error)}") from error


def past_sessions(folder: Path) -> Iterator[Past | Path]:
    """Give a subject's past sessions, the newest first; a journal that has no header is given as its path."""
    for path in journals(folder):
        try:
            found = path.stat()
            yield _looked_at(path, found.st_size, found.st_mtime_ns) or path
        except OSError as error:
            raise RecordError(f"{path}: cannot be read: {why(error)}") from error


@lru_cache(maxsize=4096)
def _looked_at(path: Path, size: int, mtime_ns: int) -> Past | None:
    """Look at a journal of so many bytes, once: in a campaign the same ones are asked for every day."""
    header, last = _ends(path, size)
    if header is None or header["k"] != "header":
        return None
    check_format(path, header)
    footer = last if last is not None and last["k"] == "footer" else None
    try:
        reason, trials = (None, 0) if footer is None else (footer["reason"], footer["trials"])
        enough = reason is not None and counts(reason, trials, header["stop"]["min_trials"])
        return Past(path.parent, header["protocol"], header.get("curriculum"), reason, trials, enough, (size, mtime_ns))
    except (KeyError, TypeError):  # whoever has written that
        return None


def _ends(path: Path, size: int) -> tuple[Line | None, Line | None]:
    """Read the first and the last line of a journal of so many bytes; None for one that is torn or damaged."""
    with path.open("rb") as file:
        first = file.readline()
        file.seek(max(0, size - _TAIL))
        tail = file.read()
        if b"\n" not in tail[:-1]:  # what is carried on may be long
            file.seek(0)
            tail = file.read()
    return _line(first), _line(tail[tail.rfind(b"\n", 0, -1) + 1 :])


def _line(raw: bytes) -> Line | None:
    try:
        return unseal(raw[:-1]) if raw.endswith(b"\n") else None
    except ValueError:
        return None
