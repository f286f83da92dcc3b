"""The newest session in a subject's folder."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from rig.core.errors import CalibrationError, RecordError
from rig.core.journal.header import Header
from rig.core.model.reward_types import RewardParam
from rig.devices.calibration import Calibration
from rig.records.recover import CRASH
from rig.records.session.brief import SessionBrief
from rig.records.session.history import all_sessions
from rig.session.broken import read_broken


def last_session(folder: Path, *, simulated: bool = False) -> SessionBrief | None:
    """Read the newest session that has a header; None when there is none. Raises ``RecordError``.

    Voided sessions do not count, simulated ones not for a real subject, nor real ones for a simulated one.
    """
    for past in all_sessions(folder):
        if isinstance(past, SessionBrief) and past.header.simulated == simulated and past.voided is None:
            return past
    return None


def can_go_on(last: SessionBrief, now: datetime.datetime) -> bool:
    """Whether a session broke off a short time ago, so that `rig run --resume` goes on with it."""
    if last.reason not in (None, CRASH, "fault"):
        return False
    try:
        read_broken(last.folder).check_time(now)
    except RecordError:
        return False
    return True


def recorded_open_us(header: Header, device: str, reward: RewardParam) -> int | None:
    """Return how long a device's valve opened for a reward; None where the session had no such one.

    A header's free fields may lack it; that does not stop the session.
    """
    rig = header.rig
    size: Any = header.params
    try:
        for name in reward.loc:
            size = size[name]
        if size != reward.size:
            return None
        return Calibration.from_dict(rig.calibrations[rig.devices[device]["calibration"]]).open_us(reward.size)
    except (CalibrationError, AttributeError, LookupError, TypeError, ValueError):
        return None
