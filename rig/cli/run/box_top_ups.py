"""After the table of the boxes: what each animal is still due whose session has ended, and whether it was given."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig.cli.run.after import confirm_top_up, top_up_after
from rig.cli.run.before import experimenter
from rig.cli.terminal.screen_layout import say
from rig.cli.terminal.top_up import open_top_up_text
from rig.core.errors import ConfigError, RecordError
from rig.records.known_subject import load_known_subject
from rig.supervisor.box import Box


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
            confirm_top_up(folder, top_up, experimenter(named))
        except ConfigError as error:  # no name under which it could be recorded
            say(f"{error}; {open_top_up_text(top_up, box.subject)}", file=sys.stderr)


def _ended_with_animals(boxes: Sequence[Box]) -> Iterator[tuple[Box, datetime.datetime]]:
    in_session = {box.subject for box in boxes if box.is_active}  # now in another box, which may give the rest
    for box in boxes:
        header = box.progress.header
        if header is not None and not header.get("simulated") and box.subject not in in_session:
            yield box, datetime.datetime.fromisoformat(header["start"])
