"""Rehearse with a subject of whom nothing is known: one without a number, a weight and a past."""

from __future__ import annotations

from dataclasses import replace

from rig.core.errors import NotReadyError
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.subject import Subject
from rig.session.check.dry_run import DEFAULT_MODEL, dry_run
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_facts import FACTS, rehearsed_subject


def unknown_subject_mistake(spec: SessionSpec, simulation: SimulationOptions) -> str | None:
    """Return what goes wrong in a protocol that uses its subject when nothing is known of it; None if nothing does.

    A protocol that needs a fact may refuse the session in ``prepare`` with a ``NotReadyError``.
    """
    if not any(b"self.subject" in file.read_bytes() for file in spec.found.files):
        return None
    known, unknown = rehearsed_subject(spec), dict[str, object].fromkeys(FACTS)
    for what, subject in {
        "without a number in its name": replace(known, number=None),
        "without a weight": replace(known, weight_g=None, weight_pct=None),
        "of which nothing is known": Subject(known.name, **unknown),
    }.items():
        if failure := _failure(replace(spec, about_subject=subject), simulation):
            return f"with a subject {what}: {failure}; test for None, or raise NotReadyError in prepare"
    return None


def _failure(spec: SessionSpec, simulation: SimulationOptions) -> str | None:
    try:
        result = dry_run(spec, simulation.model or DEFAULT_MODEL, simulation.options)
    except NotReadyError:
        return None
    return None if isinstance(result.outcome.failure, NotReadyError) else result.failure
