"""Trials: whose the rewards are, and when the rows are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from rig.core.engine.task_log import TaskLog
from rig.core.engine.task_time import TaskTime
from rig.core.engine.trials import Trials
from rig.core.errors import TaskError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SessionLine
from rig.core.model.actions import Amount
from rig.core.model.line import kind_of
from rig.core.model.reward import Reward, RewardStatus
from rig.core.model.rows import Row
from tests.journal_lines import read_line
from tests.recording_observer import RecordingObserver


@dataclass
class Trial(Row):
    trial: int
    rewards: int = 0

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        self.rewards = len(rewards)


def reward(status: RewardStatus) -> Reward:
    return Reward(Amount(2.5), "left", "host", 0, "order", status)


class TrialBench:
    """Trials, and what they write."""

    def __init__(self) -> None:
        self.lines: list[SessionLine] = []
        self.observer = RecordingObserver()
        self.time = TaskTime(now_us=70)
        journal = Journal(lambda line: self.lines.append(read_line(line)))
        self.log = TaskLog(journal, self.time, self.observer)
        self.trials = Trials(self.log, [])


@pytest.fixture
def bench() -> TrialBench:
    return TrialBench()


def test_rows_are_written_in_the_order_of_their_trials_once_no_reward_before_them_is_pending(bench: TrialBench) -> None:
    pending = reward(RewardStatus.PENDING)
    bench.trials.begin_trial(Trial(1))
    bench.trials.rewards.append(pending)
    bench.trials.end_trial()
    bench.trials.begin_trial(Trial(2))
    bench.trials.end_trial()
    assert (bench.observer.rows, bench.trials.pending_rows, bench.log.rows) == ([], 2, 0)
    pending.status = RewardStatus.DELIVERED
    bench.trials.write_settled()
    assert bench.observer.rows == [Trial(1, 1), Trial(2, 0)]
    assert [(kind_of(line), line.t_us, line.row["trial"]) for line in bench.lines] == [
        ("trial", 70, 1),
        ("trial", 70, 2),
    ]
    assert (bench.trials.pending_rows, bench.log.rows) == (0, 2)


def test_a_reward_before_a_trial_is_its_own_only_where_that_is_said(bench: TrialBench) -> None:
    bench.trials.rewards.append(reward(RewardStatus.DELIVERED))
    bench.trials.begin_trial(Trial(1), keep_rewards=True)
    bench.trials.end_trial()
    assert bench.observer.rows == [Trial(1, 1)]
    bench.trials.rewards.append(reward(RewardStatus.DELIVERED))
    bench.trials.begin_trial(Trial(2))
    bench.trials.end_trial()
    assert bench.observer.rows[1:] == [Trial(2, 0)]
    assert [(note["source"], note["delivered_by"]) for note in bench.observer.notes] == [("left", "host")]


def test_an_end_without_a_trial_is_a_mistake(bench: TrialBench) -> None:
    with pytest.raises(TaskError, match="while no trial is open: it has ended already, or never began"):
        bench.trials.end_trial()


def test_a_trial_that_is_left_open_is_a_mistake_with_its_line(bench: TrialBench) -> None:
    bench.trials.begin_trial(Trial(1), begun_at=("protocols/hold.py", 44))
    with pytest.raises(TaskError, match=r"while the trial of hold\.py:44 is open: end that one first, with self\.end"):
        bench.trials.close_left_open()


def test_a_row_takes_no_value_after_its_trial(bench: TrialBench) -> None:
    row = Trial(1)
    bench.trials.begin_trial(row, begun_at=("protocols/hold.py", 44))
    pending = reward(RewardStatus.PENDING)
    bench.trials.rewards.append(pending)
    bench.trials.end_trial()
    for status in (RewardStatus.PENDING, RewardStatus.DELIVERED):
        pending.status = status
        bench.trials.write_settled()
        with pytest.raises(TaskError, match=r"the row gets trial after self\.end_trial\(\), when it may be written"):
            row.trial = 7
    assert bench.observer.rows == [Trial(1, 1)]


def test_a_real_session_loses_no_row_and_says_so_once(bench: TrialBench) -> None:
    bench.log.keep_mistakes = True
    bench.trials.end_trial()
    for number in (1, 2):
        bench.trials.close_left_open()
        bench.trials.begin_trial(Trial(number))
    bench.trials.end_trial()
    assert bench.observer.rows == [Trial(1), Trial(2)]
    assert [note["what"] for note in bench.observer.notes] == ["trial_out_of_order"]


def test_task_time_never_goes_back() -> None:
    time = TaskTime()
    time.start(5)
    time.advance(9)
    time.advance(7)
    assert (time.started, time.now_us) == (True, 9)
