"""A rig as the hardware needs to know it: which board, how it is wired, what its valves give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rig.core.board import Wiring
from rig.core.screen import ScreenSpec


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """One board of a rig file."""

    name: str
    driver: str
    uid: str | None = None
    port: str | None = None
    baud: int = 500_000
    chip: str | None = None


@dataclass(frozen=True, slots=True)
class RigPlan:
    """A rig, resolved; ``ul_of`` tells for each valve's channel how much an opening of so many µs gives."""

    name: str
    board: BoardSpec
    wiring: Wiring
    ul_of: Mapping[str, Callable[[int], float]] = field(default_factory=dict)
    screen: ScreenSpec | None = None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How a simulated rig is to behave; real boards know nothing of it.

    ``options`` are the model's own parameters as given (``--param k=v``), ``hints`` what the protocol tells every
    model that has a parameter of that name, ``cut`` the channels whose wires are cut, ``faults`` what ails the cable.
    """

    model: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    cut: frozenset[str] = frozenset()
    faults: Mapping[str, float] = field(default_factory=dict)
