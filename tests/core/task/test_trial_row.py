from dataclasses import dataclass, field
from typing import Annotated

import pytest

from rig.core.errors import TaskError
from rig.core.model.actions import Amount, Pulse, RewardAction
from rig.core.model.reward import Reward, RewardStatus
from rig.core.model.reward_types import HopperSeconds, Pellets, RewardVolume
from rig.core.model.rows import OneOf
from rig.core.task.trial_row import TrialRow
from tests.core.task.task_bench import TaskBench


@dataclass
class Drops(TrialRow):
    t_in: float
    choice: str = ""
    reward_ul: RewardVolume = 0.0


@dataclass
class InTheMiddle(TrialRow):
    choice: str = ""
    outcome: Annotated[str, OneOf("", "rewarded", "unrewarded", "interrupted")] = ""
    side: str = ""


@dataclass
class Grain(TrialRow):
    pellets: Pellets = 0
    grain_s: HopperSeconds = 0.0


def reward(status=RewardStatus.DELIVERED, by="board", **amount):
    return Reward(Amount(**amount), "left", by, 1_000_000, "order", status)


def test_a_protocols_columns_stand_between_the_number_and_the_accounting():
    assert Drops.columns() == ("trial", "t_in", "choice", "reward_ul", "outcome", "delivered_by", "rewarded")
    assert tuple(Drops(1.5).values()) == Drops.columns()


def test_a_column_that_is_named_again_stands_where_it_is_named():
    assert InTheMiddle.columns() == ("trial", "choice", "outcome", "side", "delivered_by", "rewarded")


def test_a_row_of_a_row_has_its_columns_too():
    @dataclass
    class More(Drops):
        laser: int = 0

    assert More.columns() == ("trial", "t_in", "choice", "reward_ul", "laser", "outcome", "delivered_by", "rewarded")


def test_what_was_delivered_is_written_and_what_was_not_is_named():
    row = Drops(1.5)
    row.on_rewards([reward(ul=2.5), reward(RewardStatus.REFUSED, "host", ul=2.5), reward(ul=1.5, by="host")])
    assert (row.outcome, row.rewarded, row.reward_ul, row.delivered_by) == ("rewarded", 2, 4.0, "board,refused,host")


def test_a_trial_in_which_nothing_was_delivered_is_unrewarded():
    row = Drops(1.5)
    row.on_rewards([reward(RewardStatus.UNCONFIRMED, ul=2.5)])
    assert (row.outcome, row.rewarded, row.reward_ul, row.delivered_by) == ("unrewarded", 0, 0, "unconfirmed")


@pytest.mark.parametrize("outcome", ["omission", "hit"])
def test_an_outcome_that_the_protocol_has_written_stays(outcome):
    row = Drops(1.5, outcome=outcome)
    row.on_rewards([reward(ul=2.5)])
    assert (row.outcome, row.rewarded) == (outcome, 1)


def test_an_interrupted_trial_says_so_and_what_it_was_given():
    row = Drops(1.5)
    row.interrupted()
    row.on_rewards([reward(ul=2.5)])
    assert (row.outcome, row.reward_ul) == ("interrupted", 2.5)


def test_a_column_is_filled_by_its_type_whatever_its_name_is():
    row = Grain()
    row.on_rewards([reward(pellets=3), reward(access_s=2.0)])
    assert (row.pellets, row.grain_s, row.rewarded) == (3, 2.0, 2)


def test_trials_are_numbered_when_they_begin():
    task = TaskBench().task
    assert task.trial_number == 0
    assert task.begin_trial(Drops(1.0)).trial == 1
    task.end_trial()
    assert task.begin_trial(Drops(2.0)).trial == 2
    assert task.trial_number == 2


def test_a_trial_that_begins_with_its_reward_keeps_it():
    bench = TaskBench()
    bench.task.do(RewardAction(Pulse("left.valve", 40_000), "left", 2.5))
    bench.task.begin_trial(Drops(1.0), keep_rewards=True)
    assert [each.amount.ul for each in bench.task.rewards] == [2.5]
    bench.task.end_trial()
    bench.task.begin_trial(Drops(2.0))
    assert list(bench.task.rewards) == []


def test_a_column_that_the_row_lacks_cannot_be_set_and_the_one_that_was_meant_is_named():
    row = Drops(1.5)
    with pytest.raises(TaskError, match=r"^Drops has no column 'outcom'\. Did you mean 'outcome'\? It has trial, t_in"):
        row.outcom = "left_early"
    assert "outcom" not in vars(row)
    assert row.outcome == ""


def test_a_column_of_a_class_that_is_no_dataclass_is_refused_with_what_is_missing():
    class Forgotten(TrialRow):
        t_cue: float = 0.0

    with pytest.raises(TaskError, match="has no column 't_cue': write @dataclass above the class"):
        Forgotten().t_cue = 1.0


def test_a_type_that_cannot_be_read_is_named() -> None:
    @dataclass
    class Local(TrialRow):
        drop_ul: "LocalVolume" = 0.0  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(TaskError, match="Local: the type of a column cannot be read: name 'LocalVolume'"):
        Local.amount_columns()


def test_a_column_that_is_no_argument_of_the_row_has_its_default() -> None:
    @dataclass
    class Blocked(TrialRow):
        block: int = field(init=False, default=3)

    assert Blocked().values()["block"] == 3
