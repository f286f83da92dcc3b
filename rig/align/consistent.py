"""Which chains can be true together: those that run forward on both clocks, and in which no time is used twice."""

from __future__ import annotations

from collections.abc import Sequence

from rig.align.chains import Chain
from rig.align.refusal import NotAlignedError

_MOST = 0.5
"""A code that is damaged in one of two places has a pair in one chain only: never all pairs are explained."""


def consistent(chains: Sequence[Chain]) -> list[Chain]:
    """Return the chains that explain the most codes together, in order. Raises ``NotAlignedError`` if in doubt.

    In doubt is a chain that is left out although its part of the recording, or of the session, has no other
    explanation: the recording has a part twice, its clock was started again, or the session sent the same codes again.
    """
    best = _heaviest(chains)
    chosen = [chains[place] for place in best]
    for place, chain in enumerate(chains):
        if place not in best and not _explained(chain, chosen):
            raise NotAlignedError(*_doubt_text(chain, chosen))
    return chosen


def _heaviest(chains: Sequence[Chain]) -> list[int]:
    """Return the places of the heaviest increasing series, by dynamic programming."""
    weight = [len(chain.expected) for chain in chains]
    before: list[int | None] = [None] * len(chains)
    for index, chain in enumerate(chains):
        for other in range(index):
            if _follows(chain, chains[other]) and weight[other] + len(chain.expected) > weight[index]:
                weight[index] = weight[other] + len(chain.expected)
                before[index] = other
    at: int | None = max(range(len(chains)), key=weight.__getitem__)
    heaviest: list[int] = []
    while at is not None:
        heaviest.append(at)
        at = before[at]
    return heaviest[::-1]


def _follows(later: Chain, earlier: Chain) -> bool:
    return later.expected[0] > earlier.expected[-1] and later.recorded[0] > earlier.recorded[-1]


def _explained(chain: Chain, chosen: Sequence[Chain]) -> bool:
    """Whether the codes of a chain, those sent and those recorded, mostly belong to other chains."""
    sent = {place for other in chosen for place in other.expected}
    seen = {place for other in chosen for place in other.recorded}
    enough = _MOST * len(chain.expected)
    return len(sent.intersection(chain.expected)) >= enough and len(seen.intersection(chain.recorded)) >= enough


def _doubt_text(chain: Chain, chosen: Sequence[Chain]) -> tuple[str, str]:
    first, last = chain.recorded[0] + 1, chain.recorded[-1] + 1
    rival = max(chosen, key=lambda other: len(other.expected))
    return (
        f"two alignments fit: edges {first} to {last} of the recording ({len(chain.expected)} codes) belong to another "
        f"time of the session than edges {rival.recorded[0] + 1} to {rival.recorded[-1] + 1} allow",
        "The recording has a part twice, its clock was started again, or the session sent the same codes twice: "
        "give the part to align with --edges FIRST-LAST or --from and --to",
    )
