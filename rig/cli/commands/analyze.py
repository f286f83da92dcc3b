"""``rig analyze``: analyze sessions; the columns of their tables select the analysis."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.analysis.common.plugin import Report
from rig.analysis.common.select_analysis import Found, find_analysis, installed_analyses
from rig.analysis.common.sources import read_sessions
from rig.analysis.common.user_errors import located_user_errors
from rig.cli.commands.analyze_print import INSTALL, draw_into, left_out, missing_extra, print_answer
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.records.read import JOURNAL
from rig.system.config_paths import SIMULATED
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Read and analyze the sessions, and print or write the results."""
    missing = missing_extra()
    if arguments.figures and missing:
        raise ConfigError(f"--figures {arguments.figures}: needs {' and '.join(missing)}: {INSTALL}")
    names = _without_simulated_days(arguments.sessions)
    found, analysis, sources = read_sessions(names, _analyses(arguments.analysis), vars(arguments))
    with located_user_errors(found.kind):
        _answer(found, analysis.report(sources, fits="scipy" not in missing), missing, arguments)
    return OK


def _answer(found: Found, report: Report, missing: Sequence[str], arguments: argparse.Namespace) -> None:
    notes = [*getattr(report, "notes", ()), *left_out(missing)]
    written = report.write()
    drawn = draw_into(arguments.figures, report.figures()) if arguments.figures else []
    if arguments.json:
        print_json(_known(_document(found, report, notes, drawn)))
    else:
        print_answer(report.tables(), notes, [*drawn, *written])


def _analyses(asked: str | None) -> list[Found]:
    """Return the requested analysis, or all installed ones. Raises ``ConfigError``."""
    if asked is not None:
        return [find_analysis(asked)]
    return installed_analyses(lambda mistake: print(f"left out: {mistake}", file=sys.stderr))


def _document(found: Found, report: Report, notes: list[str], drawn: list[str]) -> dict[str, object]:
    top = {"format": 1, "kind": "analysis", "analysis": found.name}
    return {**top, **report.document(), "notes": notes, "figures": drawn}


def _known(value: Any) -> Any:
    """Return plain data with None for numbers that are not finite, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _known(each) for key, each in value.items()}
    return [_known(each) for each in value] if isinstance(value, list | tuple) else value


def _without_simulated_days(names: Sequence[str]) -> list[str]:
    """Return the names without day folders of simulated subjects, which ``data/*/*/*`` matches too.

    Raises ``ConfigError``.
    """
    days = [name for name in names if _is_simulated_day(Path(name))]
    if not days:
        return list(names)
    sessions = Path(days[0]).parent.parent / "*" / "*" / "*"
    said = f"{days[0]}: is a day of a simulated subject, whose sessions are {sessions}"
    if len(days) == len(names):
        raise ConfigError(said)
    print(f"left out, with {len(days) - 1} more: {said}" if len(days) > 1 else f"left out: {said}", file=sys.stderr)
    return [name for name in names if name not in days]


def _is_simulated_day(folder: Path) -> bool:
    return folder.parent.parent.name == SIMULATED and any(folder.glob(f"*/{JOURNAL}"))
