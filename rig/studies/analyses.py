"""One analysis of a study: which one it is, its options, and the arms and stages whose sessions it takes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rig.analysis.common.plugin import Analysis, Option
from rig.analysis.common.select_analysis import Found, find_analysis, installed_analyses, select
from rig.config import Loc, collect_errors
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import ConfigIssue
from rig.core.errors import ConfigError
from rig.session.spec.session_spec import SessionSpec
from rig.studies.arms import ArmPlan
from rig.studies.option_words import option_value
from rig.studies.source import StudySource


@dataclass(frozen=True)
class AnalysisPlan:
    """An analysis with its options, and whose sessions it takes."""

    name: str
    """Its name in the study."""
    found: Found
    word: str
    """What finds it in another process: its name, or the whole path of a file and its class."""
    options: Mapping[str, object]
    """The value of every option, by its name."""
    arms: Mapping[str, tuple[str, ...]]
    """The subjects of each arm whose sessions it takes."""
    named: frozenset[str]
    """Those of the subjects that the study's file names: they are the same for every random seed."""
    stages: tuple[str, ...]
    """The stages of the curriculum whose sessions it takes; none are all sessions."""
    takes: tuple[str, ...] = ()
    """The places of the wanted numbers in its report's document."""
    pictures: tuple[str, ...] = ()
    """The names of the wanted pictures."""

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: a class of a laboratory's file is known only where the file was loaded."""
        return {**vars(self), "found": None, "options": pickle.dumps(dict(self.options))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Load the file again in another process. Raises ``ConfigError``."""
        found = find_analysis(state["word"])
        self.__dict__.update({**state, "found": found, "options": pickle.loads(state["options"])})

    def analysis(self) -> Analysis[Any]:
        """Return the analysis with its options."""
        return self.found.kind(self.options)


@dataclass(frozen=True)
class AnalysisRequest:
    """An analysis as a study asks for it, at ``loc`` in its file."""

    loc: Loc
    analysis: str | None
    options: Mapping[str, object]
    arms: Sequence[str]
    stages: Sequence[str] = ()
    takes: Sequence[str] = ()
    pictures: Sequence[str] = ()


def plan_analysis(source: StudySource, wanted: AnalysisRequest, arms: Mapping[str, ArmPlan]) -> AnalysisPlan:
    """Return an analysis of a study; ``arms`` are those without mistakes.

    Raises ``ConfigError`` with all its mistakes, each at its line.
    """
    mine = [arms[name] for name in wanted.arms if name in arms]
    if mistakes := list(_stage_mistakes(source, wanted, mine)):
        raise ConfigError(*mistakes)
    specs = [(arm.name, spec) for arm in mine for spec in _specs_of(arm, wanted.stages)]
    found, word = _found(source, wanted, specs)
    _, options = collect_errors(
        partial(_check_columns, source, wanted, found, specs), partial(_options, source, wanted, found)
    )
    return AnalysisPlan(
        name=str(wanted.loc[-1]),
        found=found,
        word=word,
        options=options,
        arms={name: tuple(source.file.subjects_of(name)) for name in wanted.arms},
        named=frozenset(subject for name in wanted.arms for subject in source.file.named_subjects_of(name)),
        stages=tuple(wanted.stages),
        takes=tuple(dict.fromkeys(wanted.takes)),
        pictures=tuple(dict.fromkeys(wanted.pictures)),
    )


def _stage_mistakes(source: StudySource, wanted: AnalysisRequest, arms: Sequence[ArmPlan]) -> Iterator[ConfigIssue]:
    """Yield stages that no curriculum has, and arms that have no session of any of the stages."""
    if not wanted.stages or len(arms) < len(wanted.arms):
        return
    there = list(dict.fromkeys(stage for arm in arms for stage in arm.specs if stage))
    for index, stage in enumerate(wanted.stages):
        if there and stage not in there:
            text = unknown_name(f"there is no stage {stage!r}", stage, there)
            yield source.error_at((*wanted.loc, "stages", index), text)
    for arm in arms:
        if not any(arm.specs):
            text = f"arm {arm.name} runs a protocol, which has no stages: leave this out, or name other arms"
            yield source.error_at((*wanted.loc, "stages"), text)


def _specs_of(arm: ArmPlan, stages: Sequence[str]) -> list[SessionSpec]:
    return [spec for stage, spec in arm.specs.items() if not stages or stage in stages]


def _found(source: StudySource, wanted: AnalysisRequest, specs: Sequence[tuple[str, SessionSpec]]) -> tuple[Found, str]:
    """Return the analysis that is named, or else the one that suits the trials of all sessions, and what finds it."""
    loc = (*wanted.loc, "analysis")
    if wanted.analysis is not None:
        word = source.class_named(loc, wanted.analysis)
        return source.at(loc, partial(find_analysis, word)), word
    suited = {arm: source.at(loc, partial(_suited, spec)) for arm, spec in specs}
    by_name = {found.name: (arm, found) for arm, found in suited.items()}
    (first, found), *others = by_name.values()
    if others:
        other, unlike = others[0]
        text = f"{found.name} suits arm {first}, and {unlike.name} arm {other}: give analysis, arms or stages"
        raise ConfigError(source.error_at(wanted.loc, text))
    return found, found.name


def _suited(spec: SessionSpec) -> Found:
    found = select(installed_analyses(), list(spec.task.row_type.columns()), protocol=spec.protocol)
    if found is None:
        raise ConfigError(f"no analysis suits the trials of {spec.protocol}: name one")
    return found


def _check_columns(
    source: StudySource, wanted: AnalysisRequest, found: Found, specs: Sequence[tuple[str, SessionSpec]]
) -> None:
    """Check that the trials of every arm have the columns that the analysis needs."""
    mistakes = []
    for arm, spec in specs:
        there = spec.task.row_type.columns()
        lacking = [column for column in found.kind.columns if column not in there]
        if lacking:
            text = f"{found.name} does not suit arm {arm}: the trials of {spec.protocol} have no {', '.join(lacking)}"
            mistakes.append(source.error_at((*wanted.loc, "analysis"), text))
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))


def _options(source: StudySource, wanted: AnalysisRequest, found: Found) -> dict[str, object]:
    """Return the value of every option, given or not."""
    known = {option.name: option for option in found.kind.options}
    values = {name: option.value(None) for name, option in known.items()}
    mistakes = []
    for name, value in wanted.options.items():
        loc = (*wanted.loc, "options", name)
        if name not in known:
            text = unknown_name(f"{found.name} has no such option", name, list(known))
            mistakes.append(source.error_at(loc, text))
        elif known[name].writes:
            text = "writes files, which an analysis of a study does not: use `rig analyze`, or leave it out"
            mistakes.append(source.error_at(loc, text))
        elif value is not None:
            try:
                values[name] = _value(source, loc, known[name], value)
            except ValueError as error:
                mistakes.append(source.error_at(loc, str(error)))
    if mistakes:
        raise ConfigError(*mistakes)
    return values


def _value(source: StudySource, loc: Loc, option: Option, value: object) -> object:
    """Return the value of an option; the path of a file is counted from the study's file. Raises ``ValueError``."""
    value_of_option = option_value(option, value)
    if option.metavar == "FILE" and isinstance(value_of_option, str):
        return str((source.folder(loc) / value_of_option).absolute())
    return value_of_option
