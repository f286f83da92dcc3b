"""``rig searches export``: searches on grids as one table, as their studies published them."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

from protocols.searching.analysis.public_tables import long_table, wide_table
from protocols.searching.analysis.recorded import of_session
from protocols.searching.analysis.rounds import GridPerson, people_of
from rig.analysis.common.tables import write_file
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.find import find_sessions
from rig.system.statuses import OK
from rig.terminal.format import pluralize

NEEDED = {"round", "tile", "drawn", "shown"}


def run(arguments: argparse.Namespace) -> int:
    """Write the table. Raises ``ConfigError``, ``RecordError``."""
    if arguments.to.exists() and not arguments.force:
        raise ConfigError(f"--to {arguments.to}: exists: wanted a new file, or --force to replace it")
    journals = [journal for path in arguments.sessions for journal in find_sessions(path)]
    visits = [of_session(_searched(read_session(journal))) for journal in dict.fromkeys(journals)]
    people = _numbered(people_of(visits))
    if not people:
        raise ConfigError("no session has a click on a tile: wanted one at least")
    write_file("--to", str(arguments.to), (wide_table if arguments.layout == "wide" else long_table)(people))
    _report(arguments, people)
    return OK


def _numbered(people: list[GridPerson]) -> list[GridPerson]:
    """Return the sessions with their numbers among those of the same subject, from 1."""
    often: Counter[str] = Counter()
    found = []
    for person in people:
        often[person.subject] += 1
        found.append(replace(person, number=str(often[person.subject])))
    return found


def _searched(session: RecordedSession) -> RecordedSession:
    if not set(session.header.columns) >= NEEDED:
        raise ConfigError(f"{session.full_name}: is a session of {session.header.protocol}: wanted a search on a grid")
    return session


def _report(arguments: argparse.Namespace, people: list[GridPerson]) -> None:
    clicks = sum(each.clicks for person in people for each in person.rounds)
    if arguments.json:
        print_json({"file": str(arguments.to), "layout": arguments.layout, "sessions": len(people), "clicks": clicks})
    else:
        print(f"{pluralize(len(people), 'session')}, {pluralize(clicks, 'click')}: {arguments.to}")
