"""The newest session in a subject's folder, and checks of the clock against it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.core.errors import CalibrationError, ConfigError, RecordError
from rig.core.model.reward_types import RewardParam
from rig.devices.calibration import Calibration
from rig.records.journal.read import DamagedLine, iter_lines, read_ends
from rig.records.recover import CRASH
from rig.records.session.history import journals
from rig.records.session.void import void_text
from rig.records.subject.due import ENTRIES
from rig.records.subject_events import EVENTS, read_events
from rig.session.broken import read_broken


@dataclass(frozen=True)
class LastSession:
    """A subject's newest session; ``footer`` is None after a crash."""

    folder: Path
    began: datetime.datetime | None
    header: Mapping[str, Any]
    footer: Mapping[str, Any] | None
    trials: int

    def can_go_on(self, now: datetime.datetime) -> bool:
        """Whether it broke off a short time ago, so that `rig run --resume` goes on with it."""
        if self.footer is not None and self.footer["reason"] not in (CRASH, "fault"):
            return False
        try:
            read_broken(self.folder).check_time(now)
        except RecordError:
            return False
        return True

    def open_us(self, device: str, reward: RewardParam) -> int | None:
        """Return how long a device's valve opened for a reward; None where the session had no such one.

        A header of another version may lack the field; that does not stop the session.
        """
        try:
            if reduce(getitem, reward.loc, self.header["params"]) != reward.size:
                return None
            name = self.header["rig"]["devices"][device]["calibration"]
            return Calibration.from_dict(self.header["rig"]["calibrations"][name]).open_us(reward.size)
        except (CalibrationError, AttributeError, LookupError, TypeError, ValueError):
            return None


def last_session(folder: Path, *, simulated: bool = False) -> LastSession | None:
    """Read the newest session that has a header; None when there is none. Raises ``RecordError``.

    Voided sessions do not count, simulated ones not for a real subject, nor real ones for a simulated one.
    """
    for journal in journals(folder):
        found = read_ends(journal)
        is_wanted = found.header is not None and found.header["simulated"] == simulated
        if found.header is not None and is_wanted and void_text(journal.parent) is None:
            trials = _trials(journal) if found.footer is None else found.footer["trials"]
            return LastSession(journal.parent, _began(found.header), found.header, found.footer, trials)
    return None


def _trials(journal: Path) -> int:
    """Return the number of trials of a session that has no end."""
    return sum(not isinstance(found, DamagedLine) for found in iter_lines(journal, "trial"))


def _began(header: Mapping[str, Any]) -> datetime.datetime | None:
    try:
        return local(datetime.datetime.fromisoformat(header["start"]))
    except (KeyError, TypeError, ValueError):
        return None


def local(moment: datetime.datetime) -> datetime.datetime:
    """Convert a moment to naive local time, so that any two can be compared."""
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)


MOST_OFF = datetime.timedelta(minutes=5)
"""The largest difference between ``--start`` of a real session and the clock."""


def check_start(start: datetime.datetime) -> None:
    """Check that ``--start`` of a real session is now; another day would misplace rewards. Raises ``ConfigError``."""
    if abs(local(start) - common.now()) > MOST_OFF:
        raise ConfigError(
            f"--start {start.isoformat(timespec='minutes')}: a real session can only start now, "
            f"and this computer's clock says {common.now():%Y-%m-%d %H:%M}: "
            "leave --start out, or set the clock right if it is wrong"
        )


def check_clock(last: LastSession | None, start: datetime.datetime, how: str = "--start and the time") -> None:
    """Check that a time lies after the start of the newest session; ``how`` else it is said. Raises ``ConfigError``."""
    if last is not None and last.began is not None and local(start) < last.began:
        raise ConfigError(
            f"this computer's clock says {local(start):%Y-%m-%d %H:%M}, but the newest session of "
            f"'{last.header.get('subject')}' began at {last.began:%Y-%m-%d %H:%M} ({last.folder}): "
            f"set the clock right; if it is right, say so with {how} that it is now"
        )


def check_entry_clock(folder: Path, now: datetime.datetime, how: str = "--at and the date and time") -> None:
    """Check that no session or entry of a subject is newer than the clock; ``how`` else the time is said.

    Raises ``ConfigError`` and ``RecordError``.
    """
    check_clock(last_session(folder), now, how)
    events = read_events(folder)
    newest = max((line["t"] for kind in ENTRIES for line in events.of_kind(kind)), default=0) / 1e6
    if now.timestamp() + MOST_OFF.total_seconds() < newest:
        raise ConfigError(
            f"this computer's clock says {now:%Y-%m-%d %H:%M}, but the newest entry of '{folder.name}' is of "
            f"{datetime.datetime.fromtimestamp(newest):%Y-%m-%d %H:%M} ({folder / EVENTS}): "
            f"set the clock right; if it is right, say so with {how} that it is now"
        )
