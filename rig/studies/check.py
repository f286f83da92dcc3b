"""``rig check`` of a study: its arms and analyses with every file that they name, and a dry run of each arm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from rig.config.errors.errors import Loc
from rig.session.check.check import FileReport, RehearsalReport, rehearse_spec
from rig.session.spec.local_files import replaced_sources
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.studies.arms import ArmPlan, placed_in_arm
from rig.studies.plan import Study
from rig.studies.power.enough_simulated import advice
from rig.terminal.format import pluralize


def check_study(path: Path, request: SessionRequest) -> FileReport:
    """Check a study; nothing of the request changes it. Raises ``ConfigError``."""
    study = Study(path)
    arms = ", ".join(f"{arm.name} ({len(arm.subjects)} x {arm.sessions})" for arm in study.arms.values())
    notes = [f"{pluralize(study.total, 'session')}, arms of subjects x sessions: {arms}"]
    if figures := study.file.figures:
        notes.append(pluralize(len(figures), "figure"))
    if study.file.power is not None:
        counts = {name: len(arm.subjects) for name, arm in study.arms.items()}
        notes += [text for _, text in advice(study.file.power, counts)]
    notes += _pooled(study)
    replaced = dict.fromkeys(line for _, spec in _runs(study) for line in replaced_sources(spec))
    mistakes: dict[str, None] = {}
    warnings: dict[str, None] = {}
    for arm, rehearsed in _rehearsals(study):
        mistakes |= dict.fromkeys(placed_in_arm(study.source, arm.name, rehearsed.mistakes))
        warnings |= dict.fromkeys(f"arm {arm.name}: {text}" for text in rehearsed.warnings)
    return FileReport(path, "study", tuple(mistakes), tuple(notes), tuple(replaced), tuple(warnings))


def _pooled(study: Study) -> Iterator[str]:
    """Yield arms that differ in their virtual subjects alone, where an analysis takes them without naming them.

    It cannot tell their sessions apart. Arms that are named may be individuals of one group.
    """
    for name, analysis in study.analyses.items():
        if study.file.analyses[name].arms is not None:
            continue
        alike: dict[str, list[ArmPlan]] = {}
        for arm in map(study.arms.__getitem__, analysis.arms):
            request = arm.request
            values = [word for word in request.sets if word.startswith("params.")]
            alike.setdefault(json.dumps([request.protocol, request.curriculum, values]), []).append(arm)
        for arms in alike.values():
            models = {json.dumps([arm.request.simulation.model, dict(arm.request.simulation.options)]) for arm in arms}
            if len(models) > 1:
                yield (
                    f"analysis {name}: arms {', '.join(arm.name for arm in arms)} differ in their virtual subjects "
                    "alone, and come into the same groups: give each an analysis with arms: [NAME] to tell them apart, "
                    "or name the arms that belong together"
                )


def _rehearsals(study: Study) -> Iterator[tuple[ArmPlan, RehearsalReport]]:
    """Yield the rehearsals of all arms, each with the arm's own virtual subject."""
    # Sessions of equal values need one dry run: arms may differ in what the protocol does not see.
    unlike: dict[str, tuple[ArmPlan, SessionSpec]] = {}
    for arm, spec in _runs(study):
        unlike.setdefault(_key(arm, spec), (arm, spec))
    for arm, spec in unlike.values():
        loc: Loc = ("arms", arm.name)
        yield arm, rehearse_spec(spec, arm.request, study.source.layered.location(loc), loc)


def _runs(study: Study) -> Iterator[tuple[ArmPlan, SessionSpec]]:
    return ((arm, spec) for arm in study.arms.values() for spec in arm.specs.values())


def _key(arm: ArmPlan, spec: SessionSpec) -> str:
    simulation = arm.request.simulation
    return json.dumps([spec.layered.data, spec.plan.name, simulation.model, dict(simulation.options)], sort_keys=True)
