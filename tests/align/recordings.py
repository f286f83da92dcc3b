"""Recordings of a session's signal by another system, with the faults that such recordings have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from rig.align.recording import Recording
from rig.align.signal import Signal, signal_of
from rig.core.model.actions import Code
from rig.records.alignments.sync_edges import SyncRun

Floats = NDArray[np.float64]
HOUR_S = 3600.0


def run_of(start_us: int, end_us: int, **changes: int) -> SyncRun:
    """One epoch of codes: 16 bits of 20 ms, once in 5 s."""
    return SyncRun(
        structs.replace(Code("sync.ttl", 5_000_000, 20_000, 16, 1), **changes), start_us, end_us, is_ended=True
    )


def codes(seed: int = 1, hours: float = 3.0, **changes: int) -> Signal:
    """The codes of one session without a break."""
    return signal_of([run_of(1_000, int(hours * 3600e6), seed=seed, **changes)], Path("session"))


def square(hours: float = 1.0) -> Signal:
    """A square of 1 Hz, on for half a second."""
    form = {"period_us": 1_000_000, "bit_us": 500_000, "bits": 0}
    return signal_of([run_of(1_000, int(hours * 3600e6), **form)], Path("session"))


@dataclass(frozen=True)
class OtherClock:
    """A clock that runs at another rate, wanders, and steps: times of the session to seconds of its own."""

    zero_s: float = 100.0
    drift_ppm: float = 50.0
    wander_ppm: float = 0.0
    wander_s: float = HOUR_S
    steps: tuple[tuple[float, float], ...] = ()  # when in the session, by how many seconds

    def __call__(self, t_us: Floats) -> Floats:
        t_s = np.asarray(t_us, dtype=np.float64) / 1e6
        turn = 2 * np.pi / self.wander_s
        wander = self.wander_ppm * 1e-6 * (1 - np.cos(turn * t_s)) / turn
        shown = self.zero_s + t_s * (1 + self.drift_ppm * 1e-6) + wander
        for at_s, by_s in self.steps:
            shown = shown + np.where(t_s >= at_s, by_s, 0.0)
        return shown


@dataclass(frozen=True)
class Faults:
    """What happens to the edges of a recording on their way into its file."""

    lost: float = 0.02
    extra: float = 0.01
    rate_hz: float = 30_000.0
    jitter_us: float = 0.0
    inverted: bool = False
    edges: str = "both"
    levels: bool = True
    from_s: float = -np.inf  # of the session: what is recorded
    to_s: float = np.inf
    silent: tuple[tuple[float, float], ...] = ()
    around_s: float = 0.0  # of the other clock: how long it also ran before and after
    tells_rate: bool = True


@dataclass(frozen=True)
class Made:
    """A recording, and the clock that it was made with."""

    recording: Recording
    clock: Callable[[Floats], Floats]
    faults: Faults = field(default_factory=Faults)


def record(signal: Signal, clock: Callable[[Floats], Floats], faults: Faults, random: np.random.Generator) -> Made:
    """Record a signal with a clock: edges are lost, added and sampled."""
    t_s = signal.t_us / 1e6
    kept = (t_s >= faults.from_s) & (t_s <= faults.to_s) & (random.random(len(t_s)) >= faults.lost)
    for low, high in faults.silent:
        kept &= (t_s < low) | (t_s > high)
    times = clock(signal.t_us[kept].astype(np.float64))
    levels = signal.levels[kept]
    if len(times):
        span = (times[0] - faults.around_s, times[-1] + faults.around_s)
        more = random.uniform(*span, int(faults.extra * len(times)))
        times = np.concatenate([times, more])
        levels = np.concatenate([levels, random.integers(0, 2, len(more)).astype(np.int8)])
    times = times + random.normal(0, faults.jitter_us * 1e-6, len(times))
    if faults.rate_hz:
        times = np.floor(times * faults.rate_hz) / faults.rate_hz
    order = np.argsort(times, kind="stable")
    times, levels = times[order], levels[order].astype(np.int8)
    if faults.edges != "both":
        chosen = levels == (1 if faults.edges == "rising" else 0)
        times, levels = times[chosen], levels[chosen]
    if faults.inverted:
        levels = (1 - levels).astype(np.int8)
    resolution_s = 1 / faults.rate_hz if faults.rate_hz and faults.tells_rate else 0.0
    return Made(Recording(times, levels if faults.levels else None, resolution_s), clock, faults)


def with_a_part_twice(made: Made, random: np.random.Generator) -> Made:
    """The same recording, with a part of it appended behind its end."""
    times = made.recording.times_s
    first = int(random.integers(0, max(1, len(times) // 2)))
    part = slice(first, first + max(60, int(len(times) * random.uniform(0.05, 0.5))))
    shifted = times[part] - times[first] + times[-1] + random.uniform(1, 10)
    levels = made.recording.levels
    both = None if levels is None else np.concatenate([levels, levels[part]])
    return replace(made, recording=replace(made.recording, times_s=np.concatenate([times, shifted]), levels=both))


def with_a_restart(made: Made, at: float, *, in_order: bool, start_s: float = 0.5) -> Made:
    """The same recording of a clock that began again, ``at`` a share of its edges; sorted, or as recorded."""
    times = made.recording.times_s.copy()
    first = int(at * len(times))
    back_s = times[first] - start_s
    times[first:] -= back_s
    levels = made.recording.levels
    if in_order:
        order = np.argsort(times, kind="stable")
        times, levels = times[order], None if levels is None else levels[order]
    recording = replace(made.recording, times_s=times, levels=levels)
    return replace(made, recording=recording, clock=lambda t_us: _restarted(made.clock(t_us), back_s, start_s))


def _restarted(shown_s: Floats, back_s: float, start_s: float) -> Floats:
    return np.where(shown_s >= back_s + start_s - 1e-3, shown_s - back_s, shown_s)


def largest_error_us(made: Made, mapping: Callable[[Floats], Floats], t_us: Floats) -> float:
    """How far a mapping is from the clock, where it says anything; 0 where it says nothing."""
    error = np.abs(mapping(t_us) - made.clock(t_us)) * 1e6
    return float(np.nanmax(error, initial=0.0))
