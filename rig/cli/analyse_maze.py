"""``rig analyse`` of sessions of delay discounting."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from rig.analysis.arrays import plain
from rig.analysis.maze.lap_table import lap_table
from rig.analysis.maze.laps import Laps
from rig.analysis.maze.report import MIN_LAPS, Report, Settings, report
from rig.cli.analyse_maze_tables import print_report
from rig.cli.analyse_print import draw_into, left_out, missing_extra, write_table
from rig.cli.analyse_sources import Source
from rig.cli.analyse_tracks import fill_trials
from rig.cli.printing import print_json
from rig.core.errors import ConfigError


def analyse(arguments: argparse.Namespace, sources: Sequence[Source[Laps]]) -> None:
    """Analyse the sessions, and show or write what was asked for."""
    missing = missing_extra()
    min_laps = MIN_LAPS if arguments.min_laps is None else arguments.min_laps
    settings = Settings(min_laps, fits="scipy" not in missing)
    sessions = [source.session.unturned() if arguments.backpack else source.session for source in sources]
    if not any(laps.trials for laps in sessions):
        raise ConfigError(*(f"{source.path}: has no whole lap: wanted at least one" for source in sources))
    found = report(sessions, settings)
    notes = [note for source in sources for note in source.notes]
    notes += (*_excluded(found), *_untracked(found, arguments.backpack), *left_out(missing))
    drawn = _figures(arguments.figures, found, sessions) if arguments.figures else []
    written = [*drawn]
    if arguments.laps:
        write_table("--laps", arguments.laps, lap_table(sessions))
        written.append(arguments.laps)
    if arguments.fill:
        written += (str(fill_trials(source.path, laps)) for source, laps in zip(sources, sessions, strict=True))
    if arguments.json:
        print_json(_document(found, notes, drawn, arguments.backpack))
    else:
        print_report(found, notes, written)


def _excluded(found: Report) -> Iterator[str]:
    for each in found.sessions:
        if each.excluded:
            yield f"{each.name}: excluded: {', '.join(each.excluded)}"


def _untracked(found: Report, backpack: bool) -> Iterator[str]:
    if backpack:
        yield "zIdPhi is left out: a light on the back does not show where a head turns"
    elif not any(each.passes for each in found.sessions):
        yield "zIdPhi is left out: no pass of the choice point was tracked"


def _figures(folder: str, found: Report, sessions: Sequence[Laps]) -> list[str]:
    from rig.analysis.maze.figures import draw

    return draw_into(folder, lambda place: draw(found, sessions, place))


def _document(found: Report, notes: list[str], drawn: list[str], backpack: bool) -> dict[str, Any]:
    return {
        "format": 1,
        "kind": "analysis",
        "protocol": "delay_discounting",
        "selection": {"min_laps": found.settings.min_laps, "backpack": backpack},
        "notes": notes,
        "ratios": plain(found.ratios),
        "groups": plain(found.groups),
        "sessions": plain(found.sessions),
        "figures": drawn,
    }
