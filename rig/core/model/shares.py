"""What a protocol wants counted of its completed trials: shares that the summary and the screens name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

COMPLETED = ("rewarded", "unrewarded")
"""Outcomes of completed trials: shares are of these."""


@dataclass(frozen=True)
class Share:
    """A share of the trials that came out ``rewarded`` or ``unrewarded``: those whose ``column`` fulfills a rule.

    ``equals``: it is the word ``to``; ``same_as``: it is what stands in the column ``to``; ``changes``: it is not what
    it was in the completed trial before, of all pairs of these. ``label`` is what follows the number on a screen.
    """

    column: str
    rule: Literal["equals", "same_as", "changes"]
    to: str = ""
    label: str = ""
