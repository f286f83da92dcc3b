"""``rig analyse`` of sessions of the disk bandit."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from rig.analysis.arrays import plain
from rig.analysis.disks.cells import cell_table
from rig.analysis.disks.pecks import Pecks, Visit
from rig.analysis.disks.report import MIN_PECKS, Report, Settings, report, sessions_of
from rig.cli.analyse_disks_tables import print_report
from rig.cli.analyse_print import draw_into, left_out, missing_extra, write_table
from rig.cli.analyse_sources import Source
from rig.cli.printing import print_json
from rig.core.errors import ConfigError


def analyse(arguments: argparse.Namespace, sources: Sequence[Source[Visit]]) -> None:
    """Analyse the sessions, and show or write what was asked for."""
    missing = missing_extra()
    min_pecks = MIN_PECKS if arguments.min_pecks is None else arguments.min_pecks
    sessions = sessions_of([source.session for source in sources])
    if not any(pecks.chosen.any() for pecks in sessions):
        raise ConfigError(*(f"{source.path}: has no peck on a disk: wanted at least one" for source in sources))
    found = report(sessions, Settings(min_pecks, fits="scipy" not in missing))
    notes = [note for source in sources for note in source.notes]
    notes += (*_notes(found), *left_out(missing))
    drawn = _figures(arguments.figures, found, sessions) if arguments.figures else []
    written = [*drawn]
    if arguments.cells:
        write_table("--cells", arguments.cells, cell_table(sessions))
        written.append(arguments.cells)
    if arguments.json:
        print_json(_document(found, notes, drawn))
    else:
        print_report(found, notes, written)


def _notes(found: Report) -> Iterator[str]:
    for each in found.sessions:
        if each.excluded:
            yield f"{each.name}: excluded: {', '.join(each.excluded)}"
    for group in found.groups.values():
        if group.left_out:
            counts = ", ".join(f"{count} {why}" for why, count in sorted(group.left_out.items()))
            yield f"{group.name}: pecks that were no choice are left out: {counts}"
        for what, why in group.thetas.refused.items() if group.thetas else ():
            yield f"{group.name}: {what} {why}"


def _figures(folder: str, found: Report, sessions: Sequence[Pecks]) -> list[str]:
    from rig.analysis.disks.figures import draw

    return draw_into(folder, lambda place: draw(found, sessions, place))


def _document(found: Report, notes: list[str], drawn: list[str]) -> dict[str, Any]:
    return {
        "format": 1,
        "kind": "analysis",
        "protocol": "disk_bandit",
        "selection": {"min_pecks": found.settings.min_pecks},
        "notes": notes,
        "groups": plain(found.groups),
        "sessions": plain(found.sessions),
        "figures": drawn,
    }
