"""The trials, rewards and breaks of a session: from its footer, or line by line where it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.core.journal.delivered import NOTHING, DeliveredRewards
from rig.core.model.actions import Amount
from rig.records.journal.read import DamagedLine, iter_lines

CONTINUED = "continued"
"""The kind of line that ends a break."""


@dataclass(frozen=True)
class SessionSums:
    """What a session came to, or has come to so far; what is in doubt counts as given.

    ``breaks`` is how often it broke off and went on: a lost cable, or a crash that was resumed.
    """

    trials: int = 0
    rewards: int = 0
    amount: Amount = NOTHING
    breaks: int = 0


def session_sums(journal: Path, footer: Mapping[str, Any] | None) -> SessionSums:
    """Return the sums of a session. Raises ``RecordError``, for one without an end."""
    if footer is None:
        return _sums_so_far(journal)
    amount = Amount(float(footer["ul"]), int(footer["pellets"]), float(footer["access_s"]))
    breaks = int(footer["counts"].get(CONTINUED, 0))
    return SessionSums(int(footer["trials"]), int(footer["rewards"]), amount, breaks)


def _sums_so_far(journal: Path) -> SessionSums:
    given, trials, breaks = DeliveredRewards(), 0, 0
    for line in iter_lines(journal, *DeliveredRewards.KINDS, "trial"):
        if isinstance(line, DamagedLine):
            continue
        trials += line["k"] == "trial"
        breaks += line["k"] == CONTINUED
        given.take(line)
    rewards, amount = given.total
    return SessionSums(trials, rewards, amount, breaks)
