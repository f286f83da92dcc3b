"""Which of the openings that a board has kept are those of a session, and what they decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.kinds import Openings, RewardLine
from rig.core.model.actions import Amount, Arm, Load, Pulse, RewardAction, Set, Start, Train
from rig.core.model.board import BoardCapacity, BoardInfo, KeptOpening, OpeningLog
from rig.core.model.events import Cause
from rig.core.model.reward import Reward, RewardStatus
from rig.records.openings.board_answer import BoardAnswer, decide_rewards
from rig.records.openings.rewards_in_doubt import RewardsInDoubt
from tests.records.journals import Book

CHANNELS = ["left.beam", "left.valve", "right.beam", "right.valve", "feeder.feeder"]
DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
LARGE = RewardAction(Pulse("right.valve", 80_000), "right", 5.0)
MEAL = RewardAction(Train("feeder.feeder", 30_000, 500_000, 3), "feeder", pellets=3)
POKED = 0 | 0x80
RIGHT_POKED = 2 | 0x80
TICK_NS = 4_000
POWER_ONS = 12
BATCHES = 7
"""So many batches configured the board."""
LIMITS = BoardCapacity(14, 16, 8, 24, 8, 48, 40, 1 << 30, 8)
GIVEN, NOT_GIVEN = True, False


class Session(Book):
    """A session that gave one drop at 10 s, and died with a reflex armed at 11 s; ``before`` was kept when it began."""

    first = 10_002_100

    def __init__(
        self,
        before: Sequence[KeptOpening] = (),
        epoch: int = 30,
        stamp: int = 5_000,
        *,
        expired: int = 0,
        is_empty: bool = False,
    ) -> None:
        super().__init__()
        self.zero = stamp
        self.first_epoch = epoch
        log = OpeningLog(POWER_ONS, epoch, BATCHES, stamp, TICK_NS, tuple(before))
        self.header()
        self.openings(BoardInfo("uno", "7F3A", "1.0", LIMITS, openings=log), CHANNELS)
        for expiration in range(expired):
            self._t_us = 1_000_000 * (expiration + 1)
            self.lease(expiration + 1, 0)
        if not is_empty:
            self._t_us = 10_000_000
            self.reflex(1, "pending")
            self.arm(1, 1, DROP)
            self._t_us = self.first
            self.reflex(1, "delivered", member=0)
            self._t_us = 11_000_000
            self.reflex(2, "pending")
            self.arm(2, 1, DROP)

    def gave(self, number: int, status: str = "delivered", amount: Amount = DROP.amount, **known: Any) -> None:
        """Write the status of a reward now; ``known`` is its cause and what names it, or another source."""
        fields = {"source": "left", "delivered_by": "board", "cause": "reflex"} | known
        self.reward(Reward(amount, t_us=self._t_us, status=RewardStatus(status), number=number, **fields))

    def reflex(self, number: int, status: str, group: int = 1, **known: Any) -> None:
        self.gave(number, status, group=group, **known)

    def arm(self, batch: int, group: int, left: Any, right: Any = LARGE) -> None:
        self.command(batch, Arm(group, None, (("left.beam", 1, left), ("right.beam", 1, right))))

    def opening(self, number: int, t_us: int, action: RewardAction = DROP, **fields: Any) -> KeptOpening:
        """Return an opening by the reflex of the left beam."""
        stamp = (self.zero + t_us * 1000 // TICK_NS) & 0xFFFF_FFFF
        channel = CHANNELS.index(action.action.output)
        found = KeptOpening(number & 0xFFFF, channel, self.first_epoch, "reflex", 1, POKED, stamp, 10_000)
        return replace(found, **fields)

    def by(self, number: int, t_us: int, action: RewardAction, cause: Cause, by: int, part: int) -> KeptOpening:
        """Return an opening by another cause."""
        return self.opening(number, t_us, action, cause=cause, by=by, part=part)

    def decided(self, *kept: KeptOpening, power_ons: int = POWER_ONS) -> dict[int, RewardLine]:
        followed = RewardsInDoubt()
        for line in self.lines:
            followed.take(line)
        (opened,) = (line for line in self.lines if isinstance(line, Openings))
        return decide_rewards(followed, opened, BoardAnswer("7F3A", power_ons, kept, "a test"))

    def decide(self, *kept: KeptOpening, power_ons: int = POWER_ONS) -> bool | None:
        """Tell what becomes of the reward in doubt; None if that is not known."""
        found = self.decided(*kept, power_ons=power_ons).get(2)
        return None if found is None else found.status is RewardStatus.DELIVERED


OLD = KeptOpening(20, 1, 28, "order", 3, 0, 77, 10_000)


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
    foreign = session.opening(number, session.first)
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


@pytest.mark.parametrize("state", ["ended", "open", "cut"])
def test_a_drop_that_was_cut_counts_in_full(state: str) -> None:
    session = Session([OLD])
    two = session.opening(22, 13_000_000, ticks=0, state=state)
    decided = session.decided(OLD, session.opening(21, session.first), two)
    assert [(line.status, line.amount, line.t_us) for line in decided.values()] == [("delivered", 2.5, 13_000_000)]


def test_an_opening_long_after_the_last_line_is_taken_for_nothing() -> None:
    session = Session([OLD])
    one = session.opening(21, session.first)
    assert session.decide(OLD, one, session.opening(22, 2_000_000_000)) is None


def test_channels_that_the_session_did_not_have_are_no_error() -> None:
    session = Session([OLD])
    one = session.opening(21, session.first)
    assert session.decide(OLD, one, session.opening(22, 13_000_000, channel=99)) is NOT_GIVEN
    assert session.decide(OLD, one, session.opening(22, 13_000_000, part=99)) is GIVEN


# --- what has caused an opening -------------------------------------------------------------------------------


@pytest.fixture
def session() -> Session:
    """A session in which nothing was ordered yet."""
    return Session([OLD], is_empty=True)


def test_the_edge_tells_which_member_of_a_reflex_it_was(session: Session) -> None:
    session.reflex(1, "pending", amount=LARGE.amount, source="left,right")
    session.arm(1, 1, DROP)
    small = session.decided(OLD, session.opening(21, 2_000_000))[1]
    large = session.decided(OLD, session.opening(21, 2_000_000, LARGE, part=RIGHT_POKED))[1]
    assert (small.source, small.amount) == ("left", 2.5)
    assert (large.source, large.amount) == ("right", 5.0)


def test_the_unit_is_that_of_the_member_too(session: Session) -> None:
    session.reflex(1, "pending", amount=LARGE.amount, source="left,feeder")
    session.arm(1, 1, MEAL)
    decided = session.decided(OLD, session.opening(21, 2_000_000, MEAL))[1]
    assert (decided.source, decided.amount, decided.unit) == ("feeder", 3, "pellets")


def test_of_two_reflexes_the_one_whose_group_it_names_has_fired(session: Session) -> None:
    for number in (1, 2):
        session.reflex(number, "pending", group=number)
        session.arm(number, number, DROP)
    decided = session.decided(OLD, session.opening(21, 2_000_000, by=2))
    assert {number: line.status for number, line in decided.items()} == {1: "cancelled", 2: "delivered"}


@pytest.mark.parametrize(("epoch", "by"), [(30, (300 + BATCHES) & 0xFF), (31, 300 & 0xFF)])
def test_an_order_is_known_by_its_batch_which_the_board_counts_from_its_first(epoch: int, by: int) -> None:
    session = Session([OLD], expired=epoch - 30, is_empty=True)
    for number in (1, 2):
        session.gave(number, "pending", cause="order", batch=300, order=number)
    session.command(300, Set("left.light", True), DROP, DROP, epoch=epoch - 30)
    opening = session.by(21, 2_000_000, DROP, "order", by, 2)
    decided = session.decided(OLD, replace(opening, epoch=epoch))
    assert {number: line.status for number, line in decided.items()} == {1: "refused", 2: "delivered"}


def test_an_entry_that_runs_twice_takes_its_openings_in_order(session: Session) -> None:
    session.command(1, Load(3, ((0, Set("left.light", True)), (9_000, DROP))))
    for number in (1, 2, 3):
        session._t_us = 1_000_000 * number
        session.gave(number, "pending", cause="sequence", sequence=3, entry=1)
        session.command(1 + number, Start(3))
    openings = [session.by(20 + run, 1_000_000 * run + 9_000, DROP, "sequence", 3, 1) for run in (1, 2)]
    decided = session.decided(OLD, *openings)
    assert {number: (line.status, line.t_us) for number, line in decided.items()} == {
        1: ("delivered", 1_009_000),
        2: ("delivered", 2_009_000),
        3: ("cancelled", 3_000_000),
    }


def test_a_sequence_that_is_started_again_at_once_gives_two_rewards(session: Session) -> None:
    session.command(1, Load(3, ((0, DROP),)))
    for number in (1, 2, 3):
        session.gave(number, "pending", cause="sequence", sequence=3, entry=0)
    session._t_us = 1_000_000
    session.gave(1, "delivered", cause="sequence", sequence=3, entry=0)
    openings = [session.by(21 + n, 1_000_000 + 400 * n, DROP, "sequence", 3, 0) for n in range(3)]
    assert [line.t_us for line in session.decided(OLD, *openings).values()] == [1_000_400, 1_000_800]
    assert {line.status for line in session.decided(OLD, *openings[:1]).values()} == {"cancelled"}


def test_a_reflex_may_have_started_the_sequence_that_gave_it(session: Session) -> None:
    session.command(1, Load(3, ((0, LARGE),)))
    session.reflex(1, "pending", amount=LARGE.amount)
    session.arm(2, 1, Start(3))
    decided = session.decided(OLD, session.by(21, 2_000_000, LARGE, "sequence", 3, 0))[1]
    assert (decided.status, decided.source, decided.amount) == ("delivered", "right", 5.0)


def test_an_opening_is_rather_a_sequences_own_than_a_reflexs(session: Session) -> None:
    session.command(1, Load(3, ((0, LARGE),)))
    session.reflex(1, "pending", amount=LARGE.amount)
    session.arm(2, 1, DROP, Start(3))
    session.gave(2, "pending", LARGE.amount, source="right", cause="sequence", sequence=3, entry=0)
    session.command(3, Start(3))
    run = session.by(21, 2_000_000, LARGE, "sequence", 3, 0)
    assert {number: line.status for number, line in session.decided(OLD, run).items()} == {
        1: "cancelled",
        2: "delivered",
    }
    fired = session.opening(22, 3_000_000)
    assert {line.status for line in session.decided(OLD, run, fired).values()} == {"delivered"}


def test_the_pulses_of_a_train_are_one_reward(session: Session) -> None:
    for number in (1, 2):
        session.gave(number, "pending", MEAL.amount, source="feeder", cause="order", batch=number, order=0)
        session.command(number, MEAL)
    session._t_us = 1_000_000
    session.gave(1, "delivered", MEAL.amount, source="feeder", cause="order", batch=1, order=0)
    given = [session.by(21 + n, 1_000_000 + 500_000 * n, MEAL, "order", 1 + BATCHES, 0) for n in range(3)]
    assert session.decided(OLD, *given)[2].status == "refused"
    pulses = [session.by(24 + n, 4_000_000 + 500_000 * n, MEAL, "order", 2 + BATCHES, 0) for n in range(3)]
    assert session.decided(OLD, *given, *pulses)[2].status == "delivered"


def test_an_opening_that_nothing_explains_leaves_all_in_doubt() -> None:
    session = Session([OLD])
    one = session.opening(21, session.first)
    assert session.decide(OLD, one, session.opening(22, 13_000_000, LARGE, cause="sequence")) is None


def test_openings_that_are_no_rewards_decide_nothing() -> None:
    session = Session([OLD])
    light = session.opening(22, 13_000_000, channel=CHANNELS.index("left.beam"))
    assert session.decide(OLD, session.opening(21, session.first), light) is NOT_GIVEN


def test_a_reward_whose_opening_may_be_forgotten_takes_none_from_a_later_one(session: Session) -> None:
    for number in (1, 2):
        session._t_us = 1_000_000 * number
        session.gave(number, "pending", cause="sequence", sequence=3, entry=0)
    beam = session.opening(22, 1_500_000, channel=CHANNELS.index("left.beam"))
    run = session.by(23, 2_500_000, DROP, "sequence", 3, 0)
    assert {number: line.status for number, line in session.decided(beam, run).items()} == {2: "delivered"}


# --- whatever happens -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """What a board did, and what the journal knows of it."""

    session: Session
    openings: list[KeptOpening]
    ul: float

    @classmethod
    def drawn(cls, draw: st.DrawFn) -> History:
        """Draw rewards one after the other; those in doubt were given or not."""
        session = Session([OLD], is_empty=True)
        openings: list[KeptOpening] = []
        ul = 0.0
        session.command(1, Load(3, ((0, DROP), (400_000, LARGE))))
        for number in range(1, draw(st.integers(1, 9)) + 1):
            session._t_us = 1_000_000 * number
            action, cause, fields, by, part = draw(st.sampled_from(_ways(number)))
            certain, fell = draw(st.booleans()), draw(st.booleans())
            reserved = LARGE.amount if cause == "reflex" else action.amount
            session.gave(number, "pending", reserved, cause=cause, **fields)
            session.command(1 + number, _ORDERS[cause](number, action))
            at_us = session._t_us + draw(st.integers(0, 500_000))
            if certain or fell:
                openings.append(session.by(21 + len(openings), at_us, action, cause, by, part))
                ul += action.ul
            if certain:
                session._t_us = at_us
                session.gave(number, "delivered", action.amount, source=action.source, cause=cause, **fields)
            elif draw(st.booleans()):
                session.gave(number, "unconfirmed", reserved, cause=cause, **fields)
        return cls(session, openings, ul)

    def counted_ul(self, *kept: KeptOpening) -> float:
        account = DeliveredRewards()
        for line in (*self.session.lines, *self.session.decided(*kept).values()):
            account.take(line)
        return account.total.amount.ul


def _ways(number: int) -> list[tuple[RewardAction, Cause, dict[str, int], int, int]]:
    return [
        (DROP, "order", {"batch": 1 + number, "order": 0}, 1 + number + BATCHES, 0),
        (DROP, "reflex", {"group": number}, number, POKED),
        (LARGE, "reflex", {"group": number}, number, RIGHT_POKED),
        (DROP, "sequence", {"sequence": 3, "entry": 0}, 3, 0),
        (LARGE, "sequence", {"sequence": 3, "entry": 1}, 3, 1),
    ]


_ORDERS: dict[Cause, Any] = {
    "order": lambda number, action: action,
    "reflex": lambda number, action: Arm(number, None, (("left.beam", 1, DROP), ("right.beam", 1, LARGE))),
    "sequence": lambda number, action: Start(3),
}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_ledger_equals_the_openings_if_none_is_forgotten(data: st.DataObject) -> None:
    history = data.draw(st.composite(History.drawn)())
    assert history.counted_ul(OLD, *history.openings) == pytest.approx(history.ul)


@settings(max_examples=300, deadline=None)
@given(st.data(), st.integers(0, 9))
def test_the_ledger_never_counts_too_little_if_openings_are_forgotten(data: st.DataObject, kept: int) -> None:
    history = data.draw(st.composite(History.drawn)())
    left = history.openings[-kept:] if kept else [replace(OLD, number=60)]
    assert history.counted_ul(*left) >= history.ul - 1e-9
