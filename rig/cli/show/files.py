"""``rig show protocols``, ``curricula`` and ``studies``: what is shipped or lies in folders here, and what it holds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from rig.cli.show.installed import show
from rig.cli.show.template import write_template
from rig.cli.terminal.printing import print_json
from rig.config import files, load_config, validate
from rig.config.errors.formatting import display_path
from rig.config.models.curriculum import CurriculumFile
from rig.config.models.study_file import StudyFile
from rig.core.errors import ConfigError
from rig.session.spec.protocol_catalog import ProtocolEntry, protocols
from rig.studies.plan import load_study
from rig.system.first_sentence import first_comment
from rig.system.statuses import OK
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class StageSummary:
    """A stage: what it runs, and where its rules lead."""

    name: str
    protocol: str
    rules: list[str]


@dataclass(frozen=True)
class CurriculumEntry:
    """A curriculum, or what keeps it from being one."""

    name: str
    path: str
    sentence: str
    mistake: str = ""
    stages: list[StageSummary] = field(default_factory=list)


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


_Entry = TypeVar("_Entry", ProtocolEntry, CurriculumEntry, StudyEntry)


def list_protocols(arguments: argparse.Namespace) -> int:
    """Print the protocols, or write a new one."""
    if arguments.template is not None:
        return _write_template(arguments)
    if arguments.into is not None:
        raise ConfigError("--into: says where a template goes: give --template NAME too")
    return _print(protocols(), _source, lambda entry: [(file.name, file.sentence) for file in entry.files], arguments)


def list_curricula(arguments: argparse.Namespace) -> int:
    """Print the curricula."""
    return _print(curricula(), lambda entry: entry.path, _stages, arguments)


def list_studies(arguments: argparse.Namespace) -> int:
    """Print the studies."""
    return _print(studies(), lambda entry: entry.path, _arms, arguments)


def _print(
    entries: Iterable[_Entry],
    source: Callable[[_Entry], str],
    lines: Callable[[_Entry], list[tuple[str, str]]],
    arguments: argparse.Namespace,
) -> int:
    """Print a list: of each entry also where it lies, and what belongs to it."""
    listed = list(entries)
    if arguments.json:
        print_json({arguments.what: [asdict(entry) for entry in listed]})
    else:
        show((entry.name, source(entry), entry.sentence, entry.mistake, lines(entry)) for entry in listed)
    return OK


def _source(entry: ProtocolEntry) -> str:
    return entry.source if entry.run else f"{entry.source} (read, not run)"


def curricula() -> Iterator[CurriculumEntry]:
    """Yield all curricula; one that is wrong with its first mistake."""
    for name, path in files("curricula"):
        try:
            file = validate(CurriculumFile, load_config(path))
        except ConfigError as error:
            yield CurriculumEntry(name, display_path(path), first_comment(path), str(error.mistakes[0]))
            continue
        stages = [
            StageSummary(stage, of.protocol, [f"{rule.to}: {rule}" for rule in of.rules])
            for stage, of in file.stages.items()
        ]
        yield CurriculumEntry(name, display_path(path), first_comment(path), stages=stages)


def _stages(entry: CurriculumEntry) -> list[tuple[str, str]]:
    return [
        (stage.name, " | ".join((stage.protocol, *(f"-> {rule}" for rule in stage.rules)))) for stage in entry.stages
    ]


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


def _arms(listed: StudyEntry) -> list[tuple[str, str]]:
    lines = [(arm.name, f"{arm.runs} | {arm.model} | {_size(arm)}") for arm in listed.arms]
    return [*lines, ("figures", str(listed.figures))] if listed.figures else lines


def _size(arm: ArmSummary) -> str:
    return f"{pluralize(arm.subjects, 'subject')} x {pluralize(arm.sessions, 'session')}"


def _write_template(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.into or "")
    python, yaml = write_template(arguments.template, folder)
    if arguments.json:
        print_json({"written": [str(python), str(yaml)]})
        return OK
    print(f"{python}: the task; change it to your own", f"{yaml}: its parameters, and when a session ends", sep="\n")
    print("", "Try:", f"  rig check {yaml}", f"  rig sim {yaml} --model random --seed 1", sep="\n")
    return OK
