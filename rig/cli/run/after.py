"""After a session: what the animal is still due that day, and the question whether it was given."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

from rig.cli import common
from rig.cli.terminal.screen_layout import say
from rig.cli.terminal.top_up import ask_top_up
from rig.core.errors import ConfigError, RecordError
from rig.records.known_subject import KnownSubject
from rig.records.top_up import TopUp, top_up_of


def top_up_after(known: KnownSubject, folder: Path, start: datetime.datetime) -> tuple[TopUp | None, str]:
    """Return the top-up of the day on which a session began, extended to now if it ran over midnight.

    A read error becomes its text, so that the end screen still prints.
    """
    try:
        return top_up_of(folder, known, start.date(), common.now() + datetime.timedelta(minutes=1)), ""
    except RecordError as error:
        return None, f"unknown: {error}"


def confirm_top_up(folder: Path, top_up: TopUp | None, by: str) -> None:
    """Record the answer to whether the top-up was given; a record that fails does not fail the session."""
    try:
        answer = ask_top_up(folder, top_up, by, common.now())
    except (ConfigError, RecordError) as error:
        answer = f"{error}: the top-up stays open"
    if answer:
        say(answer, file=sys.stderr)
