"""What a trial may give, and how many trials may come to nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from rig.core.journal.kinds import RewardLine, TrialLine
from rig.core.model.reward import RewardStatus
from rig.core.model.shares import COMPLETED
from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Rule

TRIALS = 30


class RewardsPerTrial(Rule[RewardLine | TrialLine]):
    """The rewards between the rows of two trials; those that a person gives do not count."""

    name = "rewards_per_trial"
    kinds = (RewardLine, TrialLine)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._most = limits["max_rewards_per_trial"]
        self._rewards = 0
        self._trials = 0

    def take(self, line: RewardLine | TrialLine) -> Iterator[Finding]:
        """Add a reward; yield a finding for a trial that gave too many."""
        if isinstance(line, RewardLine):
            self._rewards += line.status is RewardStatus.DELIVERED and line.delivered_by != "operator"
            return
        self._trials += 1
        if self._rewards > self._most:
            text = f"trial {self._trials} gave {self._rewards} rewards, at most {self._most:g} are normal"
            yield self.found(line.t_us, text, severity=Severity.BAD)
        self._rewards = 0


class IncompleteTrials(Rule[TrialLine]):
    """The trials that end neither rewarded nor unrewarded: a beam that misses pokes looks like omissions."""

    name = "incomplete_trials"
    kinds = (TrialLine,)

    def __init__(self, limits: Mapping[str, float]) -> None:
        self._max_pct = limits["max_incomplete_pct"]
        self._incomplete: deque[bool] = deque(maxlen=TRIALS)
        self._reported = False

    def take(self, line: TrialLine) -> Iterator[Finding]:
        """Add a trial; yield one finding when too many of the last ones are incomplete."""
        if "outcome" not in line.row or self._reported:
            return
        self._incomplete.append(line.row["outcome"] not in COMPLETED)
        pct = 100 * sum(self._incomplete) / TRIALS
        if len(self._incomplete) == TRIALS and pct > self._max_pct:
            self._reported = True
            text = (
                f"{pct:.0f} % of the last {TRIALS} trials were not completed (normal: at most {self._max_pct:g} %): "
                "does a beam miss entries?"
            )
            yield self.found(line.t_us, text)
