"""What decides the sessions of an arm: if it has not changed, a campaign that goes on keeps them."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from msgspec import convert, to_builtins

import rig
from rig.config.user_classes import hashes, is_file_reference, package_hashes
from rig.core.errors import ConfigError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.header import Header
from rig.session.curriculum.stage_planner import StagePlanner
from rig.session.spec.request import SessionRequest
from rig.system.plugins import MODELS, load_plugin


@dataclass(frozen=True, eq=False)
class Condition:
    """What the sessions of an arm have in common; equal ones have equal keys."""

    key: str
    """It changes with everything that decides the sessions."""
    seed: int
    request: SessionRequest
    """The request of every session, without subject, seed, start and data folder."""
    header: Header
    """The header of a session without a subject, with which those of the sessions have most in common."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def condition_of(seed: int, request: SessionRequest) -> Condition:
    """Return the condition of an arm's sessions. Raises ``ConfigError`` if a file of the request is wrong."""
    planner = StagePlanner(request)
    return Condition(_key(seed, request, planner), seed, request, _plain(planner.example().header))


@lru_cache(maxsize=64)
def planner_of(condition: Condition) -> StagePlanner:
    """Return what selects the sessions of a condition.

    Raises ``ConfigError`` if its files say something else here and now.
    """
    # Files are read once in each process: a session costs less than reading them. A process reads them when its first
    # session of an arm begins, maybe hours after the command has started, or on another computer.
    planner = StagePlanner(condition.request)
    if _key(condition.seed, condition.request, planner) != condition.key:
        raise ConfigError(
            f"a protocol, curriculum, rig, calibration or virtual subject on {platform.node() or 'this computer'} is "
            "not the one with which the command began: wanted the same files on all computers, unchanged until the end"
        )
    return planner


def _key(seed: int, request: SessionRequest, planner: StagePlanner) -> str:
    decisive = {
        "version": rig.__version__,
        "seed": seed,
        "simulation": dict(request.simulation.options),
        "model_code": _installed_code(request.simulation.model),
        "model_files": _files_in(request.simulation.options),
        "sessions": list(_headers(planner)),
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _installed_code(model: str | None) -> dict[str, str]:
    """Return the hashes of a virtual subject that is installed; the headers have those of one from a file."""
    # The journal has none of these: a laboratory's package has a version there, but is edited without a new one.
    return {} if model is None or is_file_reference(model) else package_hashes(load_plugin(MODELS, model))


def _files_in(options: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the hashes of the files that parameters name, such as a recorded session."""
    return {name: hashes([Path(value)]) for name, value in options.items() if os.path.isfile(value)}


def _plain(header: Header) -> Header:
    """Return a header as it is read from a journal, with lists for tuples."""
    return convert(escape_surrogates(to_builtins(header)), Header)


def _headers(planner: StagePlanner) -> Iterator[object]:
    """Yield the header of each session that may be assigned: parameters, limits, rig, and the hash of the code."""
    if planner.curriculum is not None:
        yield planner.curriculum.file.model_dump(mode="json")
    for spec in planner.everything():
        yield {"header": to_builtins(spec.header), "model_params": dict(spec.model_params)}
