"""``rig analyse``: say what sessions of a two-armed bandit show."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rig.analysis.arrays import plain
from rig.analysis.rates import RESAMPLES
from rig.analysis.report import Report, Settings, report, selected
from rig.analysis.sessions import Session
from rig.analysis.stack import Stack
from rig.analysis.words import ngram
from rig.cli.analyse_sources import Source, read_sessions
from rig.cli.analyse_tables import print_report
from rig.core.errors import ConfigError, RecordError
from rig.files import write_whole
from rig.status import OK

EXTRA = ("scipy", "matplotlib")
INSTALL = "pip install 'behaviour-rig[analysis]'"


def run(arguments: argparse.Namespace) -> int:
    """Read the sessions, analyse them, and show or write what was asked for."""
    for option in ("skip_first", "seed", "split_seed"):
        value = getattr(arguments, option)
        if value is not None and value < 0:
            raise ConfigError(f"--{option.replace('_', '-')} {value}: wanted 0 or more")
    missing = [name for name in EXTRA if find_spec(name) is None]
    settings = Settings(arguments.skip_first, arguments.split_seed, arguments.seed, fits="scipy" not in missing)
    sources = read_sessions(arguments.sessions)
    sessions = selected([source.session for source in sources], settings.skip_first)
    notes = [*(note for source in sources for note in source.notes), *_left_out(sources, sessions, settings)]
    if missing:
        left = "fits and figures are" if not settings.fits else "figures are"
        notes.append(f"{left} left out, for want of {' and '.join(missing)}: {INSTALL}")
    found = report(sessions, settings)
    if arguments.ngram:
        _write(arguments.ngram, json.dumps(ngram(Stack.of(sessions)), indent=1) + "\n")
    drawn = _figures(arguments.figures, found) if arguments.figures and not missing else []
    if arguments.json:
        print(json.dumps(_document(found, notes, drawn), indent=2))
    else:
        print_report(found, notes, [*drawn, *([arguments.ngram] if arguments.ngram else [])])
    return OK


def _left_out(sources: list[Source], sessions: list[Session], settings: Settings) -> list[str]:
    """Name the sessions of which nothing is left. Raises ``ConfigError`` when that is true of all."""
    kept = {session.name for session in sessions}
    after = f" after its first {settings.skip_first}" if settings.skip_first else ""
    empty = [source for source in sources if source.session.name not in kept]
    if not sessions:
        raise ConfigError(*(f"{source.path}: has no completed trial{after}: wanted at least one" for source in empty))
    return [f"{source.session.name}: has no completed trial{after}; left out" for source in empty]


def _figures(folder: str, found: Report) -> list[str]:
    from rig.analysis.figures import draw

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return [str(path) for path in draw(found, Path(folder))]
    except OSError as error:
        raise ConfigError(f"--figures {folder}: cannot be written: {error.strerror}: wanted a folder") from None


def _write(path: str, text: str) -> None:
    place = Path(path)
    try:
        if place.is_file() or not place.exists():
            write_whole(place, text)
        else:  # such as /dev/stdout
            place.write_text(text, encoding="utf-8")
    except RecordError as error:
        raise ConfigError(f"--ngram {error}: wanted a file's path") from None
    except OSError as error:
        raise ConfigError(f"--ngram {path}: cannot be written: {error.strerror}: wanted a file's path") from None


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
