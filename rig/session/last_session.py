"""The newest session in a subject's folder."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from rig.core.errors import CalibrationError, RecordError
from rig.core.model.reward_types import RewardParam
from rig.devices.calibration import Calibration
from rig.records.journal.read import DamagedLine, iter_lines, read_ends
from rig.records.recover import CRASH
from rig.records.session.history import journals
from rig.records.session.void import void_text
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
