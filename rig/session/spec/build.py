"""Build a specification from a request: find, read and validate the files, then check them against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.config import LayeredConfig, SessionLimits, collect_errors, find, load_config
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from rig.core.task.task import TaskParams
from rig.devices.box import build_box
from rig.session.spec.compatibility import check_rig, find_incompatibilities
from rig.session.spec.expectations import check_protocol_expectations, resolve_expectations
from rig.session.spec.read_protocol import read_protocol
from rig.session.spec.read_rig import Rig, find_rig_file, read_rig, rig_spec_of
from rig.session.spec.record_sizes import check_record_sizes
from rig.session.spec.request import SessionRequest
from rig.session.spec.reward_bounds import check_reward_bounds
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from rig.session.spec.trial_bounds import check_min_trials


def build_spec(request: SessionRequest) -> SessionSpec:
    """Return the specification of a request. Raises ``ConfigError`` with all mistakes of all files."""
    if request.protocol is None:
        raise ConfigError("which protocol? Give its name or its file")
    return spec_from_file(find("protocols", request.protocol), request)


def spec_from_file(path: Path, request: SessionRequest) -> SessionSpec:
    """Return the specification of a protocol file on the requested rig; see `build_spec`."""
    return spec_from_config(load_config(path, request.sets), request)


def spec_from_config(layered: LayeredConfig, request: SessionRequest) -> SessionSpec:
    """Return the specification of protocol values that were read before; see `build_spec`."""
    # Rigs and calibrations lie beside the folder of the protocol's file: configs/protocols, configs/rigs.
    near = layered.sources[0].parent.parent
    (file, found, params), rig = collect_errors(
        lambda: read_protocol(layered),
        lambda: read_rig(find_rig_file(request.rig, layered, near), (near,)),
    )
    mistakes = [
        *find_incompatibilities(found, params, rig, layered, request),
        *check_reward_bounds(found.task, params, file.stop, rig.devices, layered),
        *check_min_trials(file.stop, layered),
        *check_record_sizes(file.stop, rig, layered),
        *check_protocol_expectations(file.expect, found.task.box_type, rig, layered),
    ]
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))
    return spec_for_rig(
        rig,
        found,
        params,
        file.stop,
        request,
        layered=layered,
        model=file.simulation.model,
        model_params=file.simulation.model_params,
        expect=resolve_expectations(rig, file.expect),
        species=file.species,
    )


def spec_for_rig(
    rig: Rig, found: FoundTask, params: TaskParams, stop: SessionLimits, request: SessionRequest, **further: Any
) -> SessionSpec:
    """Return the specification of a protocol on a rig; ``further`` are more of its fields.

    Raises ``ConfigError`` when the rig lacks a device that the protocol needs.
    """
    # Built for its errors: a replay comes here without the checks of `find_incompatibilities`.
    build_box(found.task.box_type, rig.devices, f"rig {rig.name}")
    rig = rig.with_min_on(params.min_on_us())
    read = further["layered"].sources if "layered" in further else ()
    sources = (*read, *rig.sources, *found.files)
    return SessionSpec(request, found, params, stop, rig, rig_spec_of(rig, request.driver), sources, **further)


def load_rig_spec(name: str, driver: str | None = None) -> RigSpec:
    """Load the hardware's view of a rig by its name or path. Raises ``ConfigError``."""
    rig = read_rig(find("rigs", name))
    if mistakes := list(check_rig(rig, driver)):
        raise ConfigError(*mistakes)
    return rig_spec_of(rig, driver)
