"""Build the specification of a session that goes on: what its header says, on the rig as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import json, to_builtins

from rig.boards.driver_lookup import find_driver
from rig.config import SessionLimits, find, load_config
from rig.core.errors import ConfigError, RecordError
from rig.records.session.read_environment import RIG_FILE, read_environment
from rig.session.broken import BrokenSession
from rig.session.recorded_code import InstalledCode, select_code
from rig.session.run.run_session import is_simulated
from rig.session.spec.build import spec_for_rig
from rig.session.spec.compatibility import check_rig
from rig.session.spec.read_protocol import task_of
from rig.session.spec.read_rig import Rig, read_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from rig.system.settings import load_settings
from rig.table_files.file_params import RECORDED


def resume_spec(broken: BrokenSession, request: SessionRequest, named: str | None = None) -> SessionSpec:
    """Return the specification of a broken session's rest.

    ``named`` is the protocol's name or file; without it the installed protocol runs. Raises ``ConfigError`` or
    ``RecordError`` when protocol, rig or their calibrations are not those of the session.
    """
    header = broken.header
    rig = read_rig(_rig_file(broken) if request.rig is None else find("rigs", request.rig))
    if mistakes := list(check_rig(rig, request.driver)):
        raise ConfigError(*mistakes)
    found = _protocol(broken, named)
    spec = spec_for_rig(
        rig,
        found,
        found.task.params_type.model_validate(header.params, context=RECORDED),
        SessionLimits.model_validate(header.stop),
        request,
        simulated=header.simulated,
        carried_over=header.carry_over,
        remaining_today=header.remaining_today,
        from_records=header.from_records,
        recorded_header=header,
        recorded_draw=header.drawn,
    )
    _check_rig(spec.rig, broken)
    if is_simulated(spec, find_driver(spec.plan.board.driver), request.simulation.model) != spec.simulated:
        now, then = ("real", "simulated") if spec.simulated else ("simulated", "real")
        raise ConfigError(f"{broken.folder}: is a {then} session, and rig {rig.name} is {now} now: give its own rig")
    return spec


def _rig_file(broken: BrokenSession) -> Path:
    """Return the file of the rig on which a session ran. Raises ``ConfigError``.

    Its environment names the file; if that is gone, a box of this computer or a rig may have the name. Whatever file
    is found, `_check_rig` compares its content with the session's rig.
    """
    name = broken.header.rig.name
    settings = load_settings()
    files = [read_environment(broken.folder).get(RIG_FILE), settings.default_rig.value, *settings.boxes.value.values()]
    for file in files:
        if isinstance(file, str) and Path(file).stem == name and Path(file).is_file():
            return Path(file)
    try:
        return find("rigs", name)
    except ConfigError as error:
        raise ConfigError(f"{broken.folder}: ran on rig {name}: give its file: --rig FILE; {error}") from None


def _protocol(broken: BrokenSession, named: str | None) -> FoundTask:
    header = broken.header
    if named is not None:
        found = task_of(load_config(find("protocols", named)))
        if found.code != header.code or found.name != header.protocol:
            raise RecordError(f"{broken.folder}: cannot go on: {named} is not the protocol with which it began")
        return found
    chosen = select_code(header, broken.folder)
    if not isinstance(chosen, InstalledCode):
        raise ConfigError(f"its protocol {header.protocol} is your own file: name it: rig run FILE --resume")
    if chosen.differing:
        files = ", ".join(chosen.differing)
        raise RecordError(f"{broken.folder}: cannot go on: its protocol has changed since it began: {files}")
    return chosen.found


def _check_rig(rig: Rig, broken: BrokenSession) -> None:
    # As the journal has it: tuples are lists there.
    now = json.decode(json.encode(rig.recorded))
    if differing := list(_differing(to_builtins(broken.header.rig), now)):
        raise ConfigError(
            f"{broken.folder}: cannot go on: rig {rig.name} is not that of the session: {', '.join(differing)}"
        )


def _differing(recorded: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    for part in sorted({*recorded, *now}):
        was, became = recorded.get(part), now.get(part)
        if was == became:
            continue
        if isinstance(was, dict) and isinstance(became, dict):
            yield from (f"{part}.{name}" for name in sorted({*was, *became}) if was.get(name) != became.get(name))
        else:
            yield part
