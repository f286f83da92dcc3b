"""The open trial, and the closed trials whose rows wait for the status of their rewards."""

from __future__ import annotations

from rig.core.engine.task_log import TaskLog
from rig.core.model.code_lines import CodeLine
from rig.core.model.reward import Reward, RewardStatus
from rig.core.model.rows import Row, keep_unknown, trace_lines

REWARD_OUTSIDE_TRIAL = "reward_outside_trial"
"""The note of a reward that belongs to no trial."""


class Trials:
    """The trials of one task.

    ``rewards`` are those since the open trial started. Without an open trial they belong to no trial yet.
    """

    def __init__(self, log: TaskLog, rewards: list[Reward]) -> None:
        self.open: Row | None = None
        self.rewards = rewards
        self._log = log
        self._closed: list[tuple[Row, list[Reward]]] = []

    @property
    def pending_rows(self) -> int:
        """Return the number of closed trials whose row is not written yet."""
        return len(self._closed)

    def begin_trial(self, row: Row, *, keep_rewards: bool = False, begun_at: CodeLine | None = None) -> None:
        """Start a trial; the rewards from now on belong to its row, with ``keep_rewards`` also those before it.

        A wrong cell is reported with its line, that of the protocol at which the trial begins (``begun_at``) or a later
        one, where it is an error.
        """
        if self._log.keep_wrong_cells:
            keep_unknown(row)
        elif begun_at is not None:
            trace_lines(row, begun_at)
        if not keep_rewards:
            self.log_orphan_rewards()
        self.open = row

    def end_trial(self) -> None:
        """Close the open trial, if any; its row is written as soon as none of its rewards is pending."""
        if self.open is not None:
            # A copy of the rewards: the list is shared with the ledger, which adds to it from now on for the next
            # trial.
            self._closed.append((self.open, list(self.rewards)))
            self.rewards.clear()
            self.open = None
            self.write_settled()

    def log_orphan_rewards(self) -> None:
        """Write a note of every reward that belongs to no trial."""
        for reward in self.rewards:
            gave = {**reward.amount.fields(), "delivered_by": reward.delivered_by, "status": reward.status}
            self._log.note({"what": REWARD_OUTSIDE_TRIAL, "source": reward.source, **gave})
        self.rewards.clear()

    def write_settled(self) -> None:
        """Write the rows, in the order of the trials, up to the first with a pending reward."""
        # Strictly in the order of the trials: a later row never precedes an earlier one whose reward is pending.
        while self._closed and all(reward.status != RewardStatus.PENDING for reward in self._closed[0][1]):
            row, rewards = self._closed.pop(0)
            row.on_rewards(self._log.in_task_time(rewards))
            self._log.row(row)
