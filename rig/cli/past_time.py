"""Parse ``--at``: the time at which something that is recorded now has happened."""

from __future__ import annotations

import datetime
import re

from rig.core.errors import ConfigError

FORMS = '"18:30", "yesterday 18:30" or "2026-11-28 18:30"'
_DAYS = {"": 0, "today": 0, "yesterday": 1}
_RELATIVE = re.compile(r"(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?")


def parse_at(text: str, now: datetime.datetime) -> datetime.datetime:
    """Return the local time that ``--at`` names. Raises ``ConfigError``."""
    text = text.strip()
    try:
        moment = _local(text) if _ISO.fullmatch(text) else _relative(text, now)
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        raise ConfigError(f"--at {text}: is no time: wanted {FORMS}")
    if moment.timestamp() > now.timestamp():
        raise ConfigError(f"--at {text}: lies in the future: now is {now:%Y-%m-%d %H:%M}; wanted {FORMS}")
    if datetime.datetime.fromtimestamp(moment.timestamp()) != moment:
        raise ConfigError(f"--at {text}: there was no such time: the clocks were set forward")
    return moment


def names_its_day(text: str) -> bool:
    """Whether ``--at`` names its day itself, so that it does not depend on this computer's clock."""
    return _ISO.fullmatch(text.strip()) is not None


def _local(text: str) -> datetime.datetime:
    moment = datetime.datetime.fromisoformat(text)
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)


def _relative(text: str, now: datetime.datetime) -> datetime.datetime | None:
    found = _RELATIVE.fullmatch(text)
    if found is None:
        return None
    day = now.date() - datetime.timedelta(days=_DAYS[(found[1] or "").lower()])
    return datetime.datetime.combine(day, datetime.time(int(found[2]), int(found[3])))
