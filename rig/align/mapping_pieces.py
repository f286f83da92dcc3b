"""The pieces of a mapping, from the stretches of a fit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rig.align.rough_match import RoughMatch
from rig.align.stretches import Fit, Stretch
from rig.records.alignments.alignment import Piece


def margins_of(rough: RoughMatch, fit: Fit) -> tuple[float, float]:
    """Return how far the mapping goes beyond its ends: one period, but never over an edge that was not matched."""
    signal = rough.reading.signal
    first_us, last_us = fit.stretches[0].from_us, fit.stretches[-1].to_us
    before = signal.t_us[signal.t_us < first_us]
    after = signal.t_us[signal.t_us > last_us]
    period_us = float(signal.period_us)
    start_us = min(period_us, first_us - float(before[-1])) if len(before) else min(period_us, max(0.0, first_us))
    end_us = min(period_us, float(after[0]) - last_us) if len(after) else period_us
    return start_us, end_us


def pieces_of(stretches: list[Stretch], margins: tuple[float, float], zero_s: float) -> list[Piece]:
    """Return the pieces of the mapping.

    Where the other clock jumped back, it shows some times twice. They are not mapped, on either side of the step.
    """
    middles = [(one.to_us + other.from_us) / 2 for one, other in pairwise(stretches)]
    steps = [
        other.line(np.array([at])) - one.line(np.array([at]))
        for (one, other), at in zip(pairwise(stretches), middles, strict=True)
    ]
    twice = [max(0.0, -float(step[0])) for step in steps]
    pieces: list[Piece] = []
    for stretch, start_us, end_us in zip(stretches, [-margins[0], *twice], [*twice, -margins[1]], strict=True):
        bounds = stretch.from_us + start_us, stretch.to_us - end_us
        if bounds[1] > bounds[0]:
            pieces += _pieces(stretch, *bounds, zero_s)
    return pieces


def _pieces(stretch: Stretch, from_us: float, to_us: float, zero_s: float) -> list[Piece]:
    inner = stretch.line.knots_us[1:-1]
    bounds = np.concatenate([[from_us], inner[(inner > from_us) & (inner < to_us)], [to_us]])
    shown_us = stretch.line(bounds)
    rates = np.diff(shown_us) / np.diff(bounds)
    return [
        Piece(float(bounds[at]), float(bounds[at + 1]), zero_s + float(shown_us[at]) / 1e6, float(rates[at]))
        for at in range(len(rates))
    ]
