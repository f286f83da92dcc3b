"""The engine against a board that takes orders and says nothing; what it would say is put in by the test."""

import asyncio
from dataclasses import dataclass

import pytest

from rig.core.engine.interrupts import SessionEnded, TrialAborted
from rig.core.errors import LinkLostError, TaskError
from rig.core.journal.kinds import Command, Note
from rig.core.model.actions import (
    CANCEL,
    NOTHING,
    Amount,
    Arm,
    Disarm,
    Load,
    Pulse,
    RewardAction,
    Start,
    Stop,
)
from rig.core.model.events import (
    BoardTime,
    Fault,
    Key,
    Overflow,
    Request,
    SequenceStarted,
    ZoneEvent,
)
from rig.core.model.patterns import EdgePattern
from rig.core.model.rows import Row
from tests.core.engine.engine_bench import (
    CENTER,
    DROP,
    LEFT,
    LEFT_OUT,
    OFF,
    ON,
    RIGHT,
    EngineBench,
    run,
    started,
)

OTHER_DROP = RewardAction(Pulse("right.valve", 40_000), "right", 2.5)


@pytest.fixture
def bench():
    return EngineBench()


# --- time -----------------------------------------------------------------------------------------------------


def test_the_first_answer_of_the_board_is_where_task_time_begins():
    bench = EngineBench(started=False)
    engine = bench.engine
    assert not engine.time.started
    run(bench.meanwhile(engine.start(), bench.edge(LEFT, 3), bench.time(4_999)))
    assert engine.time.started
    assert engine.time.now_us == 4_999
    assert engine.handlers.inputs.level("left.beam") == 1


@pytest.mark.parametrize(
    ("event", "error"), [(Overflow(0, 1, 0, 0, 1), TrialAborted), (Fault(0, "reset", "!"), SessionEnded)]
)
def test_what_happens_before_the_start_is_reported(bench, event, error):
    with pytest.raises(error):
        run(bench.meanwhile(bench.engine.start(), event))


def test_task_time_is_the_stamp_of_the_edge_that_was_taken(bench):
    bench.wait([LEFT], 500, bench.edge(RIGHT, 40), bench.edge(LEFT, 50), bench.edge(RIGHT, 60))
    assert bench.engine.time.now_us == 50


def test_task_time_is_the_deadline_that_has_passed_and_never_later(bench):
    assert bench.wait([LEFT], 500, bench.time(77_777)) is None
    assert bench.engine.time.now_us == 500


def test_task_time_does_not_run_backwards_over_an_edge_of_before(bench):
    bench.wait([], 500, bench.time(501))
    assert bench.wait([LEFT], 500, bench.edge(LEFT, 499)).t_us == 499
    assert bench.engine.time.now_us == 500


def test_a_session_that_reaches_its_limit_ends_there(bench):
    assert bench.end([LEFT], None, bench.time(1_000_001)).reason == "time_limit"
    assert bench.engine.time.now_us == 1_000_000


def test_a_deadline_behind_the_limit_is_the_limit(bench):
    assert bench.end([LEFT], 1_000_001, bench.time(1_000_001)).reason == "time_limit"


def test_a_deadline_at_the_limit_is_still_a_deadline(bench):
    assert bench.wait([LEFT], 1_000_000, bench.time(1_000_001)) is None


# --- batches --------------------------------------------------------------------------------------------------


def test_what_is_queued_between_two_waits_is_one_batch_with_what_was_read_before(bench):
    for order in (ON, OFF):
        bench.engine.orders.put(order)
    bench.wait([LEFT], 500, bench.edge(LEFT, 5))
    bench.engine.orders.put(ON)
    bench.wait([], 500, bench.time(900))
    assert bench.board.batches == [(0, 1, 0, [ON, OFF]), (0, 2, 1, [ON])]


def test_a_wait_without_orders_sends_nothing(bench):
    bench.wait([LEFT], 500, bench.edge(LEFT, 5))
    assert bench.board.batches == []


def test_a_batch_is_in_the_journal_before_the_board_has_it(bench):
    def batch(orders, seen, epoch, number):
        assert bench.lines[-1].orders == (ON,)

    bench.board.batch = batch
    bench.engine.orders.put(ON)
    bench.engine.flush()
    assert isinstance(bench.lines[-1], Command)


def test_loads_go_ahead_one_by_one_and_the_rest_follows_in_the_boards_order(bench):
    engine = bench.engine
    first, second = engine.orders.new_sequence(), engine.orders.new_sequence()
    engine.orders.put(Load(first, ((0, ON),)))
    engine.orders.put(Load(second, ((5, OFF),)))
    engine.orders.put(Start(first))
    engine.orders.put(Disarm(9))
    engine.flush()
    assert bench.orders == [[Load(1, ((0, ON),))], [Load(2, ((5, OFF),))], [Disarm(9), Start(1)]]
    assert (first, second) == (1, 2)


def test_loads_alone_leave_nothing_behind_them(bench):
    bench.engine.orders.put(Load(1, ((0, ON),)))
    bench.engine.orders.put(Load(2, ()))
    bench.engine.flush()
    assert len(bench.orders) == 2


def test_an_empty_batch_is_not_sent(bench):
    bench.engine.flush()
    assert bench.board.batches == []


# --- drops of the host ----------------------------------------------------------------------------------------


@dataclass
class Given(Row):
    """A row that says which rewards it was given."""

    gave: str = ""

    def on_rewards(self, rewards):
        self.gave = ", ".join(f"{each.delivered_by} {each.batch}.{each.order} {each.status}" for each in rewards)


def test_a_row_is_given_the_drop_of_the_host_when_its_output_has_gone_on(bench):
    bench.engine.trials.begin_trial(row := Given())
    bench.engine.orders.put(ON)
    bench.engine.orders.put(DROP)
    bench.engine.trials.end_trial()
    assert bench.wait([LEFT], 500, bench.time(10, 0), bench.on(DROP, "order", 1, 1), bench.edge(LEFT, 30))
    assert bench.observer.rows == [row] == [Given("host 1.1 delivered")]


def test_while_a_drop_is_open_the_board_is_asked_at_once(bench):
    bench.engine.orders.put(DROP)
    bench.wait([LEFT], 500, bench.edge(LEFT, 30))
    assert bench.board.asked == [0]


def test_a_drop_beside_a_load_belongs_to_the_batch_behind_it(bench):
    bench.engine.orders.put(Load(1, ((0, ON),)))
    bench.engine.orders.put(DROP)
    bench.wait([LEFT], 500, bench.time(10, 1), bench.edge(LEFT, 30))
    (reward,) = bench.engine.trials.rewards
    assert (reward.batch, reward.order, reward.status) == (2, 0, "pending")


def test_a_drop_that_the_board_refuses_was_never_given(bench):
    bench.engine.orders.put(DROP)
    bench.wait([LEFT], 500, bench.refused(1, 0, "busy"), bench.edge(LEFT, 30))
    (reward,) = bench.engine.trials.rewards
    assert reward.status == "refused"
    assert bench.engine.ledger.rewards == 0
    assert bench.engine.handlers.refusals == {"busy": 1}


def test_a_drop_over_the_limit_is_noted_and_not_ordered():
    bench = EngineBench(max_rewards=1)
    bench.engine.orders.put(DROP)
    bench.engine.orders.put(DROP)
    bench.engine.flush()
    assert bench.orders == [[DROP]]
    assert [line.what for line in bench.lines if isinstance(line, Note)] == ["reward_withheld"]
    assert bench.engine.ledger.limit_reached


def test_orders_never_sent_are_discarded_and_not_counted(bench):
    bench.engine.orders.put(DROP)
    bench.engine.reflexes.new({LEFT: DROP})
    bench.engine.discard_pending()
    bench.engine.flush()
    assert bench.orders == []
    assert not bench.engine.reflexes
    assert bench.engine.ledger.rewards == 0
    assert bench.engine.trials.rewards[0].status == "refused"


# --- reflexes -------------------------------------------------------------------------------------------------


def test_a_wait_arms_the_group_with_every_edge_that_can_end_it(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    assert bench.engine.reflexes
    bench.wait([LEFT, RIGHT], 500, bench.edge(RIGHT, 5, fired=1))
    assert bench.orders == [[Arm(1, 500, (("left.beam", 1, DROP), ("right.beam", 1, NOTHING)))]]
    assert bench.engine.trials.rewards == []


def test_without_a_deadline_a_group_has_no_end(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], None, bench.edge(LEFT, 5, fired=1))
    assert bench.orders[0][0].until_us is None


def test_a_reward_of_the_reflex_is_credited_and_not_delivered_again(bench):
    group = bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], 500, bench.edge(LEFT, 50, fired=1))
    (reward,) = bench.engine.trials.rewards
    assert (reward.delivered_by, reward.status, reward.t_us) == ("board", "delivered", 50)
    bench.engine.reflexes.end(group)
    bench.engine.flush()
    assert len(bench.orders) == 1
    assert not bench.engine.reflexes


def test_a_reward_that_the_board_could_not_deliver_the_host_delivers_at_once(bench):
    """While the wait goes on, when the edge did not end it."""
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([RIGHT], 500, bench.refused(1, 0), bench.edge(LEFT, 50), bench.edge(RIGHT, 60))
    assert [orders for _, number, _, orders in bench.board.batches if number == 2] == [[DROP]]
    assert [reward.delivered_by for reward in bench.engine.trials.rewards] == ["host"]
    assert bench.board.asked == [500, 0]


def test_an_order_that_is_no_drop_is_given_at_once_without_asking(bench):
    bench.engine.reflexes.new({LEFT: ON})
    bench.wait([RIGHT], 500, bench.edge(LEFT, 50), bench.edge(RIGHT, 60))
    assert bench.orders[1:] == [[ON]]
    assert bench.board.asked == [500]


@pytest.mark.parametrize("action", [NOTHING, CANCEL])
def test_an_edge_without_a_reward_ends_the_group_and_nothing_more(bench, action):
    bench.engine.reflexes.new({LEFT: DROP, RIGHT: action})
    bench.wait([CENTER], 500, bench.edge(RIGHT, 5), bench.edge(LEFT, 6), bench.edge(CENTER, 7))
    assert len(bench.orders) == 1
    assert bench.reserved == Amount()


def test_a_group_that_is_left_undecided_is_disarmed(bench):
    group = bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], 500, bench.time(501))
    bench.engine.reflexes.end(group)
    bench.engine.reflexes.end(group)
    bench.engine.flush()
    assert bench.orders[1:] == [[Disarm(1)]]


def test_a_group_that_was_never_armed_is_left_in_silence(bench):
    bench.engine.reflexes.end(bench.engine.reflexes.new({LEFT: DROP}))
    bench.engine.flush()
    assert bench.orders == []


def test_an_edge_that_an_ending_reflex_rewarded_is_not_rewarded_by_the_next_one(bench):
    engine = bench.engine
    old = engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], 500, bench.time(501))
    engine.reflexes.end(old)
    engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], 500, bench.edge(LEFT, 500, fired=1))
    assert [reward.delivered_by for reward in engine.trials.rewards] == ["board"]
    assert bench.orders[1:] == [[Disarm(1), Arm(2, 1_000, (("left.beam", 1, DROP),))]]


def test_an_edge_of_a_group_that_nobody_knows_credits_nothing(bench):
    bench.wait([LEFT], 500, bench.edge(LEFT, 50, fired=77))
    assert bench.engine.trials.rewards == []


def test_within_an_armed_reflex_every_wait_is_for_its_members(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([RIGHT], 500, bench.time(501))
    bench.wait([LEFT], 500, bench.time(1_001))
    with pytest.raises(TaskError, match=r"center\.beam, which is not a member"):
        bench.wait([CENTER], 500)
    assert len(bench.orders) == 1


def test_within_a_reflex_that_has_fired_any_edge_may_be_waited_for(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT], 500, bench.edge(LEFT, 5, fired=1))
    assert bench.wait([LEFT_OUT], 500, bench.edge(LEFT_OUT, 6))


def test_two_reflexes_may_not_answer_one_edge(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.engine.reflexes.new({LEFT: ON})
    with pytest.raises(TaskError, match=r"two reflexes have an action for left\.beam"):
        bench.wait([LEFT], 500)


def test_two_reflexes_may_watch_one_edge(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.engine.reflexes.new({RIGHT: OTHER_DROP})
    bench.wait([LEFT, RIGHT], 500, bench.edge(LEFT, 5, fired=1))
    assert [reward.source for reward in bench.engine.trials.rewards] == ["left"]


def test_group_numbers_are_used_in_turn_and_none_that_is_taken(bench):
    engine = bench.engine
    kept = engine.reflexes.new({LEFT: NOTHING})
    for _ in range(254):
        engine.reflexes.end(engine.reflexes.new({RIGHT: NOTHING}))
    assert engine.reflexes.new({RIGHT: NOTHING}).number == 2
    assert kept.number == 1


# --- promises -------------------------------------------------------------------------------------------------


def test_a_drop_that_a_reflex_may_still_give_takes_its_room():
    bench = EngineBench(max_rewards=1)
    bench.engine.reflexes.new({LEFT: DROP})
    bench.engine.reflexes.new({RIGHT: OTHER_DROP})
    bench.wait([LEFT, RIGHT], 500, bench.edge(RIGHT, 5, fired=2))
    assert bench.orders[0][1].members == (("right.beam", 1, NOTHING), ("left.beam", 1, NOTHING))
    assert bench.engine.ledger.rewards == 0


def test_a_promise_ends_with_the_reflex(bench):
    promised = []
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([], 500, bench.time(500), lambda: promised.append(bench.reserved), bench.time(501))
    assert promised == [Amount(2.5)]
    assert bench.reserved == Amount()


def test_a_disarmed_group_may_have_delivered_until_the_board_has_executed_the_disarm(bench):
    group = bench.engine.reflexes.new({LEFT: DROP})
    key = Key(5, "a", 5, 0)
    bench.wait(list(key.matches), None, key)
    bench.engine.reflexes.end(group)
    bench.wait([], 10, bench.time(7, 1), bench.time(16, 1))
    assert bench.reserved == Amount(2.5)
    bench.wait([], 10, bench.time(30, 2))
    assert bench.reserved == Amount()


def test_a_promise_ends_with_the_edge_that_ends_the_reflex(bench):
    bench.engine.reflexes.new({LEFT: DROP})
    bench.wait([LEFT, RIGHT], None, bench.edge(RIGHT, 5, fired=1))
    assert bench.reserved == Amount()


def test_lost_events_put_in_doubt_what_a_reflex_may_have_given_and_what_is_open():
    bench = EngineBench(max_rewards=3)
    engine = bench.engine
    group = engine.reflexes.new({LEFT: DROP})
    engine.orders.put(OTHER_DROP)
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], None, Overflow(0, 1, 1, 1, 1))
    assert (engine.ledger.account.unconfirmed.rewards, engine.ledger.rewards) == (1, 1)
    assert bench.reserved == DROP.amount, "its edge may still come"
    assert [reward.status for reward in engine.trials.rewards] == ["unconfirmed"]
    engine.reflexes.end(group)
    bench.wait([RIGHT], 100, bench.time(engine.time.now_us + 200, 2))
    assert bench.orders[1:] == [[Disarm(1)]]
    assert (engine.ledger.account.unconfirmed.rewards, engine.ledger.rewards, bench.reserved) == (2, 2, Amount())


def test_an_edge_behind_the_lost_events_says_that_its_reflex_had_not_fired_before():
    bench = EngineBench(max_rewards=3)
    group = bench.engine.reflexes.new({LEFT: DROP})
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], None, Overflow(0, 1, 1, 1, 1))
    bench.engine.reflexes.end(group)
    bench.wait([RIGHT], 100, bench.edge(LEFT, 5, fired=1), bench.time(bench.engine.time.now_us + 200, 2))
    assert bench.engine.ledger.account.unconfirmed.rewards == 0
    assert (bench.engine.ledger.rewards, bench.reserved) == (1, Amount())


@pytest.mark.parametrize("overflow", [Overflow(0, 1, 0, 0, 1), Overflow(0, 1, 0, 2, 1)])
def test_lost_events_before_the_board_had_the_order_or_of_no_effect_put_nothing_in_doubt(overflow):
    bench = EngineBench(max_rewards=3)
    group = bench.engine.reflexes.new({LEFT: DROP})
    bench.engine.orders.put(OTHER_DROP)
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], None, overflow)
    bench.engine.reflexes.end(group)
    gives = bench.on(OTHER_DROP, "order", 1, 1)
    bench.wait([RIGHT], 100, gives, bench.time(bench.engine.time.now_us + 200, 2))
    assert bench.engine.ledger.account.unconfirmed.rewards == 0
    assert bench.engine.ledger.account.delivered.rewards == 1
    assert bench.engine.ledger.rewards == 1


# --- what ends a trial or a session ---------------------------------------------------------------------------


def test_lost_events_cut_the_trial(bench):
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], 500, Overflow(0, 1, 0, 0, 1))


def test_an_expired_lease_cuts_the_trial_and_begins_the_count_of_batches_again(bench):
    engine = bench.engine
    engine.reflexes.new({LEFT: DROP})
    engine.orders.put(DROP)
    engine.orders.put(DROP)
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], 500, bench.lease(executed=0))
    assert [reward.status for reward in engine.trials.rewards] == ["refused", "refused"]
    assert not engine.reflexes
    assert bench.reserved == Amount()
    engine.orders.put(ON)
    engine.flush()
    assert bench.board.batches[-1][:2] == (1, 1)


def test_the_third_expired_lease_ends_the_session(bench):
    for _ in range(2):
        with pytest.raises(TrialAborted):
            bench.wait([LEFT], 500, bench.lease())
    end = bench.end([LEFT], 500, bench.lease())
    assert end.reason == "fault"
    assert "expired 3 times" in end.detail


def test_a_panic_ends_the_session_and_settles_every_reward(bench):
    engine = bench.engine
    engine.orders.put(DROP)
    engine.flush()
    engine.reflexes.new({LEFT: DROP})
    engine.orders.put(DROP)
    end = bench.end([LEFT], 500, bench.on(DROP, "order", 1, 0), bench.panic(executed=1))
    assert (end.reason, end.detail) == ("panic", "the panic button of board uno (pin 12) was pressed")
    assert engine.handlers.panic is end
    assert [reward.status for reward in engine.trials.rewards] == ["delivered", "refused"]
    assert not engine.reflexes
    assert bench.reserved == Amount()
    assert engine.orders.lease_expirations == 0


def test_the_operator_and_the_hardware_end_the_session(bench):
    assert bench.end([LEFT], 500, Request(0, "stop")).reason == "operator"
    end = EngineBench().end([LEFT], 500, Fault(0, "reset", "the board has reset"))
    assert (end.reason, end.detail) == ("fault", "the board has reset")


@pytest.mark.parametrize("event", [Request(0, "stop"), Fault(0, "link_lost", "silent"), BoardTime(1_000_001, 0, 1)])
def test_when_the_session_is_over_every_further_wait_says_so_at_once(bench, event):
    end = bench.end([LEFT], None, event)
    bench.engine.orders.put(ON)
    with pytest.raises(SessionEnded) as again:
        bench.wait([], 100)
    assert again.value is end
    assert bench.orders == []


def test_when_a_wait_was_cancelled_there_is_no_other(bench):
    async def cancel():
        waiting = asyncio.ensure_future(bench.engine.wait([LEFT], 500))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await bench.engine.wait([], 100)

    with pytest.raises(SessionEnded):
        run(cancel())


def test_a_cut_trial_is_not_the_end(bench):
    with pytest.raises(TrialAborted):
        bench.wait([LEFT], 500, bench.lease())
    assert bench.wait([LEFT], 500, bench.edge(LEFT, 5)).t_us == 5


def test_a_failed_inbox_is_reported_as_it_is(bench):
    with pytest.raises(LinkLostError, match="gone"):
        bench.wait([LEFT], 500, lambda: bench.inbox.fail(LinkLostError("gone")))


def test_a_drop_by_hand_is_sent_at_once_and_belongs_to_no_trial():
    bench = EngineBench(reward_at=lambda source: DROP if source == "left" else None)
    bench.wait([LEFT], 500, Request(0, "reward left"), bench.time(9, 1), bench.edge(LEFT, 10))
    assert bench.orders == [[DROP]]
    assert bench.engine.trials.rewards == []
    assert bench.engine.ledger.rewards == 1


@pytest.mark.parametrize("what", ["reward right", "reward", "dance left", ""])
def test_a_request_that_gives_nothing_changes_nothing(what):
    bench = EngineBench()
    bench.wait([LEFT], 500, Request(0, what), bench.edge(LEFT, 10))
    assert bench.orders == []


def test_an_input_that_looks_stuck_is_noted():
    bench = EngineBench(stuck_us=100)
    bench.wait([RIGHT], 500, bench.edge(LEFT, 5), bench.time(105), bench.edge(RIGHT, 200))
    notes = [line for line in bench.lines if isinstance(line, Note)]
    assert [(line.what, line.fields["channel"], line.fields["since_us"]) for line in notes] == [
        ("stuck", "left.beam", 5)
    ]


# --- sequences that pay ---------------------------------------------------------------------------------------

MEAL = RewardAction(Pulse("left_feeder.feeder", 50_000), "left_feeder", pellets=1)


def with_countdown(**limits):
    """An engine on whose board a countdown lies that starts a meal, armed to the left beam and ended by its leaving."""
    bench = EngineBench(**limits)
    bench.engine.orders.put(Load(2, ((0, MEAL),)))
    bench.engine.orders.put(Load(1, ((5_000, Start(2)),)))
    return bench


def test_a_meal_is_credited_when_the_board_says_that_it_has_begun():
    bench = with_countdown(max_rewards=1)
    bench.engine.reflexes.new({LEFT: Start(1)})
    bench.wait([LEFT], None, bench.edge(LEFT, 10, fired=1))
    assert (bench.engine.trials.rewards, bench.reserved) == ([], Amount(pellets=1))
    bench.wait(
        [],
        90,
        started(bench, 1, 20, "reflex", 1),
        started(bench, 2, 50, "sequence", 1),
        bench.on(MEAL, "sequence", 2, 0, 50),
        bench.time(200),
    )
    (reward,) = bench.engine.trials.rewards
    assert (reward.amount, reward.delivered_by, reward.t_us, reward.status) == (MEAL.amount, "board", 50, "delivered")
    assert bench.reserved == Amount()


def test_a_countdown_that_a_reflex_stops_gives_nothing():
    bench = with_countdown()
    engine = bench.engine
    engine.orders.put(Start(1))
    engine.reflexes.new({LEFT_OUT: Stop(1)})
    bench.wait([LEFT_OUT], None, bench.edge(LEFT_OUT, 10, fired=1))
    assert (engine.trials.rewards, bench.reserved) == ([], MEAL.amount), "the start is on its way"
    bench.wait([], 90, BoardTime(200, engine.orders.batches, 9))
    bench.wait([], 90, BoardTime(2_000_000, engine.orders.batches, 10))
    assert (engine.trials.rewards, bench.reserved) == ([], Amount())
    assert Stop(1) not in bench.orders[-1], "the board has done it"


def test_a_countdown_that_would_pass_a_limit_is_not_armed_and_not_started():
    bench = with_countdown(max_pellets=0)
    bench.engine.reflexes.new({LEFT: Start(1)})
    bench.engine.orders.put(Start(1))
    bench.wait([LEFT], None, bench.edge(LEFT, 10, fired=1))
    assert bench.orders[-1] == [Arm(1, None, (("left.beam", 1, NOTHING),))]
    notes = [(line.fields["source"], line.fields["pellets"]) for line in bench.lines if isinstance(line, Note)]
    assert notes == [("left_feeder", 1), ("left_feeder", 1)]


def test_numbers_of_sequences_run_out():
    bench = EngineBench()
    assert [bench.engine.orders.new_sequence() for _ in range(255)] == list(range(1, 256))
    with pytest.raises(TaskError, match="255 sequences are loaded: load one that changes"):
        bench.engine.orders.new_sequence()


def test_numbers_of_reflexes_run_out():
    bench = EngineBench()
    assert [bench.engine.reflexes.new({LEFT: NOTHING}).number for _ in range(255)] == list(range(1, 256))
    with pytest.raises(TaskError, match="255 reflexes are open: end one before the next"):
        bench.engine.reflexes.new({LEFT: NOTHING})


def test_a_countdown_that_runs_past_an_answer_of_the_board_still_owes_its_meal():
    bench = with_countdown()
    bench.engine.orders.put(Start(1))
    bench.wait([], 90, bench.time(200))
    assert bench.reserved == Amount(pellets=1)


# --- inputs that are no board's ---------------------------------------------------------------------------------

ZONE = EdgePattern("maze.zone", 1)
CROSSING = ZoneEvent(40, "maze.zone", 1, 7, 9)


def test_what_an_input_that_is_no_boards_is_to_do_the_host_does_at_once():
    bench = EngineBench(host_inputs=["maze.zone"])
    group = bench.engine.reflexes.new({ZONE: DROP})
    assert bench.wait([ZONE], 100, CROSSING) == CROSSING.edge
    bench.engine.reflexes.end(group)
    bench.engine.flush()
    assert bench.orders == [[DROP]]
    assert [reward.delivered_by for reward in bench.engine.trials.rewards] == ["host"]


def test_the_board_discards_a_group_that_the_host_has_decided():
    bench = EngineBench(host_inputs=["maze.zone"])
    group = bench.engine.reflexes.new({ZONE: ON})
    assert bench.wait([ZONE, LEFT], 100, CROSSING) == CROSSING.edge
    bench.engine.reflexes.end(group)
    bench.engine.flush()
    assert bench.orders == [[Arm(1, 100, (("left.beam", 1, NOTHING),))], [Disarm(1), ON]]


def test_what_the_host_would_have_given_is_promised_no_more_when_its_group_ends():
    bench = EngineBench(host_inputs=["maze.zone"], max_rewards=1)
    group = bench.engine.reflexes.new({ZONE: DROP})
    bench.end([ZONE], 100, Request(0, "stop"))
    assert bench.reserved == DROP.amount
    bench.engine.reflexes.end(group)
    assert bench.reserved == Amount()
    bench.engine.flush()
    assert bench.orders == []


def test_a_task_can_wait_until_the_board_has_done_what_was_ordered(bench):
    bench.engine.orders.put(Start(3))
    events = bench.time(10), SequenceStarted(12, 3, "order", 1, 9), bench.time(20, executed=1)
    assert run(bench.meanwhile(bench.engine.wait_executed(), *events)) == 20
    assert bench.orders == [[Start(3)]]
    assert bench.engine.handlers.began_us == {3: 12}
    assert run(bench.engine.wait_executed()) == 20  # nothing is open
