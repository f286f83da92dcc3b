"""``rig run --resume``: go on with a session that broke off."""

from __future__ import annotations

import argparse
import datetime
import sys
from dataclasses import replace
from pathlib import Path

from rig.boards.driver_lookup import find_driver
from rig.cli import common
from rig.cli.default_rig import box_name
from rig.cli.run.before import allowed_by_hand, confirm_subject
from rig.cli.run.overrides import reasons_of
from rig.cli.run.real_time import person_or_model, run_in_real_time
from rig.cli.terminal.screen_layout import Row, write
from rig.config.limits import LimitOverride
from rig.core.errors import ConfigError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.records.journal.read import DamagedLine, iter_lines, journal_of
from rig.records.session.history import journals
from rig.records.subject.retirement import check_not_retired
from rig.session.broken import BrokenSession, read_broken
from rig.session.daily_total import amount_text
from rig.session.resume_spec import resume_spec
from rig.session.spec.request import SessionRequest
from rig.session.subject_folder import SubjectFolder, subjects_folder
from rig.system.config_paths import SIMULATED
from rig.terminal.format import clock, pluralize

_ONLY_NEW = ("curriculum", "set", "seed", "stage", "from_records", "new", "start", "weight_g")
"""The arguments that decide how a new session begins."""


def run_rest(arguments: argparse.Namespace) -> int:
    """Run the rest of a broken session."""
    options = [f"--{name.replace('_', '-')}" for name in _ONLY_NEW if getattr(arguments, name)]
    options += [f"--override {rule}" for rule in reasons_of(arguments) if rule != "daily_limit"]
    if options:
        raise ConfigError(
            f"{options[0]}: decides how a new session begins, and --resume goes on with one: leave it out"
        )
    session = _session(arguments)
    place = session.parent.parent
    with SubjectFolder(place.parent, place.name):  # the lock refuses a running session
        check_not_retired(place)
        broken = read_broken(session)
    start = common.now()
    broken.check_time(start)
    request = _request(arguments, broken, place)
    spec = resume_spec(broken, request, arguments.protocol)
    if find_driver(spec.plan.board.driver).accepts_models:
        simulation, speed = person_or_model(request.simulation)
    elif request.simulation.model is not None:
        raise ConfigError(f"--model {request.simulation.model}: a real board has a real subject: leave it out")
    else:
        simulation, speed = request.simulation, 1.0
    write(_rows(broken, start), sys.stderr)
    if not arguments.yes and (speed is None or not spec.simulated):
        confirm_subject(place.name)
    spec = replace(spec, request=replace(request, start=common.now(), simulation=simulation, speed=speed))
    return run_in_real_time(arguments, spec, place, broken.start, simulated=spec.simulated, resumed=session)


def _session(arguments: argparse.Namespace) -> Path:
    """Return the session that is meant, which must be its subject's newest. Raises ``ConfigError``."""
    if arguments.resume:
        session = journal_of(Path(arguments.resume)).parent.resolve()
        if arguments.subject not in (None, session.parent.parent.name):
            raise ConfigError(f"--subject {arguments.subject}: {session} is of {session.parent.parent.name}")
    elif arguments.subject is None:
        raise ConfigError("which session? Give --subject NAME, or its folder: --resume FOLDER")
    else:
        session = _newest(_place(arguments))
    if (newest := _newest(session.parent.parent)) != session:
        raise ConfigError(f"{session}: is not the newest session of {session.parent.parent.name}: that is {newest}")
    return session


def _place(arguments: argparse.Namespace) -> Path:
    driver = arguments.board
    rehearses = arguments.model is not None or (driver is not None and find_driver(driver).records == "simulated")
    place = subjects_folder(common.data_folder(arguments), simulated=rehearses) / str(arguments.subject)
    return place.resolve()


def _newest(place: Path) -> Path:
    newest = next(journals(place), None)
    if newest is None:
        raise ConfigError(f"{place}: has no session that could go on")
    return newest.parent


def _request(arguments: argparse.Namespace, broken: BrokenSession, place: Path) -> SessionRequest:
    header = broken.header
    model = arguments.model or header.model
    limits = allowed_by_hand(arguments, simulated=header.simulated)
    return SessionRequest(
        protocol=header.protocol,
        rig=arguments.rig,
        driver=arguments.board,
        data=place.parent.parent if place.parent.name == SIMULATED else place.parent,
        subject=place.name,
        seed=header.seed,
        simulation=SimulationOptions(
            None if model == PERSON else model, common.options(arguments.param), seed=header.seed
        ),
        experimenter=common.experimenter(arguments.experimenter),
        limit_override=limits or LimitOverride.of_header(header),
        box=box_name(arguments, header.rig.name),
    )


def _rows(broken: BrokenSession, now: datetime.datetime) -> list[Row]:
    header = broken.header
    given = DeliveredRewards()
    for line in iter_lines(broken.folder / "journal.jsonl", *DeliveredRewards.kinds):
        if not isinstance(line, DamagedLine):
            given.take(line)
    why = broken.why.replace("_", " ")
    trials = pluralize(broken.counts["trial"], "trial")
    return [
        ("subject", str(header.subject)),
        ("resume", f"{broken.folder}, {header.protocol_name} on rig {header.rig.name}"),
        ("broke off", f"{clock(60 * broken.gap_min(now))} min ago ({why}), after {clock(broken.last_us / 1e6)} min"),
        ("so far", f"{trials}, {amount_text(given.total.amount)} given or in doubt"),
    ]
