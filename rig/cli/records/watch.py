"""``rig watch``: show the live display, or the window, of sessions that other programs run."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from rich.text import Text

from rig.cli import common
from rig.cli.terminal.window import show_window
from rig.config import find
from rig.config.models.boxes_file import load_boxes_file
from rig.core.errors import ConfigError
from rig.live.end_reasons import FAILURES, ended_text
from rig.live.follow import JournalFollower
from rig.live.select_display import display
from rig.records.journal.read import JOURNAL, journal_of
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole
from rig.terminal.format import pluralize
from rig.window.launch import WindowRequest, check_window


def run(arguments: argparse.Namespace) -> int:
    """Show the session until it ends or Ctrl-C, or the window until it is closed."""
    if arguments.window:
        check_window()
        show_window(_request(arguments))
        return OK
    if arguments.all or arguments.boxes is not None:
        raise ConfigError(f"--{'all' if arguments.all else 'boxes'}: needs --window; a terminal shows one session")
    if len(arguments.session) > 1:
        raise ConfigError(f"{len(arguments.session)} sessions: name one, or show them all with --window")
    _show_in_terminal(_journals(arguments)[0])
    return OK


def _request(arguments: argparse.Namespace) -> WindowRequest:
    """Return the sessions that a window is asked for. Raises ``ConfigError`` when they are named in two ways."""
    named = [bool(arguments.session), arguments.all, arguments.boxes is not None]
    if sum(named) > 1:
        raise ConfigError("SESSION, --all and --boxes: each says which sessions are shown; give one of them")
    if arguments.all:
        return WindowRequest(theme=arguments.theme)
    if arguments.boxes is None:
        journals = [str(journal.absolute()) for journal in _journals(arguments)]
        return WindowRequest(journals, theme=arguments.theme)
    boxes = list(load_boxes_file(find("boxes", arguments.boxes)).boxes) if arguments.boxes else []
    return WindowRequest(boxes_data=str(common.data_folder(arguments).absolute()), boxes=boxes, theme=arguments.theme)


def _journals(arguments: argparse.Namespace) -> list[Path]:
    if not arguments.session:
        return [common.newest_journal(common.data_folder(arguments))]
    journals = [journal_of(Path(session)) for session in arguments.session]
    for journal in journals:
        if journal.name != JOURNAL:
            raise ConfigError(f"{journal}: is no session: give its folder, or its {JOURNAL}")
    return journals


def _show_in_terminal(journal: Path) -> None:
    console = SafeConsole()
    follower = JournalFollower(journal)
    with suppress(KeyboardInterrupt):
        ended = display(follower, console, time.sleep, hint=lambda: "Ctrl-C leaves it", kept=True).footer
        if ended is not None:
            style = "bold red" if ended.reason in FAILURES else ""
            console.print(Text(f"ended: {ended_text(ended.reason, ended.detail)}", style), soft_wrap=True)
    print(f"records: {journal.parent}")
    if (first := follower.first_damage) is not None:
        print(f"{journal}:{first.line}: {first.why}: {pluralize(follower.damaged, 'line')} left out", file=sys.stderr)
