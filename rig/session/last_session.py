"""The newest session in a subject's folder."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.core.errors import CalibrationError, RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import TrialLine
from rig.core.model.reward_types import RewardParam
from rig.devices.calibration import Calibration
from rig.records.journal.read import iter_lines, read_ends
from rig.records.recover import CRASH
from rig.records.session.history import journals
from rig.records.session.void import void_text
from rig.session.broken import read_broken


@dataclass(frozen=True)
class LastSession:
    """A subject's newest session; ``footer`` is None after a crash."""

    folder: Path
    began: datetime.datetime | None
    header: Header
    footer: Footer | None
    trials: int

    def can_go_on(self, now: datetime.datetime) -> bool:
        """Whether it broke off a short time ago, so that `rig run --resume` goes on with it."""
        if self.footer is not None and self.footer.reason not in (CRASH, "fault"):
            return False
        try:
            read_broken(self.folder).check_time(now)
        except RecordError:
            return False
        return True

    def open_us(self, device: str, reward: RewardParam) -> int | None:
        """Return how long a device's valve opened for a reward; None where the session had no such one.

        A header's free fields may lack it; that does not stop the session.
        """
        rig = self.header.rig
        size: Any = self.header.params
        try:
            for name in reward.loc:
                size = size[name]
            if size != reward.size:
                return None
            return Calibration.from_dict(rig.calibrations[rig.devices[device]["calibration"]]).open_us(reward.size)
        except (CalibrationError, AttributeError, LookupError, TypeError, ValueError):
            return None


def last_session(folder: Path, *, simulated: bool = False) -> LastSession | None:
    """Read the newest session that has a header; None when there is none. Raises ``RecordError``.

    Voided sessions do not count, simulated ones not for a real subject, nor real ones for a simulated one.
    """
    for journal in journals(folder):
        ends = read_ends(journal)
        header, footer = ends.header, ends.footer
        if header is not None and header.simulated == simulated and void_text(journal.parent) is None:
            began = None if header.start_time is None else local(header.start_time)
            trials = _trials(journal) if footer is None else footer.trials
            return LastSession(journal.parent, began, header, footer, trials)
    return None


def _trials(journal: Path) -> int:
    """Return the number of trials of a session that has no end."""
    return sum(isinstance(line, TrialLine) for line in iter_lines(journal, TrialLine))


def local(moment: datetime.datetime) -> datetime.datetime:
    """Convert a moment to naive local time, so that any two can be compared."""
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)
