"""What decides the sessions of an arm: if it has not changed, a study that goes on keeps them."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import rig
from rig.campaigns.session_job import Condition
from rig.session.build.request import SessionRequest
from rig.session.curriculum.stage_planner import StagePlanner

FIRST_DAY = datetime.datetime(2026, 1, 5, 9)
"""When the first session of every subject begins, in virtual time."""


def condition_of(seed: int, request: SessionRequest) -> Condition:
    """Return the condition of an arm's sessions; its key changes with everything that decides them.

    Raises ``ConfigError`` if a file of the request is wrong.
    """
    planner = StagePlanner(request)
    decisive = {
        "version": rig.__version__,
        "seed": seed,
        "simulation": dict(request.simulation.options),
        "sessions": list(_headers(planner)),
    }
    text = json.dumps(decisive, sort_keys=True, default=str)
    return Condition(hashlib.sha256(text.encode()).hexdigest()[:16], request, _plain(planner.example().header))


def _plain(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return a header as a journal has it."""
    found: dict[str, Any] = json.loads(json.dumps(header))
    return found


def _headers(planner: StagePlanner) -> Iterator[object]:
    """Yield the header of each session that may be assigned: parameters, limits, rig, and the hash of the code."""
    if planner.curriculum is not None:
        yield planner.curriculum.file.model_dump(mode="json")
    for spec in planner.everything():
        yield {**spec.header, "model_params": dict(spec.model_params)}
