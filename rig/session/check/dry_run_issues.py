"""The mistakes of dry runs: at the parameter that was refused, or else the line of the protocol, or else its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue, Loc, SourceLocation
from rig.config.errors.formatting import display_path
from rig.core.errors import ActionError, TaskError
from rig.core.model.code_lines import CodeLine, line_text
from rig.session.check.dry_run import DryRunResult
from rig.session.check.fold import count_text
from rig.session.check.refused_orders import RefusedOrder
from rig.session.check.refused_values import find_parameter
from rig.session.check.rehearsal import RehearsalRuns
from rig.session.spec.session_spec import SessionSpec
from rig.system.plugins import user_code_line


def failure_issue(spec: SessionSpec, result: DryRunResult, mark: SourceLocation, loc: Loc) -> ConfigIssue:
    """Return the mistake with which a dry run has failed; ``mark`` and ``loc`` are those of the protocol's file."""
    cause, failure = result.outcome.failure, result.failure or ""
    in_state = f"in state '{result.last_state}'" if result.last_state else "before the first state"
    asked = (cause.asked, cause.unit) if isinstance(cause, ActionError) else None
    line = None if cause is None else user_code_line(cause)
    prefix = "" if line is None else f"{line_text(line)}: "
    # Not every failure is told with the line that raised it.
    if _parameter(spec, asked) is None and line is not None and failure.startswith(prefix):
        stage = f"stage {loc[1]}: " if loc[0] == "stages" else ""
        return config_issue(_location(line), (), f"{stage}{in_state}: {failure.removeprefix(prefix)}")
    text = f"the dry run failed after {result.seconds:.2f} s {in_state}: {failure}"
    return config_issue(*_place(spec, asked, None, mark, loc), text)


def no_result_issue(error: Exception, mark: SourceLocation, loc: Loc) -> ConfigIssue:
    """Return the mistake that kept a dry run from its end."""
    line = error.where if isinstance(error, TaskError) else None
    return config_issue(mark, loc, str(error)) if line is None else config_issue(_location(line), (), str(error))


def refusal_issues(
    spec: SessionSpec, rehearsal: RehearsalRuns, mark: SourceLocation, loc: Loc
) -> Iterator[ConfigIssue]:
    """Yield the orders that the board has refused."""
    refused: Counter[RefusedOrder] = Counter()
    for result in rehearsal.results:
        refused.update(dict(result.refused))
    for refusal, times in refused.items():
        asked = None if refusal.on_ms is None else (refusal.on_ms, "ms")
        text = count_text(f"in the dry run {refusal}", times)
        yield config_issue(*_place(spec, asked, refusal.where, mark, loc), text)


def _place(
    spec: SessionSpec, asked: tuple[float, str] | None, line: CodeLine | None, mark: SourceLocation, loc: Loc
) -> tuple[SourceLocation, Loc]:
    """Return the place of the only parameter with a number that was refused, or else the line's, or the given one."""
    key = _parameter(spec, asked)
    if key is not None:
        return spec.layered.location(("params", key)), ("params", key)
    return (mark, loc) if line is None else (_location(line), ())


def _parameter(spec: SessionSpec, asked: tuple[float, str] | None) -> str | None:
    return None if asked is None else find_parameter(spec.params, *asked)


def _location(line: CodeLine) -> SourceLocation:
    return SourceLocation(display_path(Path(line[0])), line[1])
