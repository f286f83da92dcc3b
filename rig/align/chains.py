"""Chains: series of pairs, a code of the session and a code of the recording, that one steady clock can explain.

A pair by itself proves little, because two codes may have the same word. The codes of a wrong place agree by chance
only: with probability 2^-bits each. A chain is accepted if so many agreements by chance are next to impossible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, lgamma, log

from rig.align.arrays import Floats, Integers

_LOG_CHANCE = -12 * log(10)
"""Highest logarithm of the probability of a chain by chance."""


@dataclass
class Chain:
    """Pairs in order: the places of their edges in the signal and in the recording."""

    expected: list[int] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)
    last_us: float = 0.0
    last_other_us: float = 0.0

    def add(self, expected: int, recorded: int, t_us: float, other_us: float) -> None:
        """Add the next pair."""
        self.expected.append(expected)
        self.recorded.append(recorded)
        self.last_us, self.last_other_us = t_us, other_us


@dataclass(frozen=True)
class ChainRules:
    """What two neighboring pairs of one chain have in common.

    Their intervals on both clocks agree to ``slack_us`` and to the ``wander`` of the rate, a share of the interval.
    They are at most ``horizon_us`` apart.
    """

    rate: float
    slack_us: float
    horizon_us: float
    wander: float


def build_chains(
    expected: Sequence[int], recorded: Sequence[int], t_us: Floats, other_us: Floats, rules: ChainRules
) -> list[Chain]:
    """Build chains of pairs, which come in the order of the recording; ``t_us`` and ``other_us`` are their times.

    A pair joins the chain that it agrees with best, and begins a new one without any.
    """
    chains: list[Chain] = []
    # Chains by their offset: a pair agrees with those of its own and the neighboring shelves only.
    width_us = rules.slack_us + rules.wander * rules.horizon_us
    shelves: defaultdict[int, list[Chain]] = defaultdict(list)
    for index, (ours, theirs) in enumerate(zip(expected, recorded, strict=True)):
        here_us, there_us = float(t_us[index]), float(other_us[index])
        shelf = int((there_us - rules.rate * here_us) // width_us)
        near = [chain for at in (shelf - 1, shelf, shelf + 1) for chain in shelves.get(at, ())]
        apart = [(_disagreement_us(chain, here_us, there_us, rules), at) for at, chain in enumerate(near)]
        best_us, at = min(apart, default=(inf, 0))
        if best_us < inf:
            chain = near[at]
        else:
            chain = Chain()
            chains.append(chain)
        chain.add(ours, theirs, here_us, there_us)
        if not any(chain is other for other in shelves[shelf]):
            shelves[shelf].append(chain)
    return chains


def _disagreement_us(chain: Chain, here_us: float, there_us: float, rules: ChainRules) -> float:
    """Return by how much a pair and the last one of a chain disagree, infinity if it cannot belong to it."""
    apart_us = there_us - chain.last_other_us
    since_us = (here_us - chain.last_us) * rules.rate
    if since_us <= 0 or not 0 < apart_us <= rules.horizon_us:
        return inf
    disagreement_us = abs(apart_us - since_us)
    return disagreement_us if disagreement_us <= rules.slack_us + rules.wander * apart_us else inf


def chain_rate(chain: Chain, t_us: Floats, other_us: Floats) -> float:
    """Return the rate of the other clock along a chain; ``t_us`` and ``other_us`` are the times of all edges."""
    sent_us = t_us[chain.expected[-1]] - t_us[chain.expected[0]]
    return float((other_us[chain.recorded[-1]] - other_us[chain.recorded[0]]) / sent_us)


def log_chance(codes: int, agreeing: int, chance: float, places: float) -> float:
    """Return the logarithm of the probability that ``agreeing`` of ``codes`` agree by chance, at one of ``places``.

    The bound is that of the union over all choices of the agreeing codes.
    """
    choices = lgamma(codes + 1) - lgamma(agreeing + 1) - lgamma(codes - agreeing + 1)
    return min(0.0, choices + agreeing * log(chance) + log(max(1.0, places)))


def proven(chains: Sequence[Chain], groups: Integers, chance: float, recorded: int) -> list[Chain]:
    """Return the chains that are no chance, by the time of the session. ``recorded`` edges are in the recording."""
    places = float(groups[-1] + 1) * recorded
    found = []
    for chain in chains:
        codes = int(groups[chain.expected[-1]] - groups[chain.expected[0]]) + 1
        if len(chain.expected) > 1 and log_chance(codes, len(chain.expected), chance, places) <= _LOG_CHANCE:
            found.append(chain)
    return sorted(found, key=lambda chain: chain.expected[0])
