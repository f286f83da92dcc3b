"""How much may be given before the disk must hold a line that allows more.

A line of the journal reaches the disk up to half a second after it was written, and a power cut takes what has not.
What was given in that time must be counted all the same: an allowance says beforehand what the session's totals will
not exceed until a further allowance is on the disk.
"""

from __future__ import annotations

from rig.core.engine.rewards import RewardLedger
from rig.core.journal.delivered import RewardSum
from rig.core.journal.journal import Journal

CHUNK = 20
"""An allowance is for so many of the largest reward more than may have been given."""


class Allowance:
    """Writes the allowances of one session, and lets nothing that pays go ahead of the disk."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written = self._on_disk = RewardSum.nothing()
        self._lines = 0

    def begin(self) -> None:
        """Allow nothing yet; with that the journal is on the disk. Raises ``RecordError``."""
        self._write(0, self._written)
        self._journal.wait_synced(self._lines)

    def cover(self, t_us: int, ledger: RewardLedger) -> None:
        """Return when the disk allows all that may be given now. Raises ``RecordError``."""
        if not ledger.largest_reward.is_something:  # nothing has been to pay so far
            return
        worst = ledger.max_total
        if not self._written.covers(worst.more(ledger.largest_reward, CHUNK // 2)):
            self._write(t_us, worst.more(ledger.largest_reward, CHUNK))
        if not self._on_disk.covers(worst):
            self._journal.wait_synced(self._lines)
            self._on_disk = self._written

    def _write(self, t_us: int, allowed: RewardSum) -> None:
        amount = allowed.amount
        self._journal.note(
            t_us,
            "allowance",
            rewards=allowed.rewards,
            ul=round(amount.ul, 6),
            pellets=amount.pellets,
            access_s=round(amount.access_s, 6),
        )
        self._written, self._lines = allowed, self._journal.seq
