"""``rig session void`` and ``reassign``: correct the record of a session that has ended."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path

from rig.cli import common
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.session.daily_total import DailyTotal, load_daily_total
from rig.session.reassign import reassign as reassign_session
from rig.session.subject_folder import check_name
from rig.session.void import void_session
from rig.system.statuses import OK


def void(arguments: argparse.Namespace) -> int:
    """Record that the session is void, or that it counts again. Raises ``ConfigError``, ``RecordError``."""
    by = common.signed_by(arguments)
    data = common.data_folder(arguments)
    session = session_folder(data, arguments.session)
    subject = void_session(data, session, by, arguments.reason, common.now(), voided=not arguments.undo)
    name = "/".join(session.resolve().parts[-3:])
    if arguments.undo:
        print(f"{name} counts again")
    else:
        print(f"{name} is voided: it stays, and counts nowhere but in what {subject.name} was given")
    return OK


def reassign(arguments: argparse.Namespace) -> int:
    """Move the session, and print what the right animal got on that day. Raises ``ConfigError``, ``RecordError``."""
    by = common.signed_by(arguments)
    data = common.data_folder(arguments)
    to = check_name(arguments.subject)
    move = reassign_session(data, session_folder(data, arguments.session), to, by, arguments.reason, common.now())
    print(f"{move.old.parent.parent.name}/{move.session} belongs to {to} from now on: {move.new}")
    midnight = datetime.datetime.combine(datetime.date.fromisoformat(move.new.parent.name), datetime.time())
    end = midnight + datetime.timedelta(hours=23, minutes=59)
    for text in _over(load_daily_total(move.new.parent.parent, limits_of(move.new.parent.parent), end)):
        print(f"warning: {text}", file=sys.stderr)
    return OK


def session_folder(data: Path, word: str) -> Path:
    """Return a session's folder, given as a path or below the data folder. Raises ``ConfigError``."""
    for path in (Path(word), data / word):
        if os.path.lexists(path):
            return path
    raise ConfigError(
        f"{word}: there is no such folder, nor {data / word}: wanted a session, such as M1/2026-11-21/001"
    )


def _over(day: DailyTotal) -> list[str]:
    """Return the limits of the day that the moved session exceeds."""
    return [
        f"{day.folder.name} was given {day.given(limit):g} on {day.at:%Y-%m-%d}; {limit.key} is {limit.maximum:g}"
        for limit in day.limits
        if limit.span == "day" and day.given(limit) > limit.maximum
    ]
