"""Request for a session, before any file is read."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rig.config.limits import LimitOverride
from rig.core.model.rig_spec import SimulationOptions


@dataclass(frozen=True)
class SessionRequest:
    """Request for a session: protocol, rig, subject, start and options of a simulation.

    It holds plain values, so that it can be sent to another process. A request without a subject is for checks.
    """

    protocol: str | None = None
    """The protocol's YAML file, by its name or path; None where a curriculum chooses it."""
    rig: str | None = None
    """The rig file, by its name or path; None is the one that the protocol's file names for simulations."""
    sets: Sequence[str] = ()
    """Values that replace those of the protocol's file, each as ``key.path=value``."""
    driver: str | None = None
    """The driver that replaces the one in the rig file."""
    curriculum: str | None = None
    data: Path = Path("data")
    subject: str = ""
    subject_facts: Mapping[str, float] = field(default_factory=dict)
    """What is to be taken as known of the subject of a rehearsal, by the fields of `rig.core.model.subject.Subject`."""
    seed: int = 0
    start: datetime.datetime | None = None
    """When the session begins; None where nothing in the files grows old."""
    simulation: SimulationOptions = field(default_factory=SimulationOptions)
    speed: float | None = math.inf
    """How many times real time a simulated session runs; None is a person at the keyboard."""
    experimenter: str | None = None
    limit_override: LimitOverride | None = None
    """What a named person allows instead of the daily limits."""
    box: str | None = None
    """The name of the box at this computer; the journal does not have it."""
