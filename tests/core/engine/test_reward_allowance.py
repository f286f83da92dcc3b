"""An allowance: the disk says beforehand how much may be given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.engine.reward_allowance import CHUNK, Allowance
from rig.core.engine.reward_ledger import RewardLedger, RewardLimits
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import AllowanceLine, SessionLine
from rig.core.model.actions import Arm, Pulse, RewardAction
from rig.core.model.line import kind_of
from tests.journal_lines import read_line


class Disk:
    """A journal, and how much of it would survive a power cut."""

    def __init__(self) -> None:
        self.lines: list[SessionLine] = []
        self.safe = 0
        self.waits = 0
        self.journal = Journal(lambda line: self.lines.append(read_line(line)), secure=self.secure)
        self.allowance = Allowance(self.journal)
        self.ledger = RewardLedger(RewardLimits(), self.journal)

    def secure(self, lines: int) -> None:
        if self.safe < lines:
            self.safe, self.waits = len(self.lines), self.waits + 1

    def give(self, ul: float) -> None:
        """Order a drop as an engine does."""
        drop = RewardAction(Pulse("left.valve", 1000), "left", ul)
        assert not self.ledger.withholds(drop, 0)
        self.ledger.order(drop, "host", 0)
        self.allowance.cover(0, self.ledger)
        self.ledger.assign_batch([drop], 1)
        self.ledger.confirm(1, 0)

    @property
    def counted(self) -> float:
        """What is counted after a power cut at this moment."""
        given = DeliveredRewards(went_down=True)
        for line in self.lines[: self.safe]:
            given.take(line)
        return given.total.amount.ul


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    disk.allowance.begin()
    return disk


def test_the_first_allows_nothing_and_is_on_the_disk_at_once(disk: Disk) -> None:
    assert [(kind_of(line), line.rewards, line.ul) for line in disk.lines] == [("allowance", 0, 0.0)]
    assert disk.safe == 1


def test_an_action_without_a_reward_needs_no_allowance(disk: Disk) -> None:
    disk.allowance.cover(5, disk.ledger)
    assert len(disk.lines) == 1


def test_the_disk_is_waited_for_once_when_a_helper_syncs_now_and_then(disk: Disk) -> None:
    for _ in range(100):
        disk.give(2.5)
        disk.safe = len(disk.lines)
    assert disk.waits == 2, "for the first allowance, and for the first drop"
    allowances = [line for line in disk.lines if isinstance(line, AllowanceLine)]
    assert len(allowances) <= 2 + 100 // (CHUNK // 2)


def test_without_a_helper_the_disk_is_waited_for_when_the_last_allowance_is_used_up(disk: Disk) -> None:
    for _ in range(100):
        disk.give(2.5)
    assert disk.waits <= 2 + 100 // (CHUNK // 2)


@given(st.lists(st.tuples(st.sampled_from([0.1, 2.2, 2.5, 7.0, 60.0]), st.booleans()), max_size=80))
def test_whatever_is_given_the_disk_allows_it_before(drops: list[tuple[float, bool]]) -> None:
    disk = Disk()
    disk.allowance.begin()
    given_ul = 0.0
    for ul, helper in drops:
        disk.give(ul)
        given_ul += ul
        assert disk.counted >= given_ul - 1e-6
        assert disk.counted <= given_ul + CHUNK * 60
        if helper:
            disk.safe = len(disk.lines)


def test_a_reflex_is_allowed_for_when_it_is_armed(disk: Disk) -> None:
    drop = RewardAction(Pulse("left.valve", 1), "left", 5.0)
    members = {("left.beam", 1): drop}
    arm = Arm(1, None, (("left.beam", 1, drop),))
    disk.ledger.limit_members(members, 0)
    disk.ledger.reserve(1, members, arm, 0)
    disk.allowance.cover(0, disk.ledger)
    assert disk.counted == 5 + CHUNK * 5
    disk.ledger.assign_batch([arm], 1)
    assert disk.ledger.fired(1, drop, 0)
