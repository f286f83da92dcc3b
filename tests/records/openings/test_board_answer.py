"""Which of the openings that a board has kept are those of a session, and when they may decide anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rig.core.journal.kinds import Openings
from rig.core.model.actions import Amount, Arm, Pulse, RewardAction
from rig.core.model.board import BoardCapacity, BoardInfo, KeptOpening, OpeningLog
from rig.core.model.reward import Reward, RewardStatus
from rig.records.openings.board_answer import BoardAnswer, decide_rewards
from rig.records.openings.expected import ExpectedOpenings
from rig.records.openings.match import Decision, Way
from tests.records.journals import Book

BEAM, VALVE = 0, 1
DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
LEFT = Way("left.valve", 40_000, "left", Amount(ul=2.5))
TICK_NS = 4_000
POWER_ONS = 12
LIMITS = BoardCapacity(14, 16, 8, 24, 8, 48, 40, 1 << 30, 8)
GIVEN, NOT_GIVEN = True, False


class Session(Book):
    """A session that gave one drop at 10 s, and died with a reflex armed at 11 s; ``before`` was kept when it began."""

    def __init__(
        self, before: Sequence[KeptOpening] = (), epoch: int = 30, stamp: int = 5_000, *, expired: int = 0
    ) -> None:
        super().__init__()
        self.zero = stamp
        self.first_epoch = epoch
        log = OpeningLog(POWER_ONS, epoch, stamp, TICK_NS, tuple(before))
        self.header()
        self.openings(BoardInfo("uno", "7F3A", "1.0", LIMITS, openings=log), ["left.beam", "left.valve"])
        for expiration in range(expired):
            self._t_us = 1_000_000 * (expiration + 1)
            self.lease(expiration + 1, 0)
        self._t_us = 10_000_000
        self.reflex(1, "pending")
        self.command(1, Arm(1, None, (("left.beam", 1, DROP),)))
        self.edge("left.beam", 1, fired=1)
        self.reflex(1, "delivered")
        self.super_done()
        self._t_us = 11_000_000
        self.reflex(2, "pending")
        self.command(2, Arm(1, None, (("left.beam", 1, DROP),)))

    def reflex(self, number: int, status: str) -> None:
        self.reward(Reward(Amount(2.5), "left", "board", self._t_us, "reflex", RewardStatus(status), number, group=1))

    def super_done(self) -> None:
        self.line("output_done", t_us=self._t_us + 40_100, output="left.valve", why="finished")

    def opening(self, number: int, t_us: int, **fields: Any) -> KeptOpening:
        stamp = (self.zero + t_us * 1000 // TICK_NS) & 0xFFFF_FFFF
        found = KeptOpening(number & 0xFFFF, VALVE, self.first_epoch, stamp, 40_000 * 1000 // TICK_NS)
        return replace(found, **fields)

    @property
    def first(self) -> int:
        return 10_002_100

    def decide(self, *kept: KeptOpening, power_ons: int = POWER_ONS) -> bool | None:
        """Tell what becomes of the reward in doubt; None if that is not known."""
        followed = ExpectedOpenings()
        for line in self.lines:
            followed.take(line)
        (opened,) = (line for line in self.lines if isinstance(line, Openings))
        found: Decision | None = decide_rewards(followed, opened, BoardAnswer("7F3A", power_ons, kept, "a test")).get(2)
        return None if found is None else found.way is not None


OLD = KeptOpening(20, VALVE, 28, 77, 10_000)


def test_a_second_opening_is_the_reward_in_doubt() -> None:
    session = Session([OLD])
    one, two = session.opening(21, session.first), session.opening(22, 13_000_000)
    assert session.decide(OLD, one, two) is GIVEN
    assert session.decide(OLD, one) is NOT_GIVEN


def test_an_opening_of_a_session_is_one_by_its_epoch_and_its_number() -> None:
    session = Session([OLD])
    one, two = session.opening(21, session.first), session.opening(22, 13_000_000)
    assert session.decide(OLD, one, replace(two, epoch=32)) is NOT_GIVEN
    assert session.decide(replace(two, number=19), OLD, one) is NOT_GIVEN


@pytest.mark.parametrize(("epoch", "last"), [(30, 31), (254, 255), (255, 1)])
def test_a_lease_that_expired_in_the_session_began_another_epoch_of_it(epoch: int, last: int) -> None:
    session = Session([OLD], epoch, expired=1)
    one = session.opening(21, session.first, epoch=last)
    two = session.opening(22, 13_000_000, epoch=last)
    assert session.decide(OLD, one, two) is GIVEN


def test_numbers_and_the_clock_may_wrap_in_the_session() -> None:
    session = Session([replace(OLD, number=0xFFFF)], stamp=0xFFFF_FFFF - 2_000_000)
    one, two = session.opening(0x1_0000, session.first), session.opening(0x1_0001, 13_000_000)
    assert one.stamp < session.zero
    assert session.decide(replace(OLD, number=0xFFFF), one, two) is GIVEN
    assert session.decide(replace(OLD, number=0xFFFF), one) is NOT_GIVEN


# --- the board must have had power since ----------------------------------------------------------------------


@pytest.mark.parametrize("before", [[], [OLD]])
def test_a_board_that_has_been_without_power_since_decides_nothing(before: list[KeptOpening]) -> None:
    session = Session(before)
    number = 21 if before else 1
    # Another session since, by chance with the same epoch and numbers, and a drop at the same time.
    foreign = session.opening(number, session.first + 300_000)
    assert session.decide(*before, foreign, power_ons=POWER_ONS + 1) is None
    assert session.decide(*before, foreign) is NOT_GIVEN


def test_a_board_that_has_had_power_since_decides_also_without_earlier_openings() -> None:
    session = Session()
    assert session.decide(session.opening(1, session.first)) is NOT_GIVEN
    assert session.decide(session.opening(1, session.first), session.opening(2, 12_000_000)) is GIVEN


def test_a_confirmed_reward_without_its_opening_refutes_the_whole_answer() -> None:
    session = Session([OLD])
    assert session.decide(OLD) is None
    assert session.decide() is None
    assert session.decide(OLD, session.opening(21, 13_000_000)) is None
    assert Session().decide() is None


# --- what the board has forgotten -----------------------------------------------------------------------------


def test_from_the_oldest_kept_opening_on_all_are_known() -> None:
    session = Session([OLD])
    one, two = session.opening(21, session.first), session.opening(22, 13_000_000)
    assert session.decide(one) is NOT_GIVEN
    assert session.decide(one, two) is GIVEN


def test_a_board_that_has_opened_too_often_since_decides_nothing() -> None:
    session = Session([OLD])
    later = [session.opening(number, 1_000_000 * number, epoch=34) for number in range(23, 31)]
    assert session.decide(*later) is None


def test_the_length_of_an_opening_that_a_reset_has_cut_is_not_known() -> None:
    session = Session([OLD])
    one = session.opening(21, session.first)
    assert session.decide(OLD, one, session.opening(22, 13_000_000, ticks=0, state="cut")) is GIVEN


def test_an_opening_long_after_the_last_line_is_taken_for_nothing() -> None:
    session = Session([OLD])
    one = session.opening(21, session.first)
    assert session.decide(OLD, one, session.opening(22, 2_000_000_000)) is None
