"""The ledger: limits, and lines of the journal whose sum is what was given, or may have been."""

from contextlib import nullcontext

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from rig.core.engine.rewards import RewardLedger, RewardLimits
from rig.core.errors import TaskError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Note
from rig.core.model.actions import NOTHING, Amount, Arm, Disarm, Load, Pulse, Ramp, RewardAction, Start, Stop, Train
from rig.core.model.events import WHOLE_BATCH
from rig.records.session.last_rewards import last_rewards
from tests.journal_lines import read_line

LEFT, RIGHT = ("left.beam", 1), ("right.beam", 1)
PELLETS = RewardAction(Train("left_feeder", 50_000, 500_000, 3), "left_feeder", pellets=3)
ONE = RewardAction(Pulse("right_feeder", 50_000), "right_feeder", pellets=1)
COUNTDOWN, MEAL = 1, 2


def drop(ul=2.5, source="left"):
    return RewardAction(Pulse(f"{source}.valve", 40_000), source, ul)


class LedgerBench:
    """A ledger and its journal, with the batches numbered as an engine does."""

    def __init__(self, start=None, **limits):
        self.lines = []
        self.ledger = RewardLedger(
            RewardLimits(**limits), Journal(lambda raw: self.lines.append(read_line(raw))), start
        )
        self.batches = 0

    def order(self, *orders, by="host", t_us=0):
        """Order and send; return the number of the batch."""
        for order in orders:
            self.ledger.order(order, by, t_us)
        self.batches += 1
        self.ledger.assign_batch(orders, self.batches)
        return self.batches

    def arm(self, group, members, until_us=None):
        order = Arm(group, until_us, tuple((*pattern, action) for pattern, action in members.items()))
        self.ledger.reserve(group, members, order, 0)
        return self.order(order)

    def give(self, ul=2.5):
        self.ledger.confirm(self.order(drop(ul)), 0)

    @property
    def rewards(self):
        """The last status, amount and source of every reward in the journal."""
        return [(line.status, line.amount, line.source) for line in last_rewards(self.lines)]

    @property
    def summed(self):
        given = DeliveredRewards()
        for line in self.lines:
            given.take(line)
        return given


@pytest.fixture
def bench():
    return LedgerBench()


def maze(**limits):
    """A ledger that knows a countdown of five seconds, and the meal that it leads to."""
    bench = LedgerBench(**limits)
    bench.order(Load(MEAL, ((0, PELLETS),)))
    tones = Ramp("speaker", 1875, -175, 100_000, 1_000_000, 6)
    bench.order(Load(COUNTDOWN, ((0, tones), (5_000_000, Start(MEAL)))))
    bench.ledger.confirm(2, 0)
    return bench


# --- limits ---------------------------------------------------------------------------------------------------


def test_without_limits_there_is_always_room(bench):
    for _ in range(100):
        bench.give()
    assert bench.ledger.can_deliver(Amount(1e6))
    assert not bench.ledger.limit_reached


def test_the_last_drop_that_fits_is_delivered_and_the_next_is_not():
    bench = LedgerBench(max_rewards=2)
    bench.give()
    assert not bench.ledger.exceeds_limit(drop(), 5)
    bench.give()
    assert bench.ledger.exceeds_limit(drop(), 7)
    assert bench.ledger.limit_reached
    assert [(line.t_us, line.what, line.fields["ul"]) for line in bench.lines if isinstance(line, Note)] == [
        (7, "reward_withheld", 2.5)
    ]


@pytest.mark.parametrize(("max_ul", "drops"), [(7.4, 2), (7.5, 3), (7.6, 3)])
def test_a_limit_in_microliters_is_never_passed(max_ul, drops):
    bench = LedgerBench(max_ul=max_ul)
    while not bench.ledger.exceeds_limit(drop(), 0):
        bench.give()
    assert bench.ledger.account.total == (drops, Amount(2.5 * drops))
    assert bench.ledger.limit_reached


def test_sums_of_volumes_that_no_binary_number_meets_still_fill_the_limit():
    bench = LedgerBench(max_ul=6.6)
    for _ in range(3):
        assert bench.ledger.can_deliver(Amount(2.2))
        bench.give(2.2)
    assert not bench.ledger.can_deliver(Amount(2.2))


def test_a_limit_in_pellets_is_never_passed():
    bench = LedgerBench(max_pellets=7)
    while not bench.ledger.exceeds_limit(PELLETS, 0):
        bench.order(PELLETS)
    assert bench.ledger.account.total == (2, Amount(pellets=6))


def test_what_a_reflex_may_give_takes_room_until_it_is_released():
    bench = LedgerBench(max_rewards=2, max_ul=10)
    bench.arm(1, {LEFT: drop(8)})
    assert bench.ledger.can_deliver(Amount(2))
    assert not bench.ledger.can_deliver(Amount(2.5))
    bench.arm(2, {LEFT: drop(1)})
    assert not bench.ledger.can_deliver(Amount(0.5))
    assert not bench.ledger.limit_reached, "by what was given, not by what is reserved"
    bench.ledger.release(1)
    bench.ledger.release(1)
    assert bench.ledger.can_deliver(Amount(2.5))


def test_members_that_would_pass_a_limit_give_nothing():
    bench = LedgerBench(max_ul=2)
    members = {LEFT: drop(2), RIGHT: drop(2.5, "right")}
    bench.ledger.limit_members(members, 0)
    assert members == {LEFT: drop(2), RIGHT: NOTHING}


def test_pellets_are_delivered_until_the_last_has_dropped(bench):
    bench.order(PELLETS)
    assert bench.ledger.delivery_end_us == 1_050_000 + 50_000


# --- orders ---------------------------------------------------------------------------------------------------


def test_an_order_is_pending_before_it_is_sent_and_delivered_when_its_batch_was_executed(bench):
    bench.order(drop(), by="operator")
    bench.order(NOTHING, drop(3))
    (first, second) = bench.lines
    assert (first.status, first.delivered_by, first.cause, first.batch, first.order) == (
        *("pending", "operator", "order"),
        *(1, 0),
    )
    assert (second.batch, second.order, second.amount, second.unit) == (2, 1, 3, "ul")
    bench.ledger.confirm(1, 50)
    assert bench.rewards == [("delivered", 2.5, "left"), ("pending", 3, "left")]
    assert [reward.status for reward in bench.ledger.trial_rewards] == ["pending"], "what a person gave is no trial's"
    bench.ledger.confirm(2, 60)
    assert bench.ledger.pending == []
    assert bench.summed.delivered == bench.ledger.account.total == (2, Amount(5.5))


def test_a_refused_order_is_taken_back_and_no_other():
    bench = LedgerBench(max_rewards=2)
    bench.order(drop(), drop(1))
    assert bench.ledger.refuse(1, 1)
    assert not bench.ledger.refuse(2, 0)
    assert bench.rewards == [("pending", 2.5, "left"), ("refused", 1, "left")]
    assert bench.ledger.can_deliver(Amount(2.5))


def test_what_was_never_sent_is_refused_once_and_says_of_no_batch(bench):
    bench.ledger.order(drop(), "host", 4)
    bench.ledger.cancel_unsent()
    (line,) = bench.lines
    assert (line.status, line.t_us) == ("refused", 4)
    assert line.batch is None
    assert bench.ledger.rewards == 0


def test_when_an_epoch_ends_what_was_not_executed_never_will_be(bench):
    bench.order(drop(1))
    bench.order(drop(2))
    bench.arm(1, {LEFT: drop(5)})
    bench.ledger.end_epoch(1)
    assert bench.rewards == [("delivered", 1, "left"), ("refused", 2, "left"), ("cancelled", 5, "left")]
    assert (bench.ledger.rewards, bench.ledger.total, bench.ledger.reserved) == (1, Amount(1), {})


def test_what_cannot_be_known_is_counted_and_unconfirmed(bench):
    bench.order(drop())
    bench.arm(1, {LEFT: drop(5)})
    for _ in range(2):
        bench.ledger.mark_unconfirmed(9)
        assert bench.rewards == [("unconfirmed", 2.5, "left"), ("unconfirmed", 5, "left")]
        assert bench.summed.total == bench.summed.unconfirmed == (2, Amount(7.5))
        assert (bench.ledger.rewards, bench.ledger.total) == (2, Amount(7.5))


def test_rewards_stand_in_their_minutes_and_what_is_unconfirmed_at_the_latest():
    bench = LedgerBench("2026-11-21T23:59:30")
    for t_us in (29_999_999, 30_000_000):
        bench.ledger.confirm(bench.order(drop(), t_us=t_us), t_us)
    refused = bench.order(drop())
    bench.order(drop())
    bench.ledger.refuse(refused, 0)
    bench.arm(1, {LEFT: drop(5)})
    bench.ledger.mark_unconfirmed(200_000_000)
    assert bench.ledger.account.rows() == [(0, 2.5, 0, 0), (1, 2.5, 0, 0), (3, 7.5, 0, 0)]


# --- reflexes -------------------------------------------------------------------------------------------------


def test_a_group_reserves_its_largest_reward_once_and_the_edge_says_which_it_was(bench):
    bench.arm(1, {LEFT: drop(2.5), RIGHT: drop(5, "right")})
    assert bench.rewards == [("pending", 5, "left,right")]
    assert bench.ledger.fired(1, drop(2.5), 77, 12)
    assert bench.rewards == [("delivered", 2.5, "left")]
    last = bench.lines[-1]
    assert (last.t_us, last.cause, last.group, last.edge) == (77, "reflex", 1, 12)
    assert bench.ledger.reserved == {}


def test_a_group_that_may_give_unlike_things_reserves_both_and_gives_one(bench):
    bench.arm(1, {LEFT: drop(2.5), RIGHT: ONE})
    assert bench.summed.uncertain == (2, Amount(2.5, 1))
    bench.ledger.fired(1, ONE, 5, 1)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(pellets=1))


def test_a_group_that_fired_at_a_member_without_reward_gave_nothing(bench):
    bench.arm(1, {LEFT: drop(), RIGHT: NOTHING})
    assert not bench.ledger.fired(1, NOTHING, 5, 1)
    assert bench.rewards == [("cancelled", 2.5, "left")]


def test_a_group_is_over_when_the_boards_time_has_passed_its_end(bench):
    bench.arm(1, {LEFT: drop()}, until_us=500)
    bench.ledger.confirm(1, 500)
    assert bench.rewards == [("pending", 2.5, "left")]
    bench.ledger.confirm(1, 501)
    assert bench.rewards == [("cancelled", 2.5, "left")]


def test_a_group_keeps_its_room_until_its_disarming_was_executed():
    bench = LedgerBench(max_rewards=1)
    bench.arm(1, {LEFT: drop()})
    batch = bench.order(Disarm(1))
    bench.ledger.confirm(batch - 1, 0)
    assert not bench.ledger.can_deliver(Amount(2.5))
    assert bench.summed.uncertain.rewards == 1
    bench.ledger.confirm(batch, 0)
    assert bench.ledger.can_deliver(Amount(2.5))
    assert bench.summed.uncertain.rewards == 0


def test_a_group_that_the_host_alone_decides_takes_room_and_has_no_line():
    bench = LedgerBench(max_rewards=1)
    bench.ledger.reserve(1, {LEFT: drop()}, None, 0)
    assert not bench.ledger.can_deliver(Amount(1))
    bench.ledger.mark_unconfirmed(9)
    assert (bench.lines, bench.ledger.rewards) == ([], 0)


def test_a_group_that_was_never_armed_has_no_line(bench):
    order = Arm(1, None, ((*LEFT, drop()),))
    bench.ledger.reserve(1, {LEFT: drop()}, order, 0)
    bench.ledger.cancel_unsent()
    assert (bench.lines, bench.ledger.reserved) == ([], {})


# --- sequences ------------------------------------------------------------------------------------------------


def test_a_countdown_that_runs_reserves_its_meal_until_that_starts():
    bench = maze(max_pellets=5)
    bench.order(Start(COUNTDOWN))
    assert bench.rewards == [("pending", 3, "left_feeder")]
    assert not bench.ledger.can_deliver(PELLETS.amount)
    bench.ledger.started(COUNTDOWN, 7)
    assert bench.ledger.trial_rewards == []
    assert not bench.ledger.can_deliver(PELLETS.amount)
    bench.ledger.started(MEAL, 5_000_007)
    (meal,) = bench.ledger.trial_rewards
    assert (meal.amount, meal.delivered_by, meal.t_us, meal.status) == (
        *(PELLETS.amount, "board"),
        *(5_000_007, "delivered"),
    )
    assert (bench.lines[-1].cause, bench.lines[-1].sequence) == ("sequence", MEAL)
    assert bench.rewards == [("delivered", 3, "left_feeder")]
    assert bench.ledger.reserved == {}
    assert bench.ledger.began_us == {COUNTDOWN: 7, MEAL: 5_000_007}


@pytest.mark.parametrize("order", [Stop(COUNTDOWN), Load(COUNTDOWN, ())])
def test_a_countdown_may_still_pay_until_the_board_has_executed_what_ends_it(order):
    bench = maze(max_rewards=1)
    bench.order(Start(COUNTDOWN))
    batch = bench.order(order)
    assert not bench.ledger.can_deliver(Amount(1)), "the board may still give its reward"
    bench.ledger.confirm(batch - 1, 0)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.ledger.confirm(batch, 0)
    assert bench.rewards == [("cancelled", 3, "left_feeder")]


def test_what_was_to_end_a_countdown_and_was_refused_ends_nothing():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    bench.ledger.started(COUNTDOWN, 0)
    batch = bench.order(Stop(COUNTDOWN))
    bench.ledger.refuse(batch, 0)
    bench.ledger.confirm(batch, 0)
    assert bench.summed.uncertain == (1, Amount(pellets=3))


def test_a_start_that_was_refused_reserves_nothing():
    bench = maze()
    bench.ledger.refuse(bench.order(Start(COUNTDOWN)), 0)
    assert bench.rewards == [("cancelled", 3, "left_feeder")]


def test_a_meal_that_started_before_its_countdown_was_stopped_is_counted_once():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    bench.order(Stop(COUNTDOWN))
    bench.ledger.started(MEAL, 5)
    bench.ledger.mark_unconfirmed(9)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(pellets=3))


def test_a_countdown_that_is_started_again_may_have_delivered_before():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    batch = bench.order(Start(COUNTDOWN))
    assert bench.summed.uncertain == (2, Amount(pellets=6))
    bench.ledger.started(COUNTDOWN, 5)
    bench.ledger.started(COUNTDOWN, 6)
    bench.ledger.confirm(batch, 7)
    assert bench.summed.uncertain == (1, Amount(pellets=3))


def test_a_reflex_that_starts_a_countdown_hands_its_reservation_on_and_one_that_stops_it_ends_it():
    bench = maze()
    bench.arm(1, {LEFT: Start(COUNTDOWN)})
    bench.ledger.fired(1, Start(COUNTDOWN), 5, 1)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.ledger.started(COUNTDOWN, 5)
    bench.arm(2, {LEFT: Stop(COUNTDOWN)})
    bench.ledger.fired(2, Stop(COUNTDOWN), 9, 2)
    assert bench.summed.total == (0, Amount())


def test_a_start_that_is_on_its_way_when_a_reflex_stops_it_may_come_later():
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.fired(3, Stop(COUNTDOWN), 9, 2)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.ledger.started(COUNTDOWN, 11)
    bench.ledger.confirm(batch, 12)
    assert bench.summed.uncertain == (1, Amount(pellets=3)), "it came after the stop"


def test_a_meal_may_start_by_itself_while_another_countdown_runs():
    bench = maze()
    bench.order(Load(3, ((0, ONE),)))
    bench.order(Start(COUNTDOWN))
    bench.ledger.started(3, 9)
    assert bench.rewards == [("pending", 3, "left_feeder"), ("delivered", 1, "right_feeder")]
    assert bench.ledger.reserved == {-COUNTDOWN: Amount(pellets=3)}


def test_a_sequence_that_starts_two_reserves_the_second_when_the_first_has_delivered():
    bench = maze()
    bench.order(Load(3, ((0, PELLETS),)))
    bench.order(Load(4, ((1, Start(MEAL)), (2, Start(3)))))
    bench.order(Start(4))
    for sequence, left in ((4, 2), (MEAL, 1), (3, 0)):
        bench.ledger.started(sequence, sequence)
        assert bench.summed.uncertain == (left, Amount(pellets=3 * left))
    assert bench.summed.total == (2, Amount(pellets=6))


@pytest.mark.parametrize(
    "begin",
    [
        lambda bench: bench.arm(1, {LEFT: Start(COUNTDOWN)}),
        lambda bench: bench.order(Start(COUNTDOWN)),
        lambda bench: bench.ledger.order(Start(MEAL), "host", 0),
    ],
    ids=["armed", "running", "in the same batch"],
)
@pytest.mark.parametrize("entries", [(), ((0, RewardAction(Pulse("left", 50_000), "left", ul=5.0)),)])
def test_a_meal_cannot_change_while_something_may_start_it(begin, entries):
    bench = maze()
    begin(bench)
    bench.order(Load(MEAL, ((0, PELLETS),)))
    with pytest.raises(TaskError, match="sequence 2 is loaded with another reward while"):
        bench.order(Load(MEAL, entries))


@pytest.mark.parametrize("t_us", [5_000_009, 5_000_010])
def test_a_meal_may_change_from_the_moment_at_which_its_countdown_starts_it(t_us):
    bench = maze()
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    bench.ledger.started(COUNTDOWN, 10)
    with nullcontext() if t_us == 5_000_010 else pytest.raises(TaskError, match="sequence 2 is loaded with another"):
        bench.order(Load(MEAL, ()), t_us=t_us)


def test_what_was_loaded_before_is_played_until_the_board_has_the_new():
    bench = maze()
    start = bench.order(Start(MEAL))
    bench.order(Load(MEAL, ((0, ONE),)))
    bench.ledger.started(MEAL, 5)
    bench.ledger.confirm(start, 6)
    assert bench.summed.delivered == (1, Amount(pellets=3))


def test_a_reward_later_than_the_start_of_a_sequence_is_refused(bench):
    with pytest.raises(TaskError, match="put it at the start of a sequence of its own"):
        bench.order(Load(1, ((5, PELLETS),)))


def test_a_board_that_lost_its_sequences_delivers_nothing():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    bench.ledger.end_epoch(0)
    bench.ledger.started(MEAL, 5)
    assert (bench.ledger.reserved, bench.ledger.trial_rewards) == ({}, [])
    assert bench.summed.total == (0, Amount())


# --- a board that does what it is told, and a journal that may end at any line ------------------------------------


class Sessions(RuleBasedStateMachine):
    """Orders, reflexes and sequences in any order, on a board that executes, fires, starts, refuses and forgets."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = maze()
        self.bench.order(Load(3, ((0, ONE),)))
        self.truly = Amount()
        self.waiting: list[tuple[int, int, object]] = []
        self.armed: dict[int, dict[tuple[str, int], object]] = {}
        self.running = 0
        self.done = 3
        self.groups = 0
        self.t_us = 0

    def send(self, order: object) -> None:
        self.waiting.append((self.bench.order(order), 0, order))

    @rule(ul=st.sampled_from([1.0, 2.5]))
    def give(self, ul: float) -> None:
        self.send(drop(ul))

    @rule(order=st.sampled_from([Start(COUNTDOWN), Stop(COUNTDOWN), Start(3), Start(MEAL)]))
    def sequence(self, order: object) -> None:
        self.send(type(order)(order.sequence))

    @rule(left=st.sampled_from([drop(), ONE, Start(COUNTDOWN), Stop(COUNTDOWN), NOTHING]))
    def arm(self, left: object) -> None:
        self.groups += 1
        members = {LEFT: left, RIGHT: drop(5, "right")}
        order = Arm(self.groups, None, tuple((*pattern, action) for pattern, action in members.items()))
        self.bench.ledger.reserve(self.groups, members, order, self.t_us)
        self.send(order)

    @rule()
    def disarm(self) -> None:
        if self.groups:
            self.send(Disarm(self.groups))

    @precondition(lambda self: self.waiting)
    @rule()
    def execute(self) -> None:
        """Let the board do the next batch; its events are read at once."""
        self.done, _, order = self.waiting.pop(0)
        if isinstance(order, RewardAction):
            self.truly += order.amount
        elif isinstance(order, Arm):
            self.armed[order.group] = {(channel, level): action for channel, level, action in order.members}
        elif isinstance(order, Disarm):
            self.armed.pop(order.group, None)
        else:
            self.act(order)

    def act(self, action: object) -> None:
        self.t_us += 1
        if isinstance(action, Stop):
            self.running = 0
        elif action.sequence == COUNTDOWN:
            self.running = 1
            self.bench.ledger.started(COUNTDOWN, self.t_us)
        else:
            self.truly += PELLETS.amount if action.sequence == MEAL else ONE.amount
            self.reach()
            self.bench.ledger.started(action.sequence, self.t_us)

    def reach(self) -> None:
        """What has just fallen is counted before the host has read of it."""
        total = self.bench.summed.total.amount
        assert total.ul >= self.truly.ul
        assert total.pellets >= self.truly.pellets

    @precondition(lambda self: self.armed)
    @rule(pattern=st.sampled_from([LEFT, RIGHT]), last=st.booleans())
    def fire(self, pattern: tuple[str, int], last: bool) -> None:
        group = max(self.armed) if last else min(self.armed)
        action = self.armed.pop(group)[pattern]
        if isinstance(action, RewardAction):
            self.truly += action.amount
        self.reach()
        self.bench.ledger.fired(group, action, self.t_us, 1)
        if isinstance(action, Start | Stop):
            self.act(action)

    @precondition(lambda self: self.running)
    @rule()
    def count_down(self) -> None:
        self.running = 0
        self.act(Start(MEAL))

    @rule()
    def answer(self) -> None:
        self.bench.ledger.confirm(self.done, self.t_us)

    @precondition(lambda self: self.waiting)
    @rule()
    def refuse(self) -> None:
        self.done, place, order = self.waiting.pop(0)
        self.bench.ledger.refuse(self.done, place)
        if isinstance(order, Arm):
            self.bench.ledger.release(order.group)

    @invariant()
    def the_journal_counts_enough_and_the_ledger_the_same(self) -> None:
        self.reach()
        assert self.bench.summed.total == self.bench.ledger.account.total
        assert self.bench.summed.rows() == self.bench.ledger.account.rows()

    def teardown(self) -> None:
        """Let the board do all that it was told: what was delivered is what fell."""
        while self.waiting:
            self.execute()
        self.bench.ledger.end_epoch(self.done)
        assert self.bench.summed.total == self.bench.summed.delivered
        assert self.bench.summed.delivered.amount == self.truly


def test_wherever_a_journal_ends_it_counts_at_least_what_fell_and_at_the_end_just_that() -> None:
    run_state_machine_as_test(Sessions, settings=settings(max_examples=80, stateful_step_count=30, deadline=None))


class Losses(Sessions):
    """The board also loses its report of what an edge has fired, and says so before its next report."""

    @precondition(lambda self: self.armed)
    @rule(pattern=st.sampled_from([LEFT, RIGHT]))
    def fire_unseen(self, pattern: tuple[str, int]) -> None:
        action = self.armed.pop(max(self.armed))[pattern]
        if isinstance(action, RewardAction):
            self.truly += action.amount
        elif isinstance(action, Start):
            self.running = 1
        elif isinstance(action, Stop):
            self.running = 0
        self.reach()
        self.bench.ledger.doubt(self.done, self.t_us)

    @precondition(lambda self: self.waiting)
    @rule()
    def refuse_unseen(self) -> None:
        self.done = self.waiting.pop(0)[0]
        self.bench.ledger.doubt(self.done, self.t_us)

    def teardown(self) -> None:
        """Let the board do all that it was told: what fell is counted, and what is delivered or in doubt counts."""
        while self.waiting:
            self.execute()
        self.bench.ledger.end_epoch(self.done)
        self.reach()


def test_what_a_board_has_given_is_counted_also_if_it_loses_reports() -> None:
    run_state_machine_as_test(Losses, settings=settings(max_examples=80, stateful_step_count=30, deadline=None))


@pytest.mark.parametrize("executed", [1, 2])
def test_only_what_the_board_had_executed_when_it_lost_a_report_is_in_doubt(bench, executed):
    bench.arm(1, {LEFT: drop(5)})
    bench.order(drop())
    bench.ledger.doubt(executed, 9)
    bench.order(Disarm(1))
    bench.ledger.confirm(3, 12)
    assert bench.rewards == [
        ("unconfirmed", 5, "left"),
        ("delivered" if executed == 1 else "unconfirmed", 2.5, "left"),
    ]
    assert (bench.ledger.rewards, bench.ledger.total, bench.ledger.reserved) == (2, Amount(7.5), {})


def test_a_group_whose_edge_comes_after_a_lost_report_had_not_fired_before(bench):
    bench.arm(1, {LEFT: drop(2.5), RIGHT: ONE})
    bench.ledger.doubt(1, 9)
    bench.ledger.doubt(1, 19)
    bench.ledger.fired(1, drop(2.5), 20, 7)
    assert bench.rewards == [("delivered", 2.5, "left"), ("cancelled", 1, "right_feeder")]
    assert (bench.ledger.rewards, bench.ledger.total) == (1, Amount(2.5))


def test_a_group_whose_arming_was_refused_has_given_nothing_and_still_takes_room():
    bench = LedgerBench(max_rewards=1)
    batch = bench.arm(1, {LEFT: drop()})
    bench.ledger.refuse(batch, 0)
    bench.ledger.doubt(batch, 9)
    assert not bench.ledger.can_deliver(Amount(2.5))
    bench.ledger.mark_unconfirmed(19)
    assert bench.rewards == [("cancelled", 2.5, "left")]
    assert bench.ledger.rewards == 0


def test_a_group_in_doubt_takes_room_until_it_is_decided():
    bench = LedgerBench(max_rewards=1)
    bench.arm(1, {LEFT: drop()})
    bench.ledger.doubt(1, 9)
    assert not bench.ledger.can_deliver(Amount(2.5))
    bench.ledger.end_epoch(1)
    assert bench.rewards == [("unconfirmed", 2.5, "left")]
    assert not bench.ledger.can_deliver(Amount(2.5))


def test_a_running_sequence_is_in_doubt_when_a_report_was_lost():
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.doubt(batch - 1, 9)
    assert bench.summed.unconfirmed.rewards == 0
    bench.ledger.started(COUNTDOWN, 10)
    bench.ledger.doubt(batch, 19)
    assert bench.summed.unconfirmed == (1, Amount(pellets=3))


# --- sequences that are loaded again while they run ------------------------------------------------------------


def countdown_to(meal_ul):
    """A ledger whose countdown of five seconds has started; it leads to a meal."""
    bench = LedgerBench()
    bench.order(Load(MEAL, ((0, drop(meal_ul)),)))
    bench.order(Load(COUNTDOWN, ((5_000_000, Start(MEAL)),)))
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.started(COUNTDOWN, 10)
    bench.ledger.confirm(batch, 11)
    return bench


def test_a_reflex_counts_the_meal_that_an_empty_load_has_not_replaced_yet():
    bench = LedgerBench()
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    bench.ledger.confirm(bench.arm(1, {LEFT: Start(MEAL)}), 1)
    bench.order(Disarm(1), Load(MEAL, ()))
    bench.ledger.fired(1, Start(MEAL), 2, 7)
    bench.ledger.mark_unconfirmed(99)
    assert bench.summed.total.amount.ul == 5


def test_a_start_behind_a_load_that_was_refused_counts_what_was_there_before():
    bench = LedgerBench()
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    load = bench.order(Load(MEAL, ()))
    bench.order(Start(MEAL))
    bench.ledger.refuse(load, 0)
    bench.ledger.mark_unconfirmed(99)
    assert bench.summed.total.amount.ul == 5


@pytest.mark.parametrize("starts", ["in a later batch", "by a reflex"])
def test_a_load_whose_refusal_may_be_lost_counts_what_was_there_before(starts: str) -> None:
    bench = LedgerBench()
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    load = bench.order(Load(MEAL, ()))
    bench.ledger.doubt(load, 10)
    bench.ledger.confirm(load, 11)
    if starts == "by a reflex":
        bench.ledger.fired(1, Start(MEAL), 12, 7)
    else:
        bench.order(Start(MEAL))
    bench.ledger.started(MEAL, 13)
    assert bench.summed.total.amount.ul == 5
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(3)),))), 14)
    bench.order(Start(MEAL))
    bench.ledger.started(MEAL, 15)
    assert bench.summed.total.amount.ul == 8, "of a load that was executed for certain the content is known again"


def test_a_start_for_later_stays_pending_when_a_reflex_has_stopped_its_sequence_before():
    bench = LedgerBench()
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    batch = bench.order(Start(MEAL, 9_000_000))
    bench.ledger.fired(9, Stop(MEAL), 5, 3)
    bench.ledger.confirm(batch, 10)
    bench.ledger.confirm(batch, 11)
    assert bench.summed.total.amount.ul == 5
    bench.ledger.confirm(batch, 11_000_000)
    assert bench.summed.total.amount.ul == 0


def test_a_sequence_with_a_reward_may_not_start_itself_again():
    ledger = LedgerBench().ledger
    with pytest.raises(TaskError, match="sequence 2 gives a reward and starts itself again"):
        ledger.order(Load(MEAL, ((0, drop()), (300_000, Start(MEAL)))), "host", 0)
    ledger = LedgerBench().ledger
    ledger.order(Load(COUNTDOWN, ((1_000, Start(MEAL)),)), "host", 0)
    with pytest.raises(TaskError, match="sequence 2 gives a reward and starts itself again"):
        ledger.order(Load(MEAL, ((0, drop()), (300_000, Start(COUNTDOWN)))), "host", 0)


def test_each_reward_of_a_sequence_counts_for_the_limits():
    three = Load(COUNTDOWN, tuple((at_us, Start(MEAL)) for at_us in (1_000_000, 2_000_000, 3_000_000)))
    bench = LedgerBench(max_rewards=3)
    bench.order(Load(MEAL, ((0, drop()),)), three)
    assert not bench.ledger.exceeds_limit(Start(COUNTDOWN), 0)
    bench.order(Start(COUNTDOWN))
    assert bench.ledger.exceeds_limit(drop(), 0)
    bench = LedgerBench(max_rewards=2)
    bench.order(Load(MEAL, ((0, drop()),)), three)
    assert bench.ledger.exceeds_limit(Start(COUNTDOWN), 0)
    assert bench.ledger.limit_reached, "no further order as large fits"


def test_a_countdown_that_is_due_is_charged_before_a_start_that_may_be_on_its_way():
    """The board starts the meal of the countdown while the order that starts the meal once more travels."""
    bench = LedgerBench()
    bench.order(Load(MEAL, ((0, drop()),)), Load(COUNTDOWN, ((500_000, Start(MEAL)),)))
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 1)
    bench.ledger.started(COUNTDOWN, 1)
    bench.order(Start(MEAL), t_us=490_000)
    bench.ledger.started(MEAL, 500_001)
    assert bench.summed.total == (2, Amount(5))
    bench.ledger.started(MEAL, 530_000)
    assert (bench.summed.delivered, bench.summed.uncertain.rewards) == ((2, Amount(5)), 0)


def test_what_starts_itself_again_cannot_get_a_reward_later():
    bench = LedgerBench()
    bench.order(Load(MEAL, ()), Load(COUNTDOWN, ((0, Start(MEAL)), (200_000, Start(COUNTDOWN)))))
    with pytest.raises(TaskError, match="sequence 1 gives a reward and starts itself again"):
        bench.order(Load(MEAL, ((0, drop()),)))


def test_a_batch_that_is_refused_as_a_whole_gives_nothing():
    bench = LedgerBench()
    bench.order(Load(MEAL, ((0, drop()),)))
    batch = bench.order(drop(), Start(MEAL), Load(COUNTDOWN, ((0, Start(MEAL)),)))
    assert bench.ledger.refuse(batch, WHOLE_BATCH)
    bench.ledger.confirm(batch, 9)
    assert (bench.ledger.rewards, bench.summed.total) == (0, (0, Amount()))
    assert bench.ledger.exceeds_limit(Start(COUNTDOWN), 0) is False
    assert bench.ledger.reserved == {}


def test_a_countdown_whose_load_is_on_its_way_has_one_meal():
    """A reflex starts it, and no answer has confirmed yet that the board has the new length."""
    bench = maze(max_pellets=6)
    bench.order(Load(COUNTDOWN, ((6_000_000, Start(MEAL)),)))
    bench.arm(1, {LEFT: Start(COUNTDOWN)})
    bench.ledger.fired(1, Start(COUNTDOWN), 9, 7)
    bench.ledger.started(COUNTDOWN, 10)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    assert bench.ledger.can_deliver(PELLETS.amount)


def test_a_countdown_that_has_given_its_meal_keeps_no_room():
    bench = maze(max_pellets=6)
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    bench.ledger.started(COUNTDOWN, 10)
    bench.ledger.started(MEAL, 5_000_010)
    bench.order(Load(COUNTDOWN, ((6_000_000, Start(MEAL)),)), t_us=6_000_000)
    assert bench.ledger.can_deliver(PELLETS.amount)


def test_a_meal_may_change_when_its_start_was_read_before_task_time_has_come_to_it():
    bench = maze()
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    bench.ledger.started(COUNTDOWN, 10)
    bench.ledger.started(MEAL, 5_000_010)
    bench.order(Load(MEAL, ((0, ONE),)), t_us=4_000_000)


def test_contents_of_two_units_end_no_session_early():
    bench = LedgerBench(max_rewards=3)
    bench.order(Load(MEAL, ((0, drop()),)))
    bench.order(Load(MEAL, ((0, PELLETS),)))
    bench.ledger.exceeds_limit(Start(MEAL), 0)
    bench.give()
    bench.give()
    assert not bench.ledger.limit_reached
