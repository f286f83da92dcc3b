"""Allowances: upper bounds of the session's rewards, on the disk before they can be reached.

A line of the journal reaches the disk up to 0.5 s after it was written, and a power cut removes what has not. Rewards
given in that time must still be counted. An allowance is an upper bound of the session's totals, valid until a further
allowance is on the disk.
"""

from __future__ import annotations

from rig.core.engine.reward_ledger import RewardLedger
from rig.core.journal.delivered import RewardSum
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import AllowanceLine
from rig.core.model.actions import Amount

CHUNK = 20
"""How many of the largest reward an allowance lies above what may have been given."""


class Allowance:
    """A writer of one session's allowances; it delays rewarding orders until the disk allows them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written = self._on_disk = RewardSum.nothing()
        self._covered: tuple[RewardSum, Amount] | None = None
        self._lines = 0

    def begin(self) -> None:
        """Write an allowance of zero and wait until the journal is on the disk. Raises ``RecordError``."""
        # The board is opened after this: a power cut leaves at least the folder, the header and this line on the disk.
        self._write(0, self._written)
        self._journal.wait_synced(self._lines)

    def cover(self, t_us: int, ledger: RewardLedger) -> None:
        """Wait until the disk allows all that may be given now. Raises ``RecordError``."""
        if not ledger.largest_reward.is_positive:  # no reward was ordered yet
            return
        # A new line at half a chunk: the helper thread then syncs it before it is needed, and no order waits for the
        # disk.
        worst = ledger.max_total
        # Most batches only switch lights: nothing has changed since the last one.
        if self._covered == (worst, ledger.largest_reward):
            return
        if not self._written.covers(worst.more(ledger.largest_reward, CHUNK // 2)):
            self._write(t_us, worst.more(ledger.largest_reward, CHUNK))
        # This waits for the disk, up to 30 ms. It is reached only when rewards come faster than the sync every 0.5 s.
        if not self._on_disk.covers(worst):
            self._journal.wait_synced(self._lines)
            self._on_disk = self._written
        self._covered = worst, ledger.largest_reward

    def _write(self, t_us: int, allowed: RewardSum) -> None:
        amount = allowed.amount
        line = AllowanceLine(t_us, allowed.rewards, round(amount.ul, 6), amount.pellets, round(amount.access_s, 6))
        self._journal.write(line)
        self._written, self._lines = allowed, self._journal.seq
