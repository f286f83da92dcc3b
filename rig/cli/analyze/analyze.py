"""``rig analyze``: analyze sessions; the columns of their tables select the analysis."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence

from rig.analysis.common.choose_sessions import choose_sessions
from rig.analysis.common.plugin import Report
from rig.analysis.common.same_task import check_same_task
from rig.analysis.common.select_analysis import Found, find_analysis, installed_analyses
from rig.analysis.common.sources import read_sessions
from rig.analysis.common.user_errors import located_user_errors
from rig.cli.analyze.answer import INSTALL, draw_into, left_out, missing_extra, print_answer
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Read and analyze the sessions, and print or write the results."""
    missing = missing_extra()
    if arguments.figures and missing:
        raise ConfigError(f"--figures {arguments.figures}: needs {' and '.join(missing)}: {INSTALL}")
    paths = choose_sessions(arguments.sessions, _say_left_out)
    found, analysis, sources = read_sessions(paths, _analyses(arguments.analysis), vars(arguments), _say_left_out)
    notes = [*check_same_task(sources, analysis, pool=arguments.pool_different), *left_out(missing)]
    with located_user_errors(found.kind):
        _answer(found, analysis.report(sources, fits="scipy" not in missing), notes, arguments)
    return OK


def _say_left_out(text: str) -> None:
    print(f"left out: {text}", file=sys.stderr)


def _answer(found: Found, report: Report, more: Sequence[str], arguments: argparse.Namespace) -> None:
    notes = [*getattr(report, "notes", ()), *more]
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
    return installed_analyses(_say_left_out)


def _document(found: Found, report: Report, notes: list[str], drawn: list[str]) -> dict[str, object]:
    top = {"format": 1, "kind": "analysis", "analysis": found.name}
    return {**top, **report.document(), "notes": notes, "figures": drawn}


def _known(value: object) -> object:
    """Return plain data with None for numbers that are not finite, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _known(each) for key, each in value.items()}
    return [_known(each) for each in value] if isinstance(value, list | tuple) else value
