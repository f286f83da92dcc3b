"""Get the weight of a burst: typed by a person, or read from a scale."""

from __future__ import annotations

import argparse
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from rig.config.models.calibration_file import MIN_UL_PER_MS
from rig.core.errors import BoardError, ConfigError, ScaleError
from rig.devices.calibration_shape import MAX_UL_PER_MS
from rig.maintenance.bench import Bench
from rig.maintenance.valves.bursts import Burst
from rig.scales.interface import Scale
from rig.scales.serial_scale import open_scale
from rig.scales.water import COLDEST_C, WARMEST_C, density_mg_per_ul

SIMULATED = "sim"
_WEIGHT = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*(mg|g)", re.IGNORECASE)


class StoppedError(BoardError):
    """The person at the scale wants to stop."""


class Word(Enum):
    """What a person types instead of Enter or a weight."""

    AGAIN = "r"
    """The person wants the drops of this burst given again."""
    UNDO = "u"
    """The person takes back the last weight."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a weight says of its burst: in words, whether it is doubtful, and why it is impossible, if it is."""

    text: str
    is_doubtful: bool = False
    impossible: str = ""


Judge = Callable[[float], Verdict]
Ask = Callable[[str], str | None]


class Weigher(ABC):
    """Who weighs a burst."""

    on_board = False
    """Whether the weight is read while the board of a simulated rig is open."""
    types_weights = False
    """Whether a person types the weights, and may have mistyped one."""
    handling_s = 0.0
    """The seconds that a burst takes beside its water."""

    def before(self, device: str, *, undoes: bool = False) -> Word | None:
        """Wait until the vial is under the valve; return ``UNDO`` where that is offered and asked for."""
        return None

    @abstractmethod
    def after(self, device: str, burst: Burst, judge: Judge, *, undoes: bool = False) -> float | Word:
        """Return the weight of the water of a burst in mg, or what is to be done. Raises ``StoppedError``."""

    def place_under(self, rig: str) -> None:  # noqa: B027 (only a scale that stays in place is moved)
        """Wait until the scale stands under the valves of another rig."""


class TypedWeigher(Weigher):
    """A person who types each weight."""

    types_weights = True
    handling_s = 20.0

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def before(self, device: str, *, undoes: bool = False) -> Word | None:
        """Wait until an empty vial is under the valve."""
        return self.wait(f"Put an empty, tared vial under {device}, then press Enter", undoes=undoes)

    def wait(self, text: str, *, undoes: bool) -> Word | None:
        """Wait for Enter, or for ``u`` where it is offered. Raises ``StoppedError``."""
        answer = wait_for_enter(self._ask, f"{text} ({_keys(undoes=undoes)})", undoes=undoes)
        if answer is None:
            raise StoppedError("stopped before the burst")
        return answer if isinstance(answer, Word) else None

    def agrees(self, question: str) -> bool:
        """Whether the person agrees, by Enter or y."""
        return (self._ask(question) or "").lower() in ("", "y", "yes")

    def after(self, device: str, burst: Burst, judge: Judge, *, undoes: bool = False) -> float | Word:
        """Return the typed weight; a doubtful one counts when it is typed twice."""
        keys = f"r: give them again, {_keys(undoes=undoes)}"
        question = wanted = f"weight of the {burst.pulses} drops, such as 251 mg ({keys}): "
        doubted: float | None = None
        while (answer := self._ask(question)) is not None:
            word = answer.strip().lower()
            if word == "r" or (word == "u" and undoes):
                return Word(word)
            if word == "q":
                break
            weight = typed_mg(answer)
            if isinstance(weight, str):
                question = f"'{answer}' {weight}: "
                continue
            verdict = judge(weight)
            if not verdict.impossible and (not verdict.is_doubtful or weight == doubted):
                return weight
            doubted = weight
            problem = verdict.impossible or f"is {verdict.text}: type it again, corrected or as it is"
            question = f"'{answer}' {problem}\n{wanted}"
        raise StoppedError("stopped before the weight was known")


class ScaleWeigher(Weigher):
    """A scale at a port. With ``in_place`` the vial stays on it under the valve, and no question is asked."""

    def __init__(self, scale: Scale, ask: Ask, *, in_place: bool, is_interactive: bool = True) -> None:
        self._scale = scale
        self._in_place = in_place
        self._is_interactive = is_interactive
        self._ask = ask
        self._empty_mg = 0.0
        self.handling_s = 5.0 if in_place else 20.0

    def before(self, device: str, *, undoes: bool = False) -> Word | None:
        """Read the weight of the vial."""
        if (word := self._wait("Put the vial on the scale", undoes=undoes)) is not None:
            return word
        self._empty_mg = self._scale.stable_mg()
        return self._wait(f"Put the vial under {device}", undoes=undoes)

    def after(self, device: str, burst: Burst, judge: Judge, *, undoes: bool = False) -> float | Word:
        """Read the weight of the vial with the water."""
        if (word := self._wait("Put the vial back on the scale", undoes=undoes)) is not None:
            return word
        weight = self._scale.stable_mg() - self._empty_mg
        if impossible := judge(weight).impossible:
            raise ScaleError(
                f"{device}: {weight:g} mg for {burst.pulses} drops {impossible}; nothing of this burst counts"
            )
        return weight

    def place_under(self, rig: str) -> None:
        """Wait until the scale stands under the valves of another rig."""
        if not self._in_place:
            return
        if not self._is_interactive:
            raise ConfigError("--in-place: one scale stands under one rig: without a terminal, name the valves of one")
        if wait_for_enter(self._ask, f"Put the scale with its vial under {rig}, then press Enter (q: stop)") is None:
            raise StoppedError("stopped before the burst")

    def _wait(self, text: str, *, undoes: bool) -> Word | None:
        if self._in_place:
            return None
        answer = wait_for_enter(self._ask, f"{text}, then press Enter ({_keys(undoes=undoes)})", undoes=undoes)
        if answer is None:
            raise StoppedError("stopped before the weight was known")
        return answer if isinstance(answer, Word) else None


class VirtualWeigher(Weigher):
    """The scale of a simulated rig, which weighs each burst by itself."""

    on_board = True

    def after(self, device: str, burst: Burst, judge: Judge, *, undoes: bool = False) -> float | Word:
        """Raise: the weight was read while the board was open."""
        raise ScaleError("--scale sim: this rig has no scale of its own; leave --scale out, and type each weight")


def choose_weigher(benches: Sequence[Bench], arguments: argparse.Namespace) -> Weigher:
    """Return who weighs. Raises ``ConfigError`` without a terminal, and ``ScaleError`` without the scale."""
    port, in_place, bench = arguments.scale, arguments.in_place, benches[0]
    if port == SIMULATED:
        if not all(bench.is_simulated for bench in benches):
            raise ConfigError("--scale sim: only a simulated rig has a simulated scale: give the port of the scale")
        return VirtualWeigher()
    if not bench.is_interactive and not (port is not None and in_place):
        raise ConfigError(
            "there is no terminal at which a person could weigh: give --scale PORT --in-place, with a vial on the "
            "scale under the valve"
        )
    if port is None:
        return TypedWeigher(bench.ask)
    return ScaleWeigher(open_scale(port), bench.ask, in_place=in_place, is_interactive=bench.is_interactive)


def density(water_c: float) -> float:
    """Return the density of water in mg/µl at ``--water-c``. Raises ``ConfigError`` outside 0 to 40 °C."""
    if not COLDEST_C <= water_c <= WARMEST_C:
        raise ConfigError(f"--water-c {water_c:g}: wanted the temperature of the water, {COLDEST_C:g} to {WARMEST_C:g}")
    return density_mg_per_ul(water_c)


def _keys(*, undoes: bool) -> str:
    return "u: undo the last, q: stop" if undoes else "q: stop"


def wait_for_enter(ask: Ask, question: str, *, undoes: bool = False) -> str | Word | None:
    """Wait for Enter alone, which opens a valve or reads a scale; return ``UNDO`` for u, None for q or no input."""
    shown = f"{question} "
    while (answer := ask(shown)) is not None and answer.lower() != "q":
        if not answer:
            return ""
        if undoes and answer.lower() == "u":
            return Word.UNDO
        shown = f"'{answer}' is not Enter alone. {question} "
    return None


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
