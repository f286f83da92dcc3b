"""``rig watch``: show the live display of a session that another program runs."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from rich.text import Text

from rig.cli import common
from rig.core.errors import ConfigError
from rig.live.follow import JournalFollower
from rig.live.reasons import FAILURES, ended_text
from rig.live.select_display import display
from rig.records.read import JOURNAL, journal_of
from rig.session.subject import subjects_folder
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole
from rig.terminal.format import pluralize


def run(arguments: argparse.Namespace) -> int:
    """Show the session until it ends or Ctrl-C."""
    if arguments.session is None:
        journal = newest(common.data_folder(arguments))
    else:
        journal = journal_of(Path(arguments.session))
        if journal.name != JOURNAL:
            raise ConfigError(f"{journal}: is no session: give its folder, or its {JOURNAL}")
    console = SafeConsole()
    follower = JournalFollower(journal)
    with suppress(KeyboardInterrupt):
        ended = display(follower, console, time.sleep, hint=lambda: "Ctrl-C leaves it", kept=True).footer
        if ended is not None:
            style = "bold red" if ended["reason"] in FAILURES else ""
            console.print(Text(f"ended: {ended_text(ended['reason'], ended['detail'])}", style), soft_wrap=True)
    print(f"records: {journal.parent}")
    if (first := follower.first_damage) is not None:
        print(f"{journal}:{first.line}: {first.why}: {pluralize(follower.damaged, 'line')} left out", file=sys.stderr)
    return OK


def newest(data: Path) -> Path:
    """Return the journal that was written last. Raises ``ConfigError`` when there is none."""
    places = (subjects_folder(data, simulated=simulated) for simulated in (False, True))
    journals = (path for place in places for path in place.glob(f"*/????-??-??/*/{JOURNAL}"))
    found = [(path.stat().st_mtime, path) for path in journals]
    if not found:
        raise ConfigError(f"{data}: has no session yet; name one, or say where they are with --data")
    return max(found)[1]
