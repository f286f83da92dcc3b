"""The trials, rewards and breaks of a session: from its footer, or line by line where it has none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rig.core.journal.delivered import NOTHING, DeliveredRewards
from rig.core.journal.header import Footer
from rig.core.journal.kinds import TrialLine
from rig.core.model.actions import Amount
from rig.core.model.events import Continued
from rig.core.model.line import kind_of
from rig.records.journal.read import DamagedLine, iter_lines


@dataclass(frozen=True)
class SessionSums:
    """What a session came to, or has come to so far; what is in doubt counts as given.

    ``breaks`` is how often it broke off and went on: a lost cable, or a crash that was resumed.
    """

    trials: int = 0
    rewards: int = 0
    amount: Amount = NOTHING
    breaks: int = 0


def session_sums(journal: Path, footer: Footer | None) -> SessionSums:
    """Return the sums of a session. Raises ``RecordError``, for one without an end."""
    if footer is None:
        return _sums_so_far(journal)
    amount = Amount(footer.ul, footer.pellets, footer.access_s)
    return SessionSums(footer.trials, footer.rewards, amount, footer.counts.get(kind_of(Continued), 0))


def _sums_so_far(journal: Path) -> SessionSums:
    given, trials, breaks = DeliveredRewards(), 0, 0
    for line in iter_lines(journal, *DeliveredRewards.kinds, TrialLine):
        if isinstance(line, DamagedLine):
            continue
        trials += isinstance(line, TrialLine)
        breaks += isinstance(line, Continued)
        given.take(line)
    rewards, amount = given.total
    return SessionSums(trials, rewards, amount, breaks)
