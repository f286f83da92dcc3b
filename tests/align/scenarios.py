"""Random recordings with faults, by number, and what came of aligning them: right, refused, or wrong without a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rig.align.alignment import Alignment, align
from rig.align.signal import Signal
from rig.core.errors import RecordError
from tests.align.recordings import (
    Faults,
    Made,
    OtherClock,
    codes,
    largest_error_us,
    record,
    square,
    with_a_part_twice,
    with_a_restart,
)

ALLOWED_US = 50.0
"""An accepted mapping may be wrong by this and one sample of the recording."""
EVERY_S = 0.5
RIGHT, REFUSED, WRONG = "right", "refused", "WRONG"
FORMS = ((16, 20_000, 5_000_000), (16, 10_000, 2_000_000), (12, 20_000, 5_000_000), (24, 20_000, 5_000_000))
"""Bits of a code, length of a bit and period in microseconds."""
KINDS = {
    "plain": 4,
    "step": 5,
    "cut": 3,
    "silent": 2,
    "wander": 2,
    "one kind": 2,
    "no levels": 1,
    "coarse": 2,
    "wrong session": 3,
    "twice": 2,
    "restart": 1,
    "restart sorted": 1,
    "heavy": 1,
    "short": 1,
    "square": 2,
    "square cut": 1,
    "square step": 1,
    "square near": 1,
}


@dataclass(frozen=True)
class Outcome:
    """What came of one recording; ``error_us`` is the largest error of an accepted mapping."""

    number: int
    kind: str
    verdict: str
    text: str
    error_us: float = 0.0
    p99_us: float = 0.0
    covered: float = 0.0


@lru_cache(128)
def _codes(seed: int, hours: float, form: int) -> Signal:
    bits, bit_us, period_us = FORMS[form]
    return codes(seed, hours, bits=bits, bit_us=bit_us, period_us=period_us)


@lru_cache(128)
def _square(hours: float) -> Signal:
    return square(hours)


def run(number: int) -> Outcome:
    """Make recording ``number``, align it and judge the result."""
    random = np.random.default_rng(number)
    names, weights = list(KINDS), np.array(list(KINDS.values()), dtype=float)
    kind = str(random.choice(names, p=weights / weights.sum()))
    hours = float(random.choice([0.25, 1.0, 3.0], p=[0.3, 0.3, 0.4]))
    signal, made, near_s = (_made_square if kind.startswith("square") else _made_codes)(kind, hours, random)
    if kind == "wrong session":
        other, form = 100 + int(random.integers(0, 3)), int(random.integers(0, len(FORMS)))
        signal = _codes(other, hours, form if random.random() < 0.2 else FORMS.index(_form(signal)))
    try:
        found = align(signal, made.recording, "other", near_s)
    except RecordError as error:
        return Outcome(number, kind, REFUSED, error.lines[0])
    return _judged(number, kind, signal, made, found)


def _form(signal: Signal) -> tuple[int, int, int]:
    return signal.bits, signal.bit_us, signal.period_us


def _clock(kind: str, length_s: float, random: np.random.Generator) -> OtherClock:
    drift = float(random.choice([50, -50, random.uniform(-200, 200), random.uniform(-5000, 5000)]))
    zero_s = float(random.choice([0.0, random.uniform(0, 1e4), 1.7e9]))
    steps: tuple[tuple[float, float], ...] = ()
    if "step" in kind:
        size = float(np.exp(random.uniform(np.log(30e-6), np.log(3.0))) * random.choice([-1, 1], p=[0.3, 0.7]))
        steps = ((float(random.uniform(0, length_s)), size),)
    wander = float(random.uniform(1, 10)) if kind == "wander" else 0.0
    return OtherClock(zero_s, drift, wander, steps=steps)


def _faults(kind: str, length_s: float, random: np.random.Generator) -> Faults:
    changes: dict[str, object] = {"inverted": bool(random.random() < 0.15), "jitter_us": float(random.uniform(0, 10))}
    changes["rate_hz"] = float(random.choice([30_000, 25_000, 20_000, 0]))
    changes["tells_rate"] = bool(random.random() < 0.5)
    if kind in ("cut", "square cut", "square near"):
        start = float(random.uniform(0, length_s * 0.6))
        changes.update(from_s=start, to_s=start + float(random.uniform(60, length_s)))
    if kind == "silent":
        start = float(random.uniform(0, length_s))
        changes["silent"] = ((start, start + float(random.uniform(10, 900))),)
    if kind == "one kind":
        changes["edges"] = str(random.choice(["rising", "falling"]))
    if kind == "no levels":
        changes.update(levels=False, edges=str(random.choice(["both", "rising", "falling"])))
    if kind == "coarse":
        changes.update(rate_hz=float(random.choice([1000, 2000, 10_000])), jitter_us=0.0)
    if kind == "heavy":
        changes.update(lost=float(random.uniform(0.05, 0.3)), extra=float(random.uniform(0.05, 0.5)))
    if kind == "short":
        start = float(random.uniform(0, length_s))
        changes.update(from_s=start, to_s=start + float(random.uniform(5, 60)))
    return Faults(around_s=float(random.choice([0, 600])), **changes)  # type: ignore[arg-type]


def _made_codes(kind: str, hours: float, random: np.random.Generator) -> tuple[Signal, Made, float | None]:
    signal = _codes(int(random.integers(1, 4)), hours, int(random.integers(0, len(FORMS))))
    length_s = hours * 3600
    made = record(signal, _clock(kind, length_s, random), _faults(kind, length_s, random), random)
    if kind == "twice":
        made = with_a_part_twice(made, random)
    elif kind.startswith("restart"):
        at, start_s = float(random.uniform(0.05, 0.95)), float(random.uniform(0, 5))
        made = with_a_restart(made, at, in_order=kind.endswith("sorted"), start_s=start_s)
    return signal, made, None


def _made_square(kind: str, hours: float, random: np.random.Generator) -> tuple[Signal, Made, float | None]:
    signal = _square(hours)
    clock = _clock(kind, hours * 3600, random)
    made = record(signal, clock, _faults(kind, hours * 3600, random), random)
    near_s = float(clock(np.zeros(1))[0]) + float(random.uniform(-0.1, 0.1)) if kind == "square near" else None
    return signal, made, near_s


def _judged(number: int, kind: str, signal: Signal, made: Made, found: Alignment) -> Outcome:
    times = np.arange(0, float(signal.t_us[-1]) + 5e6, EVERY_S * 1e6)
    start_us, end_us = found.extrapolated_us
    pieces = found.mapping.pieces
    inner = (times >= pieces[0].from_us + start_us) & (times <= pieces[-1].to_us - end_us)
    error_us = largest_error_us(made, found.mapping.to_other, times[inner])
    back = found.mapping.to_session(made.clock(times[inner]))
    error_us = max(error_us, float(np.nanmax(np.abs(back - times[inner]), initial=0.0)))
    covered = float(np.mean(np.isfinite(found.mapping.to_other(times))))
    sample_us = 1e6 / made.faults.rate_hz if made.faults.rate_hz else 0.0
    good = error_us <= ALLOWED_US + sample_us and kind not in ("wrong session",)
    verdict = RIGHT if good else WRONG
    return Outcome(number, kind, verdict, found.how, error_us, found.residuals.p99_us, covered)
