"""The open trial, and the closed trials whose rows wait for the status of their rewards."""

from __future__ import annotations

from rig.core.engine.task_log import TaskLog
from rig.core.model.code_lines import CodeLine, line_text
from rig.core.model.reward import Reward, RewardStatus
from rig.core.model.rows import Row, begun_line, keep_unknown, reopen, seal, trace_lines

REWARD_OUTSIDE_TRIAL = "reward_outside_trial"
"""The note of a reward that belongs to no trial."""
TRIAL_OUT_OF_ORDER = "trial_out_of_order"
"""The note of the first trial that began while another was open, or ended while none was."""
NO_TRIAL_ENDS = (
    "self.end_trial() while no trial is open: it has ended already, or never began; end a trial once, and return after "
    "it"
)


class Trials:
    """The trials of one task.

    ``rewards`` are those since the open trial started. Without an open trial they belong to no trial yet.
    """

    def __init__(self, log: TaskLog, rewards: list[Reward]) -> None:
        self.open: Row | None = None
        self.rewards = rewards
        self.ended_in_state = False
        """Whether a trial has ended since the current state began."""
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
        if self._log.keep_mistakes:
            keep_unknown(row)
        elif begun_at is not None:
            trace_lines(row, begun_at)
        if not keep_rewards:
            self.log_orphan_rewards()
        self.open = row

    def close_left_open(self) -> None:
        """Close a trial that is open when the next one begins: a mistake, but no row is lost."""
        if self.open is not None:
            line = begun_line(self.open)
            which = "a trial" if line is None else f"the trial of {line_text(line)}"
            text = f"self.begin_trial while {which} is open: end that one first, with self.end_trial()"
            self._log.mistake(TRIAL_OUT_OF_ORDER, text)
            self.end_trial()

    def end_trial(self) -> None:
        """Close the open trial; its row is written as soon as none of its rewards is pending."""
        if self.open is None:
            self._log.mistake(TRIAL_OUT_OF_ORDER, NO_TRIAL_ENDS)
            return
        # A copy of the rewards: the list is shared with the ledger, which adds to it from now on for the next trial.
        self._closed.append((self.open, list(self.rewards)))
        self.rewards.clear()
        seal(self.open)
        self.open = None
        self.ended_in_state = True
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
            reopen(row)
            row.on_rewards(self._log.in_task_time(rewards))
            self._log.row(row)
            seal(row)
