"""A rig as the hardware layer needs it: the board, its wiring, and the volumes of its valves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rig.core.model.board import Wiring
from rig.core.model.output_check import OutputCheck
from rig.core.model.screen import ScreenSpec
from rig.core.model.surroundings import OnOutput, Surroundings
from rig.core.model.zones import CircularZone


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """One board of a rig file."""

    name: str
    driver: str
    uid: str | None = None
    port: str | None = None
    # At this speed 48 unacknowledged bytes take 0.96 ms, which bounds the delay of all-off: docs/decisions/batches.md.
    baud: int = 500_000
    chip: str | None = None


@dataclass(frozen=True, slots=True)
class TrackingSpec:
    """A camera that tracks one animal, and the zones that it watches.

    ``source`` is a camera's number or the path of a video. A light is a spot brighter than ``threshold`` on
    ``min_area_px`` to ``max_area_px`` pixels. ``x_px`` and ``y_px`` are the pixel of 0, 0 cm; y grows upward.
    """

    name: str
    source: int | str
    hz: float
    width_px: int
    height_px: int
    threshold: int
    min_area_px: int
    max_area_px: int
    fastest_cm_s: float
    px_per_cm: float
    x_px: float
    y_px: float
    delay_ms: float
    circles: tuple[CircularZone, ...] = ()

    def to_cm(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Convert a pixel of the picture to a place on the floor."""
        return (x_px - self.x_px) / self.px_per_cm, (self.y_px - y_px) / self.px_per_cm

    def to_px(self, x_cm: float, y_cm: float) -> tuple[float, float]:
        """Convert a place on the floor to a pixel of the picture."""
        return self.x_px + x_cm * self.px_per_cm, self.y_px - y_cm * self.px_per_cm

    @property
    def channels(self) -> tuple[str, ...]:
        """Return the input channels of its zones."""
        return tuple(circle.channel for circle in self.circles)


@dataclass(frozen=True, slots=True)
class RigSpec:
    """A resolved rig; ``ul_of`` maps each valve's channel to its volume as a function of opening time in µs."""

    name: str
    board: BoardSpec
    wiring: Wiring
    ul_of: Mapping[str, Callable[[int], float]] = field(default_factory=dict)
    tracking: TrackingSpec | None = None
    screen: ScreenSpec | None = None
    simulated: Mapping[str, Callable[[Surroundings], OnOutput | None]] = field(default_factory=dict, compare=False)
    """Of each device what it does in a simulated rig."""
    checks: Mapping[str, OutputCheck] = field(default_factory=dict)
    """How an operator tries an output, where its device says so."""

    @property
    def host_inputs(self) -> frozenset[str]:
        """Return the inputs that the host reads, not the board."""
        return frozenset(() if self.tracking is None else self.tracking.channels)


PERSON = "keyboard"
"""The model in which a person plays the subject, at the keyboard."""


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """The options of a simulated rig; real boards do not use them.

    ``options`` are the model's parameters as given (``--param k=v``). ``hints`` are values that the protocol offers to
    every model with a parameter of that name. ``cut`` are the channels whose wires are cut, ``faults`` the faults of
    the cable.
    """

    model: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    cut: frozenset[str] = frozenset()
    faults: Mapping[str, float] = field(default_factory=dict)
