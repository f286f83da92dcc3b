"""``rig analyse`` of sessions of a two-armed bandit."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from rig.analysis.arrays import plain
from rig.analysis.rates import RESAMPLES
from rig.analysis.report import Report, Settings, report, selected
from rig.analysis.sessions import Session
from rig.analysis.stack import Stack
from rig.analysis.words import ngram
from rig.cli.analyse_bandit_tables import print_report
from rig.cli.analyse_print import draw_into, left_out, missing_extra, write_table
from rig.cli.analyse_sources import Source
from rig.cli.printing import print_json
from rig.core.errors import ConfigError


def analyse(arguments: argparse.Namespace, sources: Sequence[Source[Session]]) -> None:
    """Analyse the sessions, and show or write what was asked for."""
    missing = missing_extra()
    skip_first = arguments.skip_first or 0
    settings = Settings(skip_first, arguments.split_seed, arguments.seed, fits="scipy" not in missing)
    sessions = selected([source.session for source in sources], settings.skip_first)
    notes = [note for source in sources for note in source.notes]
    notes += (*_left_out(sources, sessions, settings), *left_out(missing))
    found = report(sessions, settings)
    if arguments.ngram:
        write_table("--ngram", arguments.ngram, json.dumps(ngram(Stack.of(sessions)), indent=1) + "\n")
    drawn = _figures(arguments.figures, found) if arguments.figures else []
    if arguments.json:
        print_json(_document(found, notes, drawn))
    else:
        print_report(found, notes, [*drawn, *([arguments.ngram] if arguments.ngram else [])])


def _left_out(sources: Sequence[Source[Session]], sessions: list[Session], settings: Settings) -> list[str]:
    """Name the sessions of which nothing is left. Raises ``ConfigError`` when that is true of all."""
    kept = {session.name for session in sessions}
    after = f" after its first {settings.skip_first}" if settings.skip_first else ""
    empty = [source for source in sources if source.session.name not in kept]
    if not sessions:
        raise ConfigError(*(f"{source.path}: has no completed trial{after}: wanted at least one" for source in empty))
    return [f"{source.session.name}: has no completed trial{after}; left out" for source in empty]


def _figures(folder: str, found: Report) -> list[str]:
    from rig.analysis.figures import draw

    return draw_into(folder, partial(draw, found))


def _document(found: Report, notes: list[str], drawn: list[str]) -> dict[str, Any]:
    settings = found.settings
    return {
        "format": 1,
        "kind": "analysis",
        "protocol": "two_armed_bandit",
        "selection": {"name": settings.selection, "skip_first": settings.skip_first},
        "bootstrap": {"resamples": RESAMPLES, "seed": settings.seed},
        "notes": notes,
        "groups": plain(found.groups),
        "sessions": plain(found.sessions),
        "figures": drawn,
    }
