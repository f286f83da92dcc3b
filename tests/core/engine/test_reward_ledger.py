"""The ledger: limits, and lines of the journal whose sum is what was given, or may have been."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from rig.core.engine.reward_ledger import MAX_LATE_US, RewardLedger, RewardLimits
from rig.core.errors import TaskError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Note
from rig.core.model.actions import NOTHING, Amount, Arm, Disarm, Load, Pulse, Ramp, RewardAction, Start, Stop, Train
from rig.core.model.events import WHOLE_BATCH, EntryRefused, OutputOn, SequenceStarted
from rig.records.session.last_rewards import last_rewards
from tests.journal_lines import read_line

LEFT, RIGHT = ("left.beam", 1), ("right.beam", 1)
PELLETS = RewardAction(Train("left_feeder.feeder", 50_000, 500_000, 3), "left_feeder", pellets=3)
ONE = RewardAction(Pulse("right_feeder.feeder", 50_000), "right_feeder", pellets=1)
COUNTDOWN, MEAL = 1, 2
NONE = (0, Amount())
NOTHING_BUT_A_TONE = RewardAction(Pulse("speaker.tone", 5), "speaker", 1)
"""Its output gives no rewards."""


def drop(ul=2.5, source="left"):
    return RewardAction(Pulse(f"{source}.valve", 40_000), source, ul)


class LedgerBench:
    """A ledger and its journal, with the batches numbered as an engine does."""

    def __init__(self, start=None, **limits):
        self.lines = []
        self.on_line = lambda: None
        self.ledger = RewardLedger(RewardLimits(**limits), Journal(self.append), start)
        self.batches = 0
        self.starts = {}

    def append(self, raw):
        self.lines.append(read_line(raw))
        self.on_line()

    def order(self, *orders, by="host", t_us=0):
        """Order and send; return the number of the batch."""
        for order in orders:
            self.ledger.order(order, by, t_us)
        self.batches += 1
        self.ledger.assign_batch(orders, self.batches)
        self.starts |= {order.sequence: self.batches for order in orders if isinstance(order, Start)}
        return self.batches

    def arm(self, group, members, until_us=None):
        order = Arm(group, until_us, tuple((*pattern, action) for pattern, action in members.items()))
        self.ledger.reserve(group, members, order, 0)
        return self.order(order)

    def goes_on(self, action, cause, by, part, t_us=0):
        """Read that the output of a reward went on."""
        self.ledger.went_on(OutputOn(t_us, action.action.output, cause, by, part, 0))

    def give(self, ul=2.5, t_us=0):
        batch = self.order(drop(ul), t_us=t_us)
        self.goes_on(drop(ul), "order", batch, 0, t_us)
        self.ledger.confirm(batch, t_us)

    def fire(self, group, action, t_us=0, member=0):
        """Read that the board has done a member of a group, and then the edge; return what was given."""
        if isinstance(action, RewardAction):
            self.goes_on(action, "reflex", group, member, t_us)
        return self.ledger.fired(group, action, t_us)

    def start(self, sequence, *rewards, of=None, group=None, t_us=0):
        """Read that a sequence has started, and that its first entries have given their rewards.

        By its last order, or as an entry ``of`` another sequence, or by the reflex of a ``group``.
        """
        cause, by = "order", self.starts.get(sequence, 0)
        if of is not None:
            cause, by = "sequence", of
        elif group is not None:
            cause, by = "reflex", group
        self.ledger.started(SequenceStarted(t_us, sequence, cause, by, 0))
        for entry, reward in enumerate(rewards):
            self.goes_on(reward, "sequence", sequence, entry, t_us)

    @property
    def reserved(self):
        """What may still be given without an order."""
        most = self.ledger.max_total
        return most.rewards - self.ledger.rewards, most.amount - self.ledger.total

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
    assert not bench.ledger.withholds(drop(), 5)
    bench.give()
    assert bench.ledger.withholds(drop(), 7)
    assert bench.ledger.limit_reached
    assert [(line.t_us, line.what, line.fields["ul"]) for line in bench.lines if isinstance(line, Note)] == [
        (7, "reward_withheld", 2.5)
    ]


@pytest.mark.parametrize(("max_ul", "drops"), [(7.4, 2), (7.5, 3), (7.6, 3)])
def test_a_limit_in_microliters_is_never_passed(max_ul, drops):
    bench = LedgerBench(max_ul=max_ul)
    while not bench.ledger.withholds(drop(), 0):
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
    while not bench.ledger.withholds(PELLETS, 0):
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


def test_an_order_is_pending_before_it_is_sent_and_delivered_when_its_output_goes_on(bench):
    bench.order(drop(), by="operator")
    bench.order(NOTHING, drop(3))
    (first, second) = bench.lines
    assert (first.status, first.delivered_by, first.cause, first.batch, first.order) == (
        *("pending", "operator", "order"),
        *(1, 0),
    )
    assert (second.batch, second.order, second.amount, second.unit) == (2, 1, 3, "ul")
    bench.goes_on(drop(), "order", 1, 0, 50)
    assert bench.lines[-1].t_us == 50
    assert bench.rewards == [("delivered", 2.5, "left"), ("pending", 3, "left")]
    assert [reward.status for reward in bench.ledger.trial_rewards] == ["pending"], "what a person gave is no trial's"
    bench.goes_on(NOTHING_BUT_A_TONE, "order", 2, 0)
    bench.goes_on(drop(), "order", 2, 1, 60)
    assert bench.ledger.pending == []
    assert bench.summed.delivered == bench.ledger.account.total == (2, Amount(5.5))


def test_an_order_that_was_executed_without_a_report_stays_counted(bench):
    bench.order(drop())
    bench.ledger.confirm(1, 50)
    assert bench.rewards == [("unconfirmed", 2.5, "left")]
    assert bench.lines[-1].t_us == 50


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
    bench.goes_on(drop(1), "order", 1, 0)
    bench.ledger.end_epoch(1, 0)
    assert bench.rewards == [("delivered", 1, "left"), ("refused", 2, "left"), ("cancelled", 5, "left")]
    assert (bench.ledger.rewards, bench.ledger.total, bench.reserved) == (1, Amount(1), NONE)


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
        bench.give(t_us=t_us)
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
    given = bench.fire(1, drop(2.5), 77)
    assert given is not None
    assert bench.rewards == [("delivered", 2.5, "left")]
    last = bench.lines[-1]
    assert (last.t_us, last.cause, last.group, last.member) == (77, "reflex", 1, 0)
    assert bench.reserved == NONE
    assert bench.ledger.trial_rewards == [], "the task has not read the edge"
    bench.ledger.attribute(given)
    assert bench.ledger.trial_rewards == [given]


def test_a_group_that_may_give_unlike_things_reserves_both_and_gives_one(bench):
    bench.arm(1, {LEFT: drop(2.5), RIGHT: ONE})
    assert bench.summed.uncertain == (2, Amount(2.5, 1))
    bench.fire(1, ONE, 5, member=1)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(pellets=1))


def test_a_group_that_fired_at_a_member_without_reward_gave_nothing(bench):
    bench.arm(1, {LEFT: drop(), RIGHT: NOTHING})
    assert bench.fire(1, NOTHING, 5) is None
    assert bench.rewards == [("cancelled", 2.5, "left")]


def test_a_group_is_over_when_the_boards_time_has_passed_its_end(bench):
    bench.arm(1, {LEFT: drop()}, until_us=500)
    bench.ledger.confirm(1, 500)
    assert bench.rewards == [("pending", 2.5, "left")]
    bench.ledger.confirm(1, 501)
    assert bench.rewards == [("cancelled", 2.5, "left")]


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_group_that_is_armed_again_is_over_at_its_deadline_and_reserves_one_reward(bench, is_refused: bool):
    bench.arm(1, {LEFT: drop()})
    bench.ledger.confirm(1, 100)
    again = Arm(1, 500, ((*LEFT, drop()),))
    bench.ledger.rearm(again)
    batch = bench.order(again)
    if is_refused:
        bench.ledger.refuse(batch, 0)
    assert bench.reserved == (1, Amount(2.5))
    bench.ledger.confirm(batch, 500)
    assert bench.rewards == [("pending", 2.5, "left")]
    bench.ledger.confirm(batch, 501)
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


@pytest.mark.parametrize("has_disarmed", [False, True])
def test_a_batch_that_is_refused_for_want_of_room_has_disarmed_its_groups(has_disarmed: bool):
    bench = LedgerBench(max_rewards=1)
    bench.arm(1, {LEFT: drop()})
    batch = bench.order(Disarm(1))
    bench.ledger.refuse(batch, WHOLE_BATCH, has_disarmed=has_disarmed)
    bench.ledger.confirm(batch, 0)
    assert bench.summed.uncertain.rewards == (0 if has_disarmed else 1)


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
    assert (bench.lines, bench.reserved) == ([], NONE)


# --- sequences ------------------------------------------------------------------------------------------------


def test_a_countdown_that_runs_reserves_its_meal_until_that_is_given():
    bench = maze(max_pellets=5)
    bench.order(Start(COUNTDOWN))
    assert bench.rewards == [("pending", 3, "left_feeder")]
    assert (bench.lines[-1].cause, bench.lines[-1].sequence, bench.lines[-1].entry) == ("sequence", MEAL, 0)
    assert not bench.ledger.can_deliver(PELLETS.amount)
    bench.start(COUNTDOWN)
    assert bench.ledger.trial_rewards == []
    assert not bench.ledger.can_deliver(PELLETS.amount)
    bench.start(MEAL, PELLETS, of=COUNTDOWN, t_us=5_000_007)
    (meal,) = bench.ledger.trial_rewards
    assert (meal.amount, meal.delivered_by, meal.t_us, meal.status) == (
        *(PELLETS.amount, "board"),
        *(5_000_007, "delivered"),
    )
    assert bench.rewards == [("delivered", 3, "left_feeder")]
    assert bench.reserved == NONE


def test_every_entry_of_a_sequence_may_pay_and_each_is_looked_up(bench):
    entries = ((2_000_000, drop(3)), (0, ONE), (1_000_000, drop(2)), (2_000_000, drop(3)))
    bench.order(Load(MEAL, entries), Start(MEAL))
    assert [line[:2] for line in bench.rewards] == [("pending", much) for much in (1, 2, 3, 3)]
    bench.start(MEAL, ONE, drop(2))
    assert [line[0] for line in bench.rewards] == ["delivered", "delivered", "pending", "pending"]
    assert bench.ledger.refuse_entry(EntryRefused(0, MEAL, 2, "busy", 0))
    bench.goes_on(drop(3), "sequence", MEAL, 3)
    assert [line[0] for line in bench.rewards] == ["delivered", "delivered", "refused", "delivered"]
    assert (bench.ledger.rewards, bench.ledger.total) == (3, Amount(5, pellets=1))
    assert not bench.ledger.runs_sequence


def test_a_refused_entry_without_a_reward_refuses_none(bench):
    bench.order(Load(MEAL, ((0, Pulse("light.light", 5)), (9, drop()))), Start(MEAL))
    assert not bench.ledger.refuse_entry(EntryRefused(0, MEAL, 0, "busy", 0))
    assert bench.rewards == [("pending", 2.5, "left")]


def test_a_sequence_that_runs_twice_gives_each_reward_twice(bench):
    bench.order(Load(MEAL, ((0, drop()), (5, drop(1)))))
    for _ in range(2):
        bench.order(Start(MEAL))
        bench.start(MEAL, drop(), drop(1))
    assert [line[:2] for line in bench.rewards] == [("delivered", 2.5), ("delivered", 1)] * 2


def test_a_sequence_that_is_over_and_has_not_given_all_gives_nothing_more(bench):
    bench.order(Load(MEAL, ((5, drop()),)), Start(MEAL))
    bench.ledger.confirm(1, 10)
    bench.ledger.confirm(1, 15 + MAX_LATE_US)
    assert bench.rewards == [("pending", 2.5, "left")]
    bench.ledger.confirm(1, 16 + MAX_LATE_US)
    assert bench.rewards == [("cancelled", 2.5, "left")]


@pytest.mark.parametrize("started", [COUNTDOWN, MEAL])
def test_a_stopped_sequence_leaves_to_those_that_it_has_started_what_they_give(bench, started):
    bench.order(Load(3, ((9_000_000, drop()),)), Load(MEAL, ((1, Start(3)),)), Load(COUNTDOWN, ((5, Start(MEAL)),)))
    bench.order(Start(COUNTDOWN))
    bench.start(COUNTDOWN)
    if started == MEAL:
        bench.start(MEAL, of=COUNTDOWN)
    bench.ledger.confirm(bench.order(Stop(COUNTDOWN)), 10)
    assert bench.rewards == [("pending" if started == MEAL else "cancelled", 2.5, "left")]


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
    bench.start(COUNTDOWN)
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
    bench.start(COUNTDOWN)
    bench.start(MEAL, PELLETS, of=COUNTDOWN)
    bench.ledger.mark_unconfirmed(9)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(pellets=3))


def test_a_countdown_that_is_started_again_may_have_delivered_before():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    batch = bench.order(Start(COUNTDOWN))
    assert bench.summed.uncertain == (2, Amount(pellets=6))
    bench.start(COUNTDOWN)
    bench.start(COUNTDOWN)
    bench.ledger.confirm(batch, 7)
    assert bench.summed.uncertain == (1, Amount(pellets=3))


def test_a_reflex_that_starts_a_countdown_hands_its_reservation_on_and_one_that_stops_it_ends_it():
    bench = maze()
    bench.arm(1, {LEFT: Start(COUNTDOWN)})
    bench.fire(1, Start(COUNTDOWN), 5)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.start(COUNTDOWN)
    bench.arm(2, {LEFT: Stop(COUNTDOWN)})
    bench.fire(2, Stop(COUNTDOWN), 9)
    assert bench.summed.total == (0, Amount())


def test_a_start_that_is_on_its_way_when_a_reflex_stops_it_may_come_later():
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.fire(3, Stop(COUNTDOWN), 9)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.start(COUNTDOWN)
    bench.ledger.confirm(batch, 12)
    assert bench.summed.uncertain == (1, Amount(pellets=3)), "it came after the stop"


def test_a_meal_may_start_by_itself_while_another_countdown_runs():
    bench = maze()
    bench.order(Load(3, ((0, ONE),)))
    bench.order(Start(COUNTDOWN))
    bench.start(3, ONE)
    assert bench.rewards == [("pending", 3, "left_feeder"), ("delivered", 1, "right_feeder")]
    assert bench.reserved == (1, Amount(pellets=3))


def test_a_sequence_that_starts_two_reserves_the_second_when_the_first_has_delivered():
    bench = maze()
    bench.order(Load(3, ((0, PELLETS),)))
    bench.order(Load(4, ((1, Start(MEAL)), (2, Start(3)))))
    bench.order(Start(4))
    for sequence, left, rewards in ((4, 2, ()), (MEAL, 1, [PELLETS]), (3, 0, [PELLETS])):
        bench.start(sequence, *rewards, of=None if sequence == 4 else 4)
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
@pytest.mark.parametrize("entries", [(), ((0, RewardAction(Pulse("left.valve", 50_000), "left", ul=5.0)),)])
def test_a_meal_cannot_change_while_something_may_start_it(begin, entries):
    bench = maze()
    begin(bench)
    bench.order(Load(MEAL, ((0, PELLETS),)))
    with pytest.raises(TaskError, match="sequence 2 is loaded with another reward while"):
        bench.order(Load(MEAL, entries))


def test_a_meal_may_change_when_its_countdown_has_given_it():
    bench = maze()
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    with pytest.raises(TaskError, match="sequence 2 is loaded with another"):
        bench.order(Load(MEAL, ()))
    bench = maze()
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    bench.start(COUNTDOWN)
    bench.start(MEAL, PELLETS, of=COUNTDOWN)
    bench.order(Load(MEAL, ()))


def test_what_was_loaded_before_is_played_until_the_board_has_the_new():
    bench = maze()
    start = bench.order(Start(MEAL))
    bench.order(Load(MEAL, ((0, ONE),)))
    bench.start(MEAL, PELLETS)
    bench.ledger.confirm(start, 6)
    assert bench.summed.delivered == (1, Amount(pellets=3))


def test_a_board_that_lost_its_sequences_delivers_nothing():
    bench = maze()
    bench.order(Start(COUNTDOWN))
    bench.ledger.end_epoch(0, 5)
    bench.start(MEAL)
    assert (bench.reserved, bench.ledger.trial_rewards) == (NONE, [])
    assert bench.summed.total == (0, Amount())


# --- a board that does what it is told, and a journal that may end at any line ------------------------------------


LOADED = {
    MEAL: ((0, PELLETS),),
    COUNTDOWN: ((0, Ramp("speaker.tone", 1875, -175, 100_000, 1_000_000, 6)), (5_000_000, Start(MEAL))),
    3: ((0, ONE), (10, drop()), (20, ONE), (20, drop(5, "right"))),
    4: ((0, drop(1)), (5, Start(3)), (9, Start(MEAL)), (12, Start(3)), (20, drop(2))),
}


def most_of(order: object) -> Amount:
    """Return the most that an order may give, of each kind."""
    if isinstance(order, RewardAction):
        return order.amount
    if isinstance(order, Start):
        return most_of(Load(order.sequence, LOADED[order.sequence]))
    if isinstance(order, Load):
        return sum((most_of(action) for _, action in order.entries), Amount())
    most = Amount()
    for action in [action for _, _, action in order.members] if isinstance(order, Arm) else []:
        most |= most_of(action)
    return most


def _members(members: dict[tuple[str, int], object]) -> tuple:
    return tuple((*pattern, action) for pattern, action in members.items())


class Sessions(RuleBasedStateMachine):
    """Orders, reflexes and sequences in any order, on a board that executes, fires, plays, refuses and forgets."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = LedgerBench()
        self.bench.order(*(Load(sequence, entries) for sequence, entries in LOADED.items()))
        self.truly = Amount()
        self.waiting: list[tuple[int, object]] = []
        self.armed: dict[int, dict[tuple[str, int], object]] = {}
        self.running: dict[int, int] = {}
        self.done = 1
        self.groups = 0
        self.t_us = 0
        self.bench.on_line = self.reach

    def send(self, order: object) -> None:
        self.waiting.append((self.bench.order(order), order))

    @rule(ul=st.sampled_from([1.0, 2.5]))
    def give(self, ul: float) -> None:
        self.send(drop(ul))

    @rule(kind=st.sampled_from([Start, Stop]), sequence=st.sampled_from(sorted(LOADED)))
    def order_sequence(self, kind: type, sequence: int) -> None:
        self.send(kind(sequence))

    @rule(left=st.sampled_from([drop(), ONE, Start(COUNTDOWN), Start(4), Stop(COUNTDOWN), Stop(4), NOTHING]))
    def arm(self, left: object) -> None:
        self.groups += 1
        members = {LEFT: left, RIGHT: drop(5, "right")}
        order = Arm(self.groups, None, _members(members))
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
        self.done, order = self.waiting.pop(0)
        if isinstance(order, Arm):
            self.armed[order.group] = {(channel, level): action for channel, level, action in order.members}
        elif isinstance(order, Disarm):
            self.armed.pop(order.group, None)
        else:
            self.act(order, "order", self.done, 0)

    def act(self, action: object, cause: str, by: int, part: int) -> None:
        self.t_us += 1
        if isinstance(action, RewardAction):
            self.truly += action.amount
            self.reach()
            self.report(action, cause, by, part)
        self.switch(action)
        if isinstance(action, Start):
            self.bench.ledger.started(SequenceStarted(self.t_us, action.sequence, cause, by, 0))

    def switch(self, action: object) -> None:
        """Let the board start or stop a sequence."""
        if isinstance(action, Start):
            self.running[action.sequence] = 0
        elif isinstance(action, Stop):
            self.running.pop(action.sequence, None)

    def report(self, action: RewardAction, cause: str, by: int, part: int) -> None:
        self.bench.goes_on(action, cause, by, part, self.t_us)

    def reach(self) -> None:
        """What has fallen, and what the board does if the host dies here, is counted."""
        total = self.bench.summed.total.amount
        doing = [most_of(order) for _, order in self.waiting]
        doing += [most_of(Load(sequence, LOADED[sequence][entry:])) for sequence, entry in self.running.items()]
        doing += [most_of(Arm(group, None, _members(members))) for group, members in self.armed.items()]
        most = sum(doing, self.truly)
        assert total.ul >= most.ul - 1e-9
        assert total.pellets >= most.pellets

    @precondition(lambda self: self.armed)
    @rule(pattern=st.sampled_from([LEFT, RIGHT]), last=st.booleans())
    def fire(self, pattern: tuple[str, int], last: bool) -> None:
        group = max(self.armed) if last else min(self.armed)
        action = self.armed.pop(group)[pattern]
        if isinstance(action, RewardAction):
            self.act(action, "reflex", group, (LEFT, RIGHT).index(pattern))
        self.switch(action)
        self.bench.ledger.fired(group, action, self.t_us)
        if isinstance(action, Start):
            self.bench.start(action.sequence, group=group)

    @precondition(lambda self: self.running)
    @rule(data=st.data(), refuses=st.booleans())
    def play(self, data: st.DataObject, refuses: bool) -> None:
        """Report the next entry of a running sequence as executed, or as refused."""
        sequence = data.draw(st.sampled_from(sorted(self.running)))
        entry, entries = self.running[sequence], LOADED[sequence]
        self.running[sequence] += 1
        if entry + 1 == len(entries):
            del self.running[sequence]
        if refuses:
            self.bench.ledger.refuse_entry(EntryRefused(self.t_us, sequence, entry, "busy", 0))
        else:
            self.act(entries[entry][1], "sequence", sequence, entry)

    @rule()
    def answer(self) -> None:
        self.bench.ledger.confirm(self.done, self.t_us)

    @precondition(lambda self: self.waiting)
    @rule()
    def refuse(self) -> None:
        self.done, order = self.waiting.pop(0)
        self.bench.ledger.refuse(self.done, 0)
        if isinstance(order, Arm):
            self.bench.ledger.release(order.group)

    @invariant()
    def the_journal_counts_enough_and_the_ledger_the_same(self) -> None:
        self.reach()
        assert self.bench.summed.total == self.bench.ledger.account.total
        assert self.bench.summed.rows() == self.bench.ledger.account.rows()

    def teardown(self) -> None:
        """Let the board do all that it was told, and judge what is counted at the end."""
        while self.waiting:
            self.execute()
        self.running, self.armed = {}, {}  # all is off
        self.bench.ledger.end_epoch(self.done, self.t_us)
        self.judge()

    def judge(self) -> None:
        """Check that what was delivered is what fell."""
        assert self.bench.summed.total == self.bench.summed.delivered
        assert self.bench.summed.delivered.amount == self.truly


def test_wherever_a_journal_ends_it_counts_at_least_what_fell_and_at_the_end_just_that() -> None:
    run_state_machine_as_test(Sessions, settings=settings(max_examples=80, stateful_step_count=30, deadline=None))


@pytest.mark.campaign
def test_in_two_thousand_lives_a_journal_counts_at_least_what_fell_and_at_the_end_just_that() -> None:
    run_state_machine_as_test(Sessions, settings=settings(max_examples=2_000, stateful_step_count=40, deadline=None))


class Losses(Sessions):
    """The board also loses reports, and says so before its next one."""

    loses = False

    @rule()
    def lose(self) -> None:
        """Lose the next report of what went on."""
        self.loses = True

    def report(self, action: RewardAction, cause: str, by: int, part: int) -> None:
        if self.loses:
            self.loses = False
            self.bench.ledger.doubt(self.done, self.t_us)
        else:
            super().report(action, cause, by, part)

    @precondition(lambda self: self.armed)
    @rule(pattern=st.sampled_from([LEFT, RIGHT]))
    def fire_unseen(self, pattern: tuple[str, int]) -> None:
        action = self.armed.pop(max(self.armed))[pattern]
        if isinstance(action, RewardAction):
            self.truly += action.amount
        self.switch(action)
        self.reach()
        self.bench.ledger.doubt(self.done, self.t_us)

    @precondition(lambda self: self.waiting)
    @rule()
    def refuse_unseen(self) -> None:
        self.done = self.waiting.pop(0)[0]
        self.bench.ledger.doubt(self.done, self.t_us)

    def judge(self) -> None:
        """Check that what fell is counted: what is delivered or in doubt counts."""
        self.reach()


def test_what_a_board_has_given_is_counted_also_if_it_loses_reports() -> None:
    run_state_machine_as_test(Losses, settings=settings(max_examples=80, stateful_step_count=30, deadline=None))


@pytest.mark.campaign
def test_in_two_thousand_lives_what_a_board_has_given_is_counted_also_if_it_loses_reports() -> None:
    run_state_machine_as_test(Losses, settings=settings(max_examples=2_000, stateful_step_count=40, deadline=None))


@pytest.mark.parametrize("executed", [1, 2])
def test_only_what_the_board_had_executed_when_it_lost_a_report_is_in_doubt(bench, executed):
    bench.arm(1, {LEFT: drop(5)})
    bench.order(drop())
    bench.ledger.doubt(executed, 9)
    bench.order(Disarm(1))
    if executed == 1:
        bench.goes_on(drop(), "order", 2, 0)
    bench.ledger.confirm(3, 12)
    assert bench.rewards == [
        ("unconfirmed", 5, "left"),
        ("delivered" if executed == 1 else "unconfirmed", 2.5, "left"),
    ]
    assert (bench.ledger.rewards, bench.ledger.total, bench.reserved) == (2, Amount(7.5), NONE)


def test_a_group_whose_edge_comes_after_a_lost_report_had_not_fired_before(bench):
    bench.arm(1, {LEFT: drop(2.5), RIGHT: ONE})
    bench.ledger.doubt(1, 9)
    bench.ledger.doubt(1, 19)
    bench.ledger.fired(1, drop(2.5), 20)
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
    bench.ledger.end_epoch(1, 10)
    assert bench.rewards == [("unconfirmed", 2.5, "left")]
    assert not bench.ledger.can_deliver(Amount(2.5))


def test_a_running_sequence_is_in_doubt_when_a_report_was_lost():
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.doubt(batch - 1, 9)
    bench.ledger.end_epoch(batch, 10)
    assert bench.summed.unconfirmed.rewards == 0, "its start came after the lost report"
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.doubt(batch, 19)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    bench.ledger.end_epoch(batch, 30)
    assert bench.summed.unconfirmed == (1, Amount(pellets=3))


def test_a_sequence_in_doubt_whose_later_reports_come_has_lost_none():
    bench = maze()
    batch = bench.order(Start(COUNTDOWN))
    bench.ledger.doubt(batch, 19)
    bench.start(COUNTDOWN)
    bench.start(MEAL, PELLETS, of=COUNTDOWN)
    bench.ledger.end_epoch(batch, 30)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(pellets=3))


# --- sequences that are loaded again while they run ------------------------------------------------------------


def test_a_reflex_counts_the_meal_that_an_empty_load_has_not_replaced_yet(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    bench.ledger.confirm(bench.arm(1, {LEFT: Start(MEAL)}), 1)
    bench.order(Disarm(1), Load(MEAL, ()))
    bench.fire(1, Start(MEAL), 2)
    bench.ledger.mark_unconfirmed(99)
    assert bench.summed.total.amount.ul == 5


def test_a_start_behind_a_load_that_was_refused_counts_what_was_there_before(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    load = bench.order(Load(MEAL, ()))
    bench.order(Start(MEAL))
    bench.ledger.refuse(load, 0)
    bench.ledger.mark_unconfirmed(99)
    assert bench.summed.total.amount.ul == 5


def test_a_drop_of_what_a_refused_load_should_have_replaced_has_its_own_amount(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(2.5)),))), 0)
    load = bench.order(Load(MEAL, ((0, drop(5)),)))
    bench.order(Start(MEAL))
    assert bench.rewards == [("pending", 5, "left")]
    bench.ledger.refuse(load, 0)
    bench.start(MEAL, drop())
    assert bench.rewards == [("delivered", 2.5, "left")]


def test_a_run_that_a_reflex_began_is_known_also_if_the_report_of_its_start_is_lost(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop()),))), 0)
    bench.arm(1, {LEFT: Start(MEAL)})
    bench.fire(1, Start(MEAL), 2)
    bench.goes_on(drop(), "sequence", MEAL, 0)
    bench.ledger.mark_unconfirmed(99)
    assert bench.summed.total == bench.summed.delivered == (1, Amount(2.5))


def test_a_run_whose_every_report_is_lost_counts_what_it_gives_beside_what_is_in_doubt(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop()),))), 0)
    bench.order(Start(MEAL))
    bench.goes_on(drop(), "sequence", MEAL, 0)
    bench.goes_on(drop(), "sequence", 9, 0)
    bench.ledger.mark_unconfirmed(99)
    assert (bench.summed.delivered.rewards, bench.summed.total.rewards) == (1, 2)


def test_a_member_that_a_group_does_not_have_gives_nothing(bench):
    bench.arm(1, {LEFT: drop()})
    bench.goes_on(drop(), "reflex", 1, 7)
    assert bench.rewards == [("pending", 2.5, "left")]


@pytest.mark.parametrize("starts", ["in a later batch", "by a reflex"])
def test_a_load_whose_refusal_may_be_lost_counts_what_was_there_before(bench, starts: str) -> None:
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    load = bench.order(Load(MEAL, ()))
    bench.ledger.doubt(load, 10)
    bench.ledger.confirm(load, 11)
    if starts == "by a reflex":
        bench.fire(1, Start(MEAL), 12)
    else:
        bench.order(Start(MEAL))
    bench.start(MEAL, drop(5), group=1 if starts == "by a reflex" else None)
    assert bench.summed.total.amount.ul == 5
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(3)),))), 14)
    bench.order(Start(MEAL))
    bench.start(MEAL, drop(3))
    assert bench.summed.total.amount.ul == 8, "of a load that was executed for certain the content is known again"


def test_a_start_for_later_stays_pending_when_a_reflex_has_stopped_its_sequence_before(bench):
    bench.ledger.confirm(bench.order(Load(MEAL, ((0, drop(5)),))), 0)
    batch = bench.order(Start(MEAL, 9_000_000))
    bench.fire(9, Stop(MEAL), 5)
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
    assert not bench.ledger.withholds(Start(COUNTDOWN), 0)
    bench.order(Start(COUNTDOWN))
    assert bench.ledger.withholds(drop(), 0)
    bench = LedgerBench(max_rewards=2)
    bench.order(Load(MEAL, ((0, drop()),)), three)
    assert bench.ledger.withholds(Start(COUNTDOWN), 0)
    assert bench.ledger.limit_reached, "no further order as large fits"


def test_a_countdown_that_is_due_is_charged_before_a_start_that_may_be_on_its_way():
    """The board starts the meal of the countdown while the order that starts the meal once more travels."""
    bench = LedgerBench()
    bench.order(Load(MEAL, ((0, drop()),)), Load(COUNTDOWN, ((500_000, Start(MEAL)),)))
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 1)
    bench.start(COUNTDOWN)
    bench.order(Start(MEAL), t_us=490_000)
    bench.start(MEAL, drop(), of=COUNTDOWN, t_us=500_001)
    assert bench.summed.total == (2, Amount(5))
    bench.ledger.confirm(2, 1_600_000)
    bench.start(MEAL, drop(), t_us=1_630_000)
    assert (bench.summed.delivered, bench.summed.uncertain.rewards) == ((2, Amount(5)), 0)


def test_a_sequence_whose_only_load_was_refused_gives_nothing_until_it_is_loaded(bench):
    bench.ledger.refuse(bench.order(Load(MEAL, ((0, drop()),))), 0)
    assert not bench.ledger.withholds(Start(MEAL), 0)
    bench.order(Load(COUNTDOWN, ((5, Start(MEAL)),)), Start(COUNTDOWN))
    assert bench.reserved == NONE
    bench.ledger.confirm(bench.order(Stop(COUNTDOWN)), 9)
    bench.order(Load(MEAL, ((0, drop()),)), Start(COUNTDOWN))
    assert bench.reserved == (1, Amount(2.5))


def test_what_starts_itself_again_cannot_get_a_reward_later(bench):
    bench.order(Load(MEAL, ()), Load(COUNTDOWN, ((0, Start(MEAL)), (200_000, Start(COUNTDOWN)))))
    with pytest.raises(TaskError, match="sequence 1 gives a reward and starts itself again"):
        bench.order(Load(MEAL, ((0, drop()),)))


def test_a_batch_that_is_refused_as_a_whole_gives_nothing(bench):
    bench.order(Load(MEAL, ((0, drop()),)))
    batch = bench.order(drop(), Start(MEAL), Load(COUNTDOWN, ((0, Start(MEAL)),)))
    assert bench.ledger.refuse(batch, WHOLE_BATCH)
    bench.ledger.confirm(batch, 9)
    assert (bench.ledger.rewards, bench.summed.total) == (0, (0, Amount()))
    assert bench.ledger.withholds(Start(COUNTDOWN), 0) is False
    assert bench.reserved == NONE


def test_a_countdown_whose_load_is_on_its_way_has_one_meal():
    """A reflex starts it, and no answer has confirmed yet that the board has the new length."""
    bench = maze(max_pellets=6)
    bench.order(Load(COUNTDOWN, ((6_000_000, Start(MEAL)),)))
    bench.arm(1, {LEFT: Start(COUNTDOWN)})
    bench.fire(1, Start(COUNTDOWN), 9)
    bench.start(COUNTDOWN)
    assert bench.summed.uncertain == (1, Amount(pellets=3))
    assert bench.ledger.can_deliver(PELLETS.amount)


def test_a_countdown_that_has_given_its_meal_keeps_no_room():
    bench = maze(max_pellets=6)
    bench.ledger.confirm(bench.order(Start(COUNTDOWN)), 0)
    bench.start(COUNTDOWN)
    bench.start(MEAL, PELLETS, of=COUNTDOWN)
    bench.order(Load(COUNTDOWN, ((6_000_000, Start(MEAL)),)), t_us=6_000_000)
    assert bench.ledger.can_deliver(PELLETS.amount)


def test_contents_of_two_units_end_no_session_early():
    bench = LedgerBench(max_rewards=3)
    bench.order(Load(MEAL, ((0, drop()),)))
    bench.order(Load(MEAL, ((0, PELLETS),)))
    bench.ledger.withholds(Start(MEAL), 0)
    bench.give()
    bench.give()
    assert not bench.ledger.limit_reached
