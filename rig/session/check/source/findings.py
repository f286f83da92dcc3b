"""Check the files of a protocol as they are written: mistakes and warnings, each with its line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue, SourceLocation
from rig.config.errors.formatting import display_path
from rig.devices.box import wanted_by
from rig.session.check.source.carried_keys import unwritten_keys
from rig.session.check.source.code import Code
from rig.session.check.source.comparisons import equal_sums, identities
from rig.session.check.source.files import SourceFile, read_files
from rig.session.check.source.habits import doubtful_habits, harmful_habits, shared_objects
from rig.session.check.source.hidden_names import hidden_names
from rig.session.check.source.loops import doubtful_loops
from rig.session.check.source.lost_values import Problem, lost_values
from rig.session.check.source.python_traps import python_traps
from rig.session.check.source.unordered import unordered_draws
from rig.session.check.source.unused_names import idle_sequences, unknown_sources, unused_names
from rig.session.check.source.wrong_units import names_without_unit, unclear_times, wrong_units
from rig.session.spec.task_classes import FoundTask


@dataclass(frozen=True)
class SourceFindings:
    """What is wrong in the files of a protocol: ``mistakes``, and ``warnings`` of what may be meant so."""

    mistakes: tuple[ConfigIssue, ...]
    warnings: tuple[ConfigIssue, ...]


def check_source(found: FoundTask, devices: Iterable[str]) -> SourceFindings:
    """Check the files of a protocol without running them; ``devices`` are those of the rig.

    A file of its own that defines a device is no part of the protocol.
    """
    modules = {kind.__module__ for kind, _, _ in wanted_by(found.task.box_type).values()} - {found.task.__module__}
    of_devices = {sys.modules[module].__file__ for module in modules}
    code = Code(read_files(file for file in found.files if str(file) not in of_devices), found.task)
    mistakes = [_issue(file, problem) for file, problem in _mistakes(code)]
    warnings = [_issue(file, problem) for file, problem in _warnings(code, {*code.devices, *devices})]
    for file, line, text, is_wrong in python_traps(code.files):
        (mistakes if is_wrong else warnings).append(_issue_at(file, line, text))
    return SourceFindings(_sorted(mistakes), _sorted(warnings))


def _mistakes(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    yield from shared_objects(code)
    yield from hidden_names(code)
    for file in code.files:
        for node in file.nodes:
            for find in (lost_values, wrong_units, harmful_habits, identities, unordered_draws):
                yield from ((file, problem) for problem in find(node, file, code))


def _warnings(code: Code, names: set[str]) -> Iterator[tuple[SourceFile, Problem]]:
    for find in (unused_names, idle_sequences, names_without_unit, unwritten_keys):
        yield from find(code)
    for file in code.files:
        for node in file.nodes:
            yield from ((file, problem) for problem in unknown_sources(node, names))
            for look in (unclear_times, doubtful_habits, equal_sums, doubtful_loops):
                yield from ((file, problem) for problem in look(node, file, code))


def _issue(file: SourceFile, problem: Problem) -> ConfigIssue:
    node, text = problem
    return _issue_at(file, getattr(node, "lineno", None), text)


def _issue_at(file: SourceFile, line: int | None, text: str) -> ConfigIssue:
    return config_issue(SourceLocation(display_path(file.path), line), (), text)


def _sorted(issues: Iterable[ConfigIssue]) -> tuple[ConfigIssue, ...]:
    return tuple(sorted(dict.fromkeys(issues), key=lambda issue: issue.location.sort_key))


def is_at_line(mistake: ConfigIssue, failure: str) -> bool:
    """Whether the text of a failed dry run begins with the line of a mistake."""
    location = mistake.location
    return failure.startswith(f"{Path(location.file).name}:{location.line}: ")
