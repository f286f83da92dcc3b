"""``rig show studies``: what is shipped, what lies in folders here, and the arms of each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from rig.cli.show.installed import show
from rig.cli.terminal.printing import print_json
from rig.config import files
from rig.config.errors.formatting import display_path
from rig.config.models.study_file import StudyFile
from rig.core.errors import ConfigError
from rig.studies.plan import load_study
from rig.system.statuses import OK
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class ArmSummary:
    """An arm: what it runs, its virtual subject, and how many sessions."""

    name: str
    runs: str
    model: str
    subjects: int
    sessions: int
    """Sessions of each subject."""


@dataclass(frozen=True)
class StudyEntry:
    """A study, or what keeps it from being one."""

    name: str
    path: str
    sentence: str
    mistake: str = ""
    arms: list[ArmSummary] = field(default_factory=list)
    figures: int = 0


def run(arguments: argparse.Namespace) -> int:
    """Print the studies."""
    listed = list(studies())
    if arguments.json:
        print_json({"studies": [asdict(each) for each in listed]})
    else:
        show((each.name, each.path, each.sentence, each.mistake, _lines(each)) for each in listed)
    return OK


def studies() -> Iterator[StudyEntry]:
    """Yield all studies; one that is wrong with its first mistake. Only their own files are read."""
    for name, path in files("studies"):
        try:
            file, _ = load_study(path)
        except ConfigError as error:
            yield StudyEntry(name, display_path(path), "", str(error.mistakes[0]))
            continue
        arms = [_summary(file, arm) for arm in file.arms]
        yield StudyEntry(name, display_path(path), file.title, arms=arms, figures=len(file.figures))


def _summary(file: StudyFile, name: str) -> ArmSummary:
    arm = file.arm(name)
    runs, model = arm.curriculum or arm.protocol or "", arm.model or ""
    return ArmSummary(name, runs, model, len(file.subjects_of(name)), arm.session_count)


def _lines(listed: StudyEntry) -> list[tuple[str, str]]:
    lines = [(arm.name, f"{arm.runs} | {arm.model} | {_size(arm)}") for arm in listed.arms]
    return [*lines, ("figures", str(listed.figures))] if listed.figures else lines


def _size(arm: ArmSummary) -> str:
    return f"{pluralize(arm.subjects, 'subject')} x {pluralize(arm.sessions, 'session')}"
