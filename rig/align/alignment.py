"""Align a recording of another system with a session: match, fit, and say what is certain and what is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.anchors import resolution_s
from rig.align.arrays import Floats
from rig.align.codes import match_codes
from rig.align.gaps import STEP, Gap, gaps_of
from rig.align.level_changes import only_changes
from rig.align.mapping_pieces import margins_of, pieces_of
from rig.align.pulses import match_pulses
from rig.align.recording import Recording, checked
from rig.align.refusal import NotAlignedError
from rig.align.rough_match import BOTH, RoughMatch, readings
from rig.align.signal import Signal
from rig.align.steps import SMALLEST_STEP_US
from rig.align.stretches import Fit, fit_stretches
from rig.records.alignments.alignment import Mapping

FEWEST_MATCHED = 0.5
"""Share of the expected edges that must be matched, within the stretches; below it the recording is refused."""
GOOD_MATCHED = 0.9
GOOD_RESIDUAL_US = 100.0


@dataclass(frozen=True)
class Residuals:
    """How far the recorded edges are from the mapping, in microseconds: absolute values."""

    median_us: float
    p99_us: float
    max_us: float


@dataclass(frozen=True)
class Alignment:
    """The mapping of a session's clock onto another one, and what it rests on.

    ``lost_us`` are the times of expected edges that were not recorded, ``extra_s`` those of recorded edges that the
    session did not send; both within the mapped stretches, and without the gaps. ``extrapolated_us`` says how far the
    mapping goes beyond its first and its last matched edge. ``rate_ppm`` is the mean rate of the other clock against
    the session's, without its steps.
    """

    mapping: Mapping
    how: str
    edges: str
    inverted: bool
    matched: int
    lost_us: Floats
    extra_s: Floats
    residuals: Residuals
    residuals_us: Floats
    matched_us: Floats
    resolution_us: float
    rate_ppm: float
    gaps: list[Gap]
    extrapolated_us: tuple[float, float]
    warnings: list[str]


def align(signal: Signal, recording: Recording, name: str, near_s: float | None = None) -> Alignment:
    """Return how a recording lies on the signal of a session.

    ``near_s`` is what the other clock showed at the zero of the session's, to less than half a period: it decides
    where pulses without numbers leave a choice. Raises ``NotAlignedError`` if no alignment is certain, and
    ``RecordError`` for a recording whose times are not in order.
    """
    recording = only_changes(checked(recording), signal)
    zero_s = float(recording.times_s[0])
    times_us = (recording.times_s - zero_s) * 1e6
    candidates = readings(signal, times_us, recording.levels)
    near_us = None if near_s is None else (near_s - zero_s) * 1e6
    rough = match_codes(candidates) if signal.bits else match_pulses(candidates, near_us)
    fit = fit_stretches(rough, recording.resolution_s or resolution_s(recording.times_s, signal.bit_us / 1e6))
    if not fit.stretches:
        raise NotAlignedError(
            "too few edges of the recording follow the session's in a steady way",
            "Check the channel and the level of the signal",
        )
    alignment = _alignment(rough, fit, name, zero_s, recording.notes)
    if not signal.bits:
        _check_steps(alignment)
    return alignment


def _alignment(rough: RoughMatch, fit: Fit, name: str, zero_s: float, notes: tuple[str, ...]) -> Alignment:
    signal = rough.reading.signal
    gaps = gaps_of(rough, fit, zero_s)
    lost_us, extra_s = _unmatched(rough, fit, gaps, zero_s)
    matched = len(fit.matches.expected)
    if matched < FEWEST_MATCHED * (matched + len(lost_us)):
        raise NotAlignedError(
            f"only {matched} of {matched + len(lost_us)} expected edges are in the recording: too few to rely on",
            "Check the channel, the level of the signal and its cable",
        )
    margins = margins_of(rough, fit)
    pieces = pieces_of(fit.stretches, margins, zero_s)
    if not pieces:
        raise NotAlignedError("the other clock jumped back again and again: no part of it is certain")
    bias_us = fit.resolution_us / 2
    anchors = np.abs(fit.anchor_residuals_us)
    mapping = Mapping(name, pieces, round(float(np.percentile(anchors, 99)) + bias_us, 3))
    absolute = np.abs(fit.residuals_us)
    residuals = Residuals(*(float(value) for value in np.percentile(absolute, [50, 99, 100])))
    lengths = np.array([piece.to_us - piece.from_us for piece in pieces])
    rate = np.average([piece.rate for piece in pieces], weights=lengths)
    return Alignment(
        mapping=mapping,
        how=rough.how,
        edges=rough.reading.edges,
        inverted=rough.reading.inverted,
        matched=matched,
        lost_us=lost_us,
        extra_s=extra_s,
        residuals=residuals,
        residuals_us=fit.residuals_us,
        matched_us=signal.t_us[fit.matches.expected].astype(np.float64),
        resolution_us=fit.resolution_us,
        rate_ppm=float(rate - 1) * 1e6,
        gaps=gaps,
        extrapolated_us=margins,
        warnings=[*notes, *_warnings(rough, fit, residuals, (matched, len(lost_us), len(extra_s)))],
    )


def _unmatched(rough: RoughMatch, fit: Fit, gaps: list[Gap], zero_s: float) -> tuple[Floats, Floats]:
    """Return the expected edges that were lost and the extra edges of the recording, within the stretches.

    Those of a gap are not lost one by one.
    """
    signal, times_us = rough.reading.signal, rough.reading.times_us
    lost = np.zeros(len(signal.t_us), np.bool_)
    extra = np.zeros(len(times_us), np.bool_)
    for stretch in fit.stretches:
        lost |= (signal.t_us >= stretch.from_us) & (signal.t_us <= stretch.to_us)
        low, high = stretch.line(np.array([stretch.from_us, stretch.to_us]))
        extra |= (times_us >= low - fit.tolerance_us) & (times_us <= high + fit.tolerance_us)
    for gap in gaps:
        lost &= (signal.t_us <= gap.from_us) | (signal.t_us >= gap.to_us)
    lost[fit.matches.expected] = False
    extra[fit.matches.recorded] = False
    return signal.t_us[lost].astype(np.float64), zero_s + times_us[extra] / 1e6


def _warnings(rough: RoughMatch, fit: Fit, residuals: Residuals, counts: tuple[int, int, int]) -> list[str]:
    """Return what a person should look at; ``counts`` are the matched, lost and extra edges."""
    matched, lost, extra = counts
    warnings = []
    share = matched / (matched + lost)
    if share < GOOD_MATCHED:
        warnings.append(f"{100 * (1 - share):.0f} % of the expected edges are not in the recording")
    if extra > (1 - GOOD_MATCHED) * matched:
        warnings.append(f"{extra} edges of the recording match none of the session: of another signal, or late")
    if residuals.p99_us > max(GOOD_RESIDUAL_US, 1.5 * fit.resolution_us):
        warnings.append(f"the recorded edges jitter by {residuals.p99_us:.0f} us")
    if rough.reading.edges != BOTH:
        warnings.append(f"the recording has the {rough.reading.edges} edges only")
    if rough.reading.inverted:
        warnings.append("the recording is inverted")
    if not rough.reading.signal.bits:
        warnings.append("pulses carry no number: that this recording belongs to this session is assumed, not proven")
    return warnings


def _check_steps(found: Alignment) -> None:
    """Check that the clock never jumped: by how many periods, pulses do not tell. Raises ``NotAlignedError``."""
    for gap in found.gaps:
        jumped = gap.why == STEP and (gap.step_us is None or abs(gap.step_us) > SMALLEST_STEP_US)
        if jumped and gap.from_s is not None and gap.to_s is not None:
            raise NotAlignedError(
                f"the other clock jumped between {gap.from_s:.3f} s and {gap.to_s:.3f} s, and equal pulses do not say "
                "by how many periods",
                f"Align the parts by themselves: --to {gap.from_s:.3f}, and --from {gap.to_s:.3f}, each with --near",
            )
