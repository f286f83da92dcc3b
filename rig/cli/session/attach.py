"""``rig session attach``: show the boxes again whose sessions run, after their table was closed or its program died."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence

from rig.cli import common
from rig.cli.run.boxes_view import show_boxes
from rig.cli.run.top_up_after import confirm_top_ups
from rig.config import find
from rig.config.models.boxes_file import load_boxes_file
from rig.core.errors import ConfigError
from rig.platform.processes import is_running
from rig.supervisor.box import Box
from rig.supervisor.started import StartedSession, StartedSessions
from rig.supervisor.supervise import Wakeup

RECENT = datetime.timedelta(hours=12)
"""Boxes that were started within this time are shown also when they have ended."""


def run(arguments: argparse.Namespace) -> int:
    """Show the table. Raises ``ConfigError`` when no session of a box runs."""
    subjects = None if arguments.boxes is None else _subjects(arguments.boxes)
    data = common.data_folder(arguments)
    sessions = StartedSessions(data)
    if (warning := sessions.warning()) is not None:
        print(f"WARNING: {warning}", file=sys.stderr)
    newest = {each.box: each for each in sessions.newest() if _is_meant(each, subjects)}
    if not any(is_running(each.pid, each.mark) for each in newest.values()):
        raise ConfigError(f"no session of a box runs that was started with its records in {data}")
    wakeup = Wakeup()
    names: Sequence[str] = list(newest) if subjects is None else list(subjects)
    boxes = [_box(name, (subjects or {}).get(name, ""), newest.get(name), sessions, wakeup) for name in names]
    status = show_boxes(boxes, wakeup, None, as_json=arguments.json)
    confirm_top_ups(boxes, data, arguments.experimenter)
    return status


def _subjects(word: str) -> dict[str, str]:
    """Return the subject of each box of a file. Raises ``ConfigError``."""
    file = load_boxes_file(find("boxes", word))
    return {name: box.subject for name, box in file.boxes.items()}


def _is_meant(started: StartedSession, subjects: dict[str, str] | None) -> bool:
    if subjects is not None and subjects.get(started.box) != started.subject:
        return False
    recent = datetime.datetime.fromisoformat(started.at) > common.now() - RECENT
    return recent or is_running(started.pid, started.mark)


def _box(name: str, subject: str, started: StartedSession | None, sessions: StartedSessions, wakeup: Wakeup) -> Box:
    box = Box(name, subject, wakeup.set, sessions.folder_of)
    if started is not None:
        box.begin(started)
    return box
