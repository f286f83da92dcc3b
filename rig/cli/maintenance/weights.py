"""Get the weight of a burst: typed by a person, or read from a scale."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable

from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.config.models.calibration_file import MAX_UL_PER_MS, MIN_UL_PER_MS
from rig.core.errors import BoardError, ConfigError, ScaleError
from rig.maintenance.valves.schedule import Burst
from rig.scales.interface import Scale
from rig.scales.serial_scale import open_scale

SIMULATED = "sim"
_WEIGHT = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*(mg|g)", re.IGNORECASE)
AGAIN = ("r", "again")


class StoppedError(BoardError):
    """The person at the scale wants to stop."""


class Weigher(ABC):
    """Who weighs a burst."""

    on_board = False
    """Whether the weight is read while the board of a simulated rig is open."""

    def before(self, device: str) -> None:  # noqa: B027 (a person tares the scale by hand)
        """Read what is on the scale before a burst."""

    @abstractmethod
    def after(self, device: str, burst: Burst) -> float | None:
        """Return the weight of the water of a burst in mg; None to give the burst again. Raises ``StoppedError``."""


class TypedWeigher(Weigher):
    """A person who types each weight."""

    def __init__(self, ask: Callable[[str], str | None] = ask_now) -> None:
        self._ask = ask

    def before(self, device: str) -> None:
        """Wait until an empty vial is under the valve."""
        if not is_enter(self._ask, f"Put an empty, tared vial under {device}, then press Enter (q: stop) "):
            raise StoppedError("stopped before the burst")

    def after(self, device: str, burst: Burst) -> float | None:
        """Return the typed weight."""
        question = f"weight of the {burst.pulses} drops, such as 251 mg or 0.251 g (r: give them again, q: stop): "
        while (answer := self._ask(question)) is not None:
            word = answer.strip().lower()
            if word in AGAIN:
                return None
            if word == "q":
                break
            weight = typed_mg(answer)
            problem = weight if isinstance(weight, str) else implausible(weight, burst)
            if not problem and isinstance(weight, float):
                return weight
            question = f"'{answer}' {problem}: "
        raise StoppedError("stopped before the weight was known")


class ScaleWeigher(Weigher):
    """A scale at a port. With ``in_place`` the vial stays on it under the valve, and no question is asked."""

    def __init__(self, scale: Scale, *, in_place: bool, ask: Callable[[str], str | None] = ask_now) -> None:
        self._scale = scale
        self._in_place = in_place
        self._ask = ask
        self._empty_mg = 0.0

    def before(self, device: str) -> None:
        """Read the weight of the vial."""
        self._wait("Put the vial on the scale, then press Enter (q: stop) ")
        self._empty_mg = self._scale.stable_mg()
        self._wait(f"Put the vial under {device}, then press Enter (q: stop) ")

    def after(self, device: str, burst: Burst) -> float | None:
        """Read the weight of the vial with the water."""
        self._wait("Put the vial back on the scale, then press Enter (q: stop) ")
        weight = self._scale.stable_mg() - self._empty_mg
        if problem := implausible(weight, burst):
            raise ScaleError(
                f"{device}: {weight:g} mg for {burst.pulses} drops {problem}; nothing of this burst counts"
            )
        return weight

    def _wait(self, question: str) -> None:
        if not self._in_place and not is_enter(self._ask, question):
            raise StoppedError("stopped before the weight was known")


class VirtualWeigher(Weigher):
    """The scale of a simulated rig, which weighs each burst by itself."""

    on_board = True

    def after(self, device: str, burst: Burst) -> float | None:
        """Raise: the weight was read while the board was open."""
        raise ScaleError("--scale sim: this rig has no scale of its own; leave --scale out, and type each weight")


def choose_weigher(place: str | None, *, simulated: bool, in_place: bool) -> Weigher:
    """Return who weighs. Raises ``ConfigError`` without a terminal, and ``ScaleError`` without the scale."""
    if place == SIMULATED:
        if not simulated:
            raise ConfigError("--scale sim: only a simulated rig has a simulated scale: give the port of the scale")
        return VirtualWeigher()
    if not is_interactive() and not (place is not None and in_place):
        raise ConfigError(
            "there is no terminal at which a person could weigh: give --scale PORT --in-place, with a vial on the "
            "scale under the valve"
        )
    return TypedWeigher() if place is None else ScaleWeigher(open_scale(place), in_place=in_place)


def is_enter(ask: Callable[[str], str | None], question: str) -> bool:
    """Wait for Enter alone, which opens a valve or reads a scale; return False for q and at the end of input."""
    while (answer := ask(question)) not in (None, "q", "Q"):
        if not answer:
            return True
        question = f"'{answer}' is not Enter alone (q: stop): "
    return False


def typed_mg(text: str) -> float | str:
    """Parse a weight with its unit into mg; return the error text for an invalid one."""
    match = _WEIGHT.fullmatch(text.strip())
    if match is None:
        if re.fullmatch(r"[0-9.,]+", text.strip()):
            return "has no unit: add mg or g"
        return "is no weight: wanted a number and its unit, such as 251 mg or 0.251 g"
    try:
        value = float(match[1].replace(",", ".")) * (1000 if match[2].lower() == "g" else 1)
    except ValueError:
        return "is no weight: wanted a number and its unit, such as 251 mg or 0.251 g"
    return value if math.isfinite(value) else "is no weight"


def implausible(mg: float, burst: Burst) -> str:
    """Return why a weight cannot be that of a burst; empty if it can."""
    per_ms = mg / burst.pulses / (burst.open_us / 1000)
    if MIN_UL_PER_MS <= per_ms <= MAX_UL_PER_MS:
        return ""
    least, most = (bound * burst.pulses * burst.open_us / 1000 for bound in (MIN_UL_PER_MS, MAX_UL_PER_MS))
    return f"cannot be right: {burst.pulses} drops weigh {least:g} to {most:g} mg; was the vial tared?"
