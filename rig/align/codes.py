"""Find the codes of a session in a recording: a vote of all codes, by their words, and then of all their edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rig.align.arrays import Flags, Floats
from rig.align.chains import Chain, ChainRules, build_chains, chain_rate, proven
from rig.align.consistent import consistent
from rig.align.fingerprints import clock_rate, code_pairs
from rig.align.hints import nothing_found_text
from rig.align.match import in_order, match_edges
from rig.align.refusal import NotAlignedError
from rig.align.rough_match import BOTH, RISING, Reading, RoughMatch

TOLERANCE_BITS = 0.4
"""How far an edge may be from where the codes around it place it."""
_MOST_PAIRS = 2_000_000
_FIRST_HORIZON_CODES, _FIRST_WANDER = 12, 500e-6
_HORIZON_CODES, _WANDER = 40, 50e-6
"""How many codes may be lost within a chain, and how much its rate may differ from that of the longest one: clocks
wander by tens of ppm with temperature."""
_AROUND_CODES = 10
"""So many codes beyond the first and the last whole one, damaged ones are matched too."""


def match_codes(candidates: Sequence[Reading]) -> RoughMatch:
    """Return the pairs of edges of a recording and of the codes. Raises ``NotAlignedError``."""
    best: tuple[Reading, list[Chain], float] | None = None
    for reading in candidates:
        rate = clock_rate(reading.times_us, reading.signal.bit_us)
        chains, rate = _proven_chains(reading, rate)
        if chains and (best is None or _weight(chains) > _weight(best[1])):
            best = reading, chains, rate
    if best is None:
        raise NotAlignedError(*nothing_found_text(candidates))
    reading, chains, rate = best
    chains = consistent(chains)
    reading = _with_polarity(reading, chains)
    predicted = _predicted(reading, chains, rate)
    tolerance_us = TOLERANCE_BITS * reading.signal.bit_us
    matches = match_edges(predicted, reading.signal.levels, reading.times_us, reading.levels, tolerance_us)
    return RoughMatch(reading, in_order(matches), rate, f"{_weight(chains)} whole codes")


def _weight(chains: Sequence[Chain]) -> int:
    return sum(len(chain.expected) for chain in chains)


def _proven_chains(reading: Reading, rate: float) -> tuple[list[Chain], float]:
    """Return the chains that are no chance, and the rate along the longest one.

    The intervals of a few codes tell the rate first, then whole chains tell it better.
    """
    signal = reading.signal
    pairs = code_pairs(signal, reading.times_us, rate, _MOST_PAIRS)
    if pairs is None or not len(pairs[0]):
        return [], rate
    expected, recorded = (places.tolist() for places in pairs)
    t_us = signal.t_us.astype(np.float64)
    chance = same_by_chance(signal.bits, reading.edges)
    chains: list[Chain] = []
    for codes, wander in ((_FIRST_HORIZON_CODES, _FIRST_WANDER), (_HORIZON_CODES, _WANDER)):
        rules = ChainRules(rate, TOLERANCE_BITS * signal.bit_us, codes * signal.period_us, wander)
        chains = build_chains(expected, recorded, t_us[expected], reading.times_us[recorded], rules)
        chains = proven(chains, signal.groups, chance, len(reading.times_us))
        if not chains:
            break
        rate = chain_rate(max(chains, key=lambda chain: len(chain.expected)), t_us, reading.times_us)
    return chains, rate


def same_by_chance(bits: int, edges: str) -> float:
    """Return the probability that two random words have the same fingerprint, of both kinds of edges or of one."""
    if edges == BOTH:
        return float(2.0**-bits)
    before = 0 if edges == RISING else 1
    both_bits = ((0, 0), (0, 1), (1, 0), (1, 1))
    shares = {(0, 0): 1.0}  # the output is off before the word
    for index in range(bits + 1):
        after = both_bits if index < bits else both_bits[:1]  # and off behind it
        following: dict[tuple[int, int], float] = {}
        for (first, other), share in shares.items():
            for step in after:
                changes = (first == before != step[0], other == before != step[1])
                if changes[0] == changes[1]:
                    following[step] = following.get(step, 0.0) + share / len(after)
        shares = following
    return sum(shares.values())


def _with_polarity(reading: Reading, chains: Sequence[Chain]) -> Reading:
    """Return the reading with levels as the session means them."""
    if reading.levels is None:
        return reading
    expected = np.concatenate([chain.expected for chain in chains])
    recorded = np.concatenate([chain.recorded for chain in chains])
    same = reading.levels[recorded] == reading.signal.levels[expected]
    return reading if np.mean(same) >= 0.5 else reading.turned()


def _predicted(reading: Reading, chains: Sequence[Chain], rate: float) -> Floats:
    """Return about when each expected edge was recorded, NaN where no chain tells."""
    t_us = reading.signal.t_us.astype(np.float64)
    predicted = np.full(len(t_us), np.nan)
    around_us = _AROUND_CODES * reading.signal.period_us
    starts = [t_us[chain.expected[0]] for chain in chains]
    ends = [t_us[chain.expected[-1]] for chain in chains]
    for index, chain in enumerate(chains):
        low_us = starts[index] - around_us
        high_us = ends[index] + around_us
        if index:
            low_us = max(low_us, (ends[index - 1] + starts[index]) / 2)
        if index + 1 < len(chains):
            high_us = min(high_us, (ends[index] + starts[index + 1]) / 2)
        chosen = slice(*np.searchsorted(t_us, [low_us, high_us]))
        predicted[chosen] = rate * t_us[chosen] + _offset(chain, t_us, reading.times_us, rate, t_us[chosen])
    return predicted


def _offset(chain: Chain, t_us: Floats, times_us: Floats, rate: float, at_us: Floats) -> Floats:
    """Return the offset of the other clock, between the codes of a chain on straight lines, and straight on beyond."""
    x = t_us[chain.expected]
    y = times_us[chain.recorded] - rate * x
    offset = np.interp(at_us, x, y)
    ends: list[tuple[slice, Flags]] = [(slice(0, 8), at_us < x[0]), (slice(-8, None), at_us > x[-1])]
    for end, beyond in ends:
        if beyond.any() and len(x) > 2:
            slope, level = np.polyfit(x[end] - x[end][0], y[end], 1)
            offset[beyond] = level + slope * (at_us[beyond] - x[end][0])
    return offset
