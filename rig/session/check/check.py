"""Check a file as a session would, report every mistake at once, and run the protocol dry twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pydantic import BaseModel

from rig.boards.driver_lookup import find_driver
from rig.config import (
    CalibrationFile,
    LayeredConfig,
    ProtocolFile,
    RigFile,
    config_issue,
    load_calibration,
    load_config,
    validate,
)
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import ConfigIssue, Loc, SourceLocation
from rig.config.errors.formatting import display_path
from rig.config.limits import LAB_FILE, LabFile
from rig.config.models.boxes_file import BoxesFile
from rig.config.models.curriculum import CurriculumFile
from rig.config.models.study_file import StudyFile
from rig.config.subject import SUBJECT_FILE, SubjectFile
from rig.config.user_classes import is_file_reference
from rig.core.close_words import closest_word
from rig.core.errors import BoardError, ConfigError, TaskError
from rig.core.model.reward_types import reward_params
from rig.core.model.rows import TRIAL_TABLE
from rig.session.check.contradictions import contradictory_rig, contradictory_session
from rig.session.check.dry_run_issues import failure_issue, no_result_issue, refusal_issues
from rig.session.check.fold import fold_equal
from rig.session.check.implausible import (
    implausible_date,
    implausible_day,
    implausible_rig,
    implausible_session,
    implausible_subject,
)
from rig.session.check.limits_too_low import limits_below_a_reward
from rig.session.check.long_batches import longest_of
from rig.session.check.rehearsal import RehearsalRuns, is_reproducible, rehearse, unused_states
from rig.session.check.rehearsal_gaps import doubts_of, gaps_of, wrong_declarations
from rig.session.check.source.findings import check_source, is_at_line
from rig.session.check.unknown_subject import unknown_subject_mistake
from rig.session.curriculum.curriculum import Curriculum
from rig.session.read_boxes import Boxes
from rig.session.spec.build import spec_from_file
from rig.session.spec.calibration_ages import check_calibration_ages, failed_checks
from rig.session.spec.compatibility import add_location, check_rig, find_rig_driver
from rig.session.spec.driven_pins import flashing_outputs, outputs_on_at_reset
from rig.session.spec.local_files import replaced_files, replaced_sources
from rig.session.spec.read_rig import Rig, read_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.system.plugins import MODELS, installed_plugins
from rig.system.plugins import load_plugin as load_installed
from rig.system.settings import load_settings
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class FileReport:
    """Result for one file: its kind, its mistakes, notes, the shipped files that local ones replace, and warnings.

    A file with mistakes does not run. A session asks a person for the reason of a failed check, which is a warning.
    """

    path: Path
    kind: str
    mistakes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


KINDS: dict[str, type[BaseModel]] = {
    "protocol": ProtocolFile,
    "curriculum": CurriculumFile,
    "rig": RigFile,
    "calibration": CalibrationFile,
    "subject": SubjectFile,
    "lab": LabFile,
    "boxes": BoxesFile,
    "study": StudyFile,
}
FOLDERS = {f"{kind}s": kind for kind in KINDS} | {"curricula": "curriculum", "boxes": "boxes", "studies": "study"}
"""The kind of the files in a folder, by its name."""

Check: TypeAlias = Callable[[Path, SessionRequest], FileReport]
"""Checks a file of one kind. Raises ``ConfigError``."""


def check(path: Path, request: SessionRequest, further: Mapping[str, Check] = MappingProxyType({})) -> FileReport:
    """Check one file of any kind; ``further`` are the checks of kinds that sessions know nothing of."""
    kind = "file"
    try:
        kind = kind_of(path, load_config(path))
        report = {**_CHECKS, **further}[kind](path, request)
        return replace(report, mistakes=fold_equal(report.mistakes))
    except ConfigError as error:
        return FileReport(path, kind, fold_equal(sorted(error.mistakes, key=_order)))


def _order(mistake: str) -> tuple[str, int]:
    """Return the sort key of a mistake: its file and line."""
    return mistake.location.sort_key if isinstance(mistake, ConfigIssue) else ("", 0)


def kind_of(path: Path, layered: LayeredConfig) -> str:
    """Return the kind of a YAML file by its keys, misspelt or not, its folder and its name. Raises ``ConfigError``."""
    looks = FOLDERS.get(path.parent.name, "lab" if path.name == LAB_FILE else "")
    # The folder weighs less than one key that is spelled right: a file may lie anywhere.
    scores = {kind: _known(layered.data, model) + (kind == looks) for kind, model in KINDS.items()}
    best = max(scores, key=lambda kind: scores[kind])
    if not scores[best]:
        text = (
            "neither a protocol nor a curriculum, a rig, a calibration or a subject; a protocol has protocol: and "
            "stop:, a curriculum stages:, a rig boards: and devices:, a calibration valve: and points:, boxes boxes:, "
            "a study arms:"
        )
        raise ConfigError(config_issue(SourceLocation(display_path(path), 1), (), text))
    return best


def _known(data: Mapping[str, object], model: type[BaseModel]) -> int:
    return sum(2 * (key in model.model_fields) or closest_word(key, model.model_fields) is not None for key in data)


def _protocol(path: Path, request: SessionRequest) -> FileReport:
    spec = spec_from_file(path, request)
    rehearsed = rehearse_spec(spec, request, spec.layered.location(("protocol",)), ("protocol",))
    notes = (*rehearsed.notes, *find_driver(spec.plan.board.driver).warnings)
    warnings = (*rehearsed.warnings, *_of_rig(spec.rig, request), *_of_subject(request))
    return FileReport(path, "protocol", rehearsed.mistakes, notes, tuple(replaced_sources(spec)), warnings)


def _curriculum(path: Path, request: SessionRequest) -> FileReport:
    curriculum = Curriculum(path, request)
    curriculum.check()
    stages = {stage: curriculum.spec(stage) for stage in curriculum.file.stages}
    # Stages with equal values need one dry run: a training may repeat a protocol in many stages.
    unlike = {json.dumps(spec.layered.data, sort_keys=True): stage for stage, spec in stages.items()}
    mistakes: list[str] = []
    warnings: list[str] = []
    for stage in unlike.values():
        loc: Loc = ("stages", stage, "protocol")
        rehearsed = rehearse_spec(stages[stage], request, curriculum.layered.location(loc), loc)
        mistakes += rehearsed.mistakes
        warnings += [f"stage {stage}: {text}" for text in rehearsed.warnings]
    notes = [f"{len(stages)} stages, a dry run of each: {', '.join(stages)}"]
    instead = dict.fromkeys(line for spec in stages.values() for line in replaced_sources(spec))
    if curriculum.unreached:
        notes.append(f"no rule leads to {' or '.join(curriculum.unreached)}")
    rigs = [spec.rig for spec in stages.values()]
    warnings += dict.fromkeys(text for rig in rigs for text in _of_rig(rig, request))
    warnings += (*curriculum.warnings(), *_of_subject(request))
    return FileReport(path, "curriculum", tuple(dict.fromkeys(mistakes)), tuple(notes), tuple(instead), tuple(warnings))


class RehearsalReport(NamedTuple):
    """What a rehearsal has found: mistakes, notes, and warnings of what it could not try."""

    mistakes: tuple[str, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def rehearse_spec(spec: SessionSpec, request: SessionRequest, mark: SourceLocation, loc: Loc) -> RehearsalReport:
    """Run a rehearsal of a protocol, and one session twice.

    ``mark`` and ``loc`` are the place of mistakes that belong to no parameter. The second run has the same seed: a
    protocol that then decides otherwise could not be replayed.
    """
    source = check_source(spec.found, spec.rig.devices)
    mistakes = (*_check_model_params(spec), *source.mistakes)
    try:
        rehearsal = rehearse(spec, request.simulation.model, request.simulation.options)
    except (BoardError, TaskError) as error:
        return RehearsalReport((*mistakes, no_result_issue(error, mark, loc)))
    except ConfigError as error:  # the protocol's own, of values that no schema can judge
        return RehearsalReport((*mistakes, *(add_location(mistake, spec.layered) for mistake in error.mistakes)))
    if any(result.got_no_rewards for result in rehearsal.results):
        mistakes = (*mistakes, *limits_below_a_reward(spec))
    notes = _notes(spec, rehearsal, request)
    mistakes = (*mistakes, *refusal_issues(spec, rehearsal, mark, loc), *wrong_declarations(spec, rehearsal))
    failed = rehearsal.failed
    if failed is not None:
        if any(is_at_line(mistake, str(failed.failure)) for mistake in source.mistakes):
            return RehearsalReport(mistakes, notes, source.warnings)  # the line is named already
        issue = failure_issue(spec, failed, mark, loc)
        return RehearsalReport((*mistakes, issue), notes, source.warnings)
    if not is_reproducible(spec, rehearsal, request.simulation.model, request.simulation.options):
        mistakes = (*mistakes, config_issue(mark, loc, _NOT_REPRODUCIBLE))
    elif unknown := unknown_subject_mistake(spec, request.simulation):
        mistakes = (*mistakes, config_issue(mark, loc, unknown))
    # A state may be out of reach because of a mistake.
    gaps = () if mistakes else (*gaps_of(spec, rehearsal), *implausible_session(spec, rehearsal))
    gaps = (*gaps, *contradictory_session(spec, request, rehearsal))
    return RehearsalReport(mistakes, notes, (*source.warnings, *doubts_of(rehearsal), *gaps))


_NO_REST_STATE = (
    "no state has can_end=True: a session never ends between two trials, by no limit and no number of trials, but "
    "session_s + grace_s after its start, and cuts the trial that is running"
)

_NO_VOLUME = (
    "no parameter is a RewardVolume: volumes are not checked against the valves' calibrations, and a reward by hand "
    "gives nothing"
)

_MOST_NAMES = 5
"""The most columns that one hint names."""

_REWARDS_OUTSIDE_TRIALS = (
    "rewards were given in no trial, and no trial began: the trial table stays empty; a trial begins with "
    "self.begin_trial(row) and ends with self.end_trial()"
)

_NOT_REPRODUCIBLE = (
    "two dry runs with the same seed differ, and no session could be replayed: "
    "draw chance from self.stream(...), and ask for no clock but self.now_s"
)


def _notes(spec: SessionSpec, rehearsal: RehearsalRuns, request: SessionRequest) -> tuple[str, ...]:
    text = (
        f"{spec.protocol_name} on {spec.plan.name}; {rehearsal.seconds:.0f} s with {', '.join(rehearsal.players)}: "
        f"{pluralize(rehearsal.trials, 'trial')}, {len(rehearsal.entered)} of {len(spec.task.states)} states"
    )
    if unused := sorted(unused_states(spec) - rehearsal.entered):
        text += f" ({', '.join(unused)} not used)"
    has_rest = any(state.can_end for state in spec.task.states.values())
    has_volume = any(reward.unit == "ul" for reward in reward_params(spec.params))
    notes = (text,) if has_rest else (text, _NO_REST_STATE)
    if any(result.unowned for result in rehearsal.results) and not rehearsal.trials:
        notes = (*notes, _REWARDS_OUTSIDE_TRIALS)
    if not has_volume and "ul" in spec.gives:
        notes = (*notes, _NO_VOLUME)
    unfit = rehearsal.unfit if request.rig is not None else ()
    # A board without timing executes no batches.
    has_batches = find_driver(spec.plan.board.driver).timing_unsupported_reason is None
    late = longest_of([result.long_batches for result in rehearsal.results]) if has_batches else ()
    return (*notes, *late, *unfit, *_undescribed(spec))


def _undescribed(spec: SessionSpec) -> Iterator[str]:
    """Yield which columns are not described: a hint, because only those who read the data later need it."""
    names = [
        column if table == TRIAL_TABLE else f"{table}.{column}"
        for table, columns in spec.header.descriptions.items()
        for column, facts in columns.items()
        if not facts.text
    ]
    if names:
        shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        yield f"not described: {pluralize(len(names), 'column')} ({shown}): Column(...) in the type says what one holds"


def _check_model_params(spec: SessionSpec) -> list[str]:
    """Return the mistakes about the virtual subject of the file, and about parameters that none has."""
    installed = installed_plugins(MODELS)
    mistakes = []
    if spec.model is not None and spec.model not in installed and not is_file_reference(spec.model):
        loc: Loc = ("simulation", "model")
        text = unknown_name("there is no virtual subject of this name", spec.model, sorted(installed))
        mistakes.append(config_issue(spec.layered.location(loc), loc, text))
    known: set[str] = set()
    for name in installed if spec.model_params else ():
        with suppress(ConfigError):  # a user's model that is broken is reported when it is asked for
            known |= load_installed(MODELS, name).Params.model_fields.keys()
    for key in spec.model_params.keys() - known:
        loc = ("simulation", "model_params", key)
        text = unknown_name("no virtual subject has this parameter", key, sorted(known))
        mistakes.append(config_issue(spec.layered.location(loc), loc, text))
    return sorted(mistakes)


def _rig(path: Path, request: SessionRequest) -> FileReport:
    rig = read_rig(path)
    driver = find_rig_driver(rig, request.driver)
    mistakes = [*check_rig(rig, request.driver), *check_calibration_ages(rig, driver, request.start)]
    devices = ", ".join(f"{name} ({config.kind})" for name, config in rig.file.devices.items())
    screen = "" if rig.file.screen is None else f"; screen: {rig.file.screen.spec()}"
    notes = (f"devices: {devices}{screen}", *flashing_outputs(rig, driver))
    return FileReport(
        path,
        "rig",
        tuple(mistakes),
        notes,
        tuple(replaced_files(rig.sources)),
        (*implausible_rig(rig), *_of_rig(rig, request)),
    )


def _calibration(path: Path, request: SessionRequest) -> FileReport:
    measured = load_calibration(path)
    first, last = measured.points[0], measured.points[-1]
    note = f"valve {measured.valve}, {measured.date}: {first[1]:g} to {last[1]:g} ul"
    note += f" in {first[0] / 1000:g} to {last[0] / 1000:g} ms"
    failed = measured.failed_check
    warnings = [] if failed is None else [f"its last check failed: {failed.off_pct:+.1f} % ({failed.date})"]
    warnings += implausible_date(measured, load_config(path), request.start)
    return FileReport(path, "calibration", (), (note,), tuple(replaced_files([path])), tuple(warnings))


def _subject(path: Path, request: SessionRequest) -> FileReport:
    layered = load_config(path)
    known = validate(SubjectFile, layered)
    baseline = "no baseline" if known.baseline_g is None else f"baseline {known.baseline_g:g} g"
    notes = (f"{baseline}, refused below {known.refuse_pct:g} %",)
    return FileReport(path, "subject", notes=notes, warnings=tuple(implausible_subject(known, layered)))


def _of_rig(rig: Rig, request: SessionRequest) -> Iterator[str]:
    """Yield the warnings about a rig that concern every session on it."""
    yield from failed_checks(rig)
    yield from contradictory_rig(rig)
    yield from outputs_on_at_reset(rig, find_rig_driver(rig, request.driver))


def _of_subject(request: SessionRequest) -> Iterator[ConfigIssue]:
    """Yield what can hardly be meant in the file of the subject that is to be rehearsed. Raises ``ConfigError``."""
    if not request.subject:
        return
    path = request.data / request.subject / SUBJECT_FILE
    if path.exists():
        layered = load_config(path)
        yield from implausible_subject(validate(SubjectFile, layered), layered)


def _lab(path: Path, request: SessionRequest) -> FileReport:
    layered = load_config(path)
    known = validate(LabFile, layered)
    notes = (f"at most {known.max_ul_day:g} ul a day where the animal's file is silent",)
    return FileReport(path, "lab", notes=notes, warnings=tuple(implausible_day(known, layered)))


def _boxes(path: Path, request: SessionRequest) -> FileReport:
    boxes = Boxes(path, load_settings())
    note = ", ".join(f"{plan.name} ({plan.subject} on {plan.rig.name})" for plan in boxes.plans)
    return FileReport(path, "boxes", notes=(note,), warnings=tuple(boxes.warnings()))


_CHECKS: dict[str, Check] = {
    "protocol": _protocol,
    "curriculum": _curriculum,
    "rig": _rig,
    "calibration": _calibration,
    "subject": _subject,
    "lab": _lab,
    "boxes": _boxes,
}
