"""What a line of ``rig run`` or ``rig sim`` asks for: its request, its specification, and its subject's records."""

from __future__ import annotations

import argparse
import datetime
from dataclasses import dataclass, replace
from pathlib import Path

from rig.boards.driver_lookup import find_driver
from rig.cli import common
from rig.cli.default_rig import default_rig
from rig.cli.run.overrides import reasons_of
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON
from rig.session.curriculum.stage_planner import Records, StagePlanner
from rig.session.run.run_session import is_simulated
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import subjects_folder


def requested(arguments: argparse.Namespace) -> SessionRequest:
    """Parse the session request from the command line, without subject, seed and start.

    Raises ``ConfigError``.
    """
    protocol, curriculum = arguments.protocol, arguments.curriculum
    if protocol is None and curriculum is None:
        raise ConfigError("which protocol? Give its name or its file, or --curriculum NAME")
    if protocol is not None and curriculum is not None:
        raise ConfigError(f"--curriculum {curriculum} chooses the protocol by itself: leave {protocol} out")
    return SessionRequest(
        protocol=protocol,
        rig=arguments.rig,
        sets=tuple(arguments.set),
        driver=arguments.board,
        curriculum=curriculum,
        data=common.data_folder(arguments),
    )


@dataclass(frozen=True)
class PlannedSession:
    """The session of a line; ``folder`` is its subject's."""

    request: SessionRequest
    spec: SessionSpec
    simulated: bool
    folder: Path


def plan_session(arguments: argparse.Namespace, start: datetime.datetime) -> PlannedSession:
    """Return the session of a line. Raises ``ConfigError`` or ``RecordError``."""
    asked = replace(requested(arguments), rig=default_rig(arguments), start=start)
    planner = StagePlanner(asked)
    if arguments.subject is None:
        raise ConfigError("who does the task? Give --subject NAME")
    simulated = _is_simulated(planner.example(), arguments.model)
    records = Records.of(asked.data, arguments.subject, simulated=simulated, from_records=arguments.from_records)
    spec = planner.assign_today(records, arguments.stage, reasons_of(arguments).get("stage"))
    _check_same(spec, simulated, arguments.model)
    return PlannedSession(asked, spec, simulated, subjects_folder(asked.data, simulated=simulated) / arguments.subject)


def _is_simulated(spec: SessionSpec, model: str | None) -> bool:
    return is_simulated(spec, find_driver(spec.plan.board.driver), model or PERSON)


def _check_same(spec: SessionSpec, simulated: bool, model: str | None) -> None:
    """Check that all stages are real or all simulated, because these have different records.

    Raises ``ConfigError``.
    """
    if _is_simulated(spec, model) != simulated and spec.decision is not None:
        raise ConfigError(
            f"rig {spec.plan.name} of stage {spec.decision.stage} is "
            f"{'real' if simulated else 'simulated'}, and that of the first stage is not: give --rig NAME"
        )
