"""Check the files of a protocol as they are written: mistakes and warnings, each with its line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue, SourceLocation
from rig.config.errors.formatting import display_path
from rig.devices.box import wanted_by
from rig.session.build.task_classes import FoundTask
from rig.session.check.source.expressions import Expressions
from rig.session.check.source.files import Function, read_files
from rig.session.check.source.lost_values import Problem, lost_values, unstarted_sequences
from rig.session.check.source.members import unknown_members
from rig.session.check.source.names import unknown_sources
from rig.session.check.source.wrong_objects import wrong_objects, wrong_returns


@dataclass(frozen=True)
class SourceFindings:
    """What is wrong in the files of a protocol: ``mistakes``, and ``warnings`` of what may be meant so."""

    mistakes: tuple[ConfigIssue, ...]
    warnings: tuple[ConfigIssue, ...]


def check_source(found: FoundTask, devices: Iterable[str]) -> SourceFindings:
    """Check the files of a protocol without running them; ``devices`` are those of the rig."""
    expressions = Expressions(read_files(found.files), found.task)
    mistakes = (_issue(function, problem) for function, problem in _mistakes(expressions))
    names = {*wanted_by(found.task.box_type), *devices}
    warnings = (_issue(function, problem) for function, problem in _warnings(expressions, names))
    return SourceFindings(_sorted(mistakes), _sorted(warnings))


def _sorted(issues: Iterable[ConfigIssue]) -> tuple[ConfigIssue, ...]:
    return tuple(sorted(dict.fromkeys(issues), key=lambda issue: issue.location.sort_key))


def _mistakes(expressions: Expressions) -> Iterator[tuple[Function, Problem]]:
    for file in expressions.files:
        for function in file.functions:
            for find in (lost_values, wrong_objects, wrong_returns, unknown_members):
                yield from ((function, problem) for problem in find(function, expressions))


def _warnings(expressions: Expressions, names: Collection[str]) -> Iterator[tuple[Function, Problem]]:
    yield from unstarted_sequences(expressions)
    for file in expressions.files:
        for function in file.functions:
            yield from ((function, problem) for problem in unknown_sources(function, expressions, names))


def _issue(function: Function, problem: Problem) -> ConfigIssue:
    node, text = problem
    return config_issue(SourceLocation(display_path(function.file.path), getattr(node, "lineno", None)), (), text)


def is_at_line(mistake: ConfigIssue, failure: str) -> bool:
    """Whether the text of a failed dry run begins with the line of a mistake."""
    location = mistake.location
    return failure.startswith(f"{Path(location.file).name}:{location.line}: ")
