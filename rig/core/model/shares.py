"""Shares of the completed trials that a protocol wants counted; the summary and the screens show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

COMPLETED = ("rewarded", "unrewarded")
"""Outcomes of completed trials: shares are of these."""


@dataclass(frozen=True)
class Share:
    """The proportion of completed trials (``rewarded`` or ``unrewarded``) whose ``column`` meets a rule.

    ``equals``: the column holds the word ``to``. ``same_as``: it holds the same as the column ``to``. ``changes``: it
    differs from the completed trial before, among all such pairs. ``label`` follows the number on a screen.
    """

    column: str
    rule: Literal["equals", "same_as", "changes"]
    to: str = ""
    label: str = ""


def fulfills(share: Share, row: Mapping[str, object], before: Mapping[str, object] | None) -> bool | None:
    """Whether a completed trial fulfills the rule of a share.

    ``before`` is the completed trial before; None is returned where a rule needs it and there is none.
    """
    value = row.get(share.column)
    match share.rule:
        case "changes":
            return None if before is None else before.get(share.column) != value
        case "same_as":
            return bool(value == row.get(share.to))
        case "equals":
            return bool(value == share.to)
