"""``rig check`` of a study: its arms and analyses with every file that they name, and how long it is."""

from __future__ import annotations

from pathlib import Path

from rig.session.build.local_files import replaced_sources
from rig.session.build.request import SessionRequest
from rig.session.check.check import FileReport
from rig.studies.plan import Study
from rig.terminal.format import pluralize


def check_study(path: Path, request: SessionRequest) -> FileReport:
    """Check a study; nothing of the request changes it. Raises ``ConfigError``."""
    study = Study(path)
    arms = ", ".join(f"{arm.name} ({len(arm.subjects)} x {arm.sessions})" for arm in study.arms.values())
    notes = [f"{pluralize(study.total, 'session')}, arms of subjects x sessions: {arms}"]
    if figures := study.file.figures:
        notes.append(pluralize(len(figures), "figure"))
    replaced = dict.fromkeys(
        line for arm in study.arms.values() for spec in arm.specs.values() for line in replaced_sources(spec)
    )
    return FileReport(path, "study", notes=tuple(notes), replaced=tuple(replaced))
