"""After a session: what the animal is still due that day, and the question whether it was given."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig.cli import common
from rig.cli.terminal.screen_layout import say
from rig.cli.terminal.top_up import ask_top_up, open_top_up_text
from rig.core.errors import ConfigError, RecordError
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.top_up import TopUp, top_up_of
from rig.supervisor.box import Box


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


def confirm_top_ups(boxes: Sequence[Box], data: Path, named: str | None) -> None:
    """Record of each animal whose session has ended whether it got its top-up; ``named`` is the experimenter."""
    for box, start in _ended_with_animals(boxes):
        folder = data / box.subject
        try:
            top_up, unreadable = top_up_after(load_known_subject(folder), folder, start)
        except (ConfigError, RecordError) as error:
            say(f"{box.name}: {box.subject}: top-up unknown: {error}", file=sys.stderr)
            continue
        if unreadable:
            say(f"{box.name}: {box.subject}: top-up {unreadable}", file=sys.stderr)
        try:
            confirm_top_up(folder, top_up, common.experimenter(named))
        except ConfigError as error:  # no name under which it could be recorded
            say(f"{error}; {open_top_up_text(top_up, box.subject)}", file=sys.stderr)


def _ended_with_animals(boxes: Sequence[Box]) -> Iterator[tuple[Box, datetime.datetime]]:
    in_session = {box.subject for box in boxes if box.is_active}  # now in another box, which may give the rest
    for box in boxes:
        header = box.progress.header
        if header is not None and not header.simulated and header.start_time and box.subject not in in_session:
            yield box, header.start_time
