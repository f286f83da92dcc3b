"""Every drop is given once, is said once, and unknown ones are counted as unconfirmed."""

from __future__ import annotations

from functools import partial

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.journal.kinds import Command, Note
from rig.core.task.states import Next, state
from sim_hardware.link_model import LinkFaults
from tests.harness import nose_pokes, run_with_faults
from tests.rules.faults import inject
from tests.rules.pin_trace_oracle import check_session
from tests.rules.port_tasks import CountdownTask
from tests.session_specs import DROP_US, PortTask, Visit, task_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "choice_window_s": 0.1, "iti_min_s": 0.02}
WATER = {"pause_s": 0.02}


class Paid(PortTask):
    """One poke at the left is paid, within five seconds; then a pause of one."""

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        self.begin_trial(Visit())
        with self.reflex((self.box.left.poked, self.drop("left"))):
            poke = await self.first(self.box.left.poked, self.box.center.poked, within=5)
        self.log.append(poke and poke.t_us)
        await self.sleep(1)
        self.end_trial()
        return self.here


# --- a valve that is busy --------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_us", [1_000, 20_000, 38_000, 39_500, 40_500, 60_000])
def test_a_poke_while_the_valve_is_open_is_paid_by_the_host_or_not_at_all_and_the_row_says_which(after_us: int) -> None:
    # The drop by hand begins when its order arrives, half a millisecond after it was asked for.
    edges = nose_pokes((2_000_500 + after_us, "left", 100_000))
    harness = run_with_faults(task_spec(Paid), edges, (2.0, lambda harness: harness.request("reward left")))
    opened = harness.opened("left")
    if after_us + 1_100 < DROP_US:
        assert harness.rows[0]["drops"] == ["host left refused"]
        assert len(opened) == 1
    else:
        assert harness.rows[0]["drops"] == [f"{'host' if after_us < DROP_US else 'board'} left delivered"]
        assert len(opened) == 2
    assert harness.footer.rewards == len(opened)
    harness.assert_replay_agrees()


@pytest.mark.parametrize("gap_s", [0.0, 0.001, 0.015])
def test_of_drops_by_hand_asked_for_too_fast_those_that_are_refused_are_not_counted(gap_s: float) -> None:
    by_hand = [(1.0 + n * gap_s, partial(inject, kind="reward left", amount=0.0)) for n in range(12)]
    harness = run_with_faults(task_spec(FreeWater, WATER), (), *by_hand)
    check_session(harness)
    assert 1 <= len(harness.valve_openings) < 12
    assert harness.footer.rewards == len(harness.valve_openings)
    assert harness.footer.refusals == {"busy": 12 - len(harness.valve_openings)}


@pytest.mark.parametrize("asked_s", [2.1, 2.4, 2.48, 2.495])
def test_a_reward_by_hand_takes_the_place_of_no_reward_of_a_sequence(asked_s: float) -> None:
    class Countdown(CountdownTask):
        countdown_s = 0.5

        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            await self.react((self.box.left.poked, self.countdown.start_action))
            await self.sleep(1)
            self.end_trial()
            return self.here

    by_hand = (
        (asked_s, lambda harness: harness.request("reward left")),
        (5.0, lambda harness: harness.request("reward left")),
    )
    harness = run_with_faults(task_spec(Countdown), nose_pokes((2_000_000, "left", 100_000)), *by_hand)
    assert harness.rows[0]["drops"] == ["board left delivered"]
    assert len(harness.valve_openings) == harness.footer.rewards == 2, "that of the countdown, and that at 5 s"
    harness.assert_replay_agrees()


def test_a_reward_by_hand_is_given_when_the_task_has_stopped_a_sequence() -> None:
    class Stopped(CountdownTask):
        countdown_s = 3.0

        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            self.countdown.start()
            await self.first(self.box.right.poked)
            self.countdown.stop()
            await self.first(self.box.left.poked)
            self.end_trial()
            return self.here

    by_hand = [(at_s, lambda harness: harness.request("reward left")) for at_s in (2.0, 5.0)]
    harness = run_with_faults(task_spec(Stopped), nose_pokes((2_500_000, "right", 50_000)), *by_hand)
    assert harness.opened("left") == [5_000_500]
    harness.assert_replay_agrees()


# --- limits --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stop", "given"),
    [({"max_rewards": 1}, 1), ({"max_ul": 2.5}, 1), ({"max_ul": 4.9}, 1), ({"max_ul": 5.0}, 2), ({"max_ul": 2.4}, 0)],
)
def test_a_drop_by_hand_leaves_room_for_the_reflex_that_may_fire_at_any_moment(
    stop: dict[str, float], given: int
) -> None:
    by_hand = (0.5, partial(inject, kind="reward right", amount=0.0))
    harness = run_with_faults(task_spec(Paid, stop=stop), nose_pokes((1_000_000, "left", 50_000)), by_hand)
    assert len(harness.valve_openings) == harness.footer.rewards == given
    refused = [line.fields["source"] for line in harness.of_kind(Note) if line.what == "reward_withheld"]
    assert bool(refused) == (given < 2)


def test_reflexes_that_are_armed_together_do_not_share_the_last_drop() -> None:
    class Both(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            answers = [self.reflex((port.poked, port.drop(2.5))) for port in (self.box.left, self.box.right)]
            with answers[0], answers[1]:
                await self.sleep(2)
            self.end_trial()
            return self.here

    edges = nose_pokes((500_000, "right", 50_000), (1_000_000, "left", 50_000))
    harness = run_with_faults(task_spec(Both, stop={"max_rewards": 1}), edges)
    assert [opening.place for opening in harness.valve_openings] == ["left"]
    assert harness.footer.rewards == 1
    assert harness.footer.reason == "reward_limit"


def test_a_limit_of_microliters_ends_a_session_that_gives_its_drops_from_the_host() -> None:
    class Generous(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            self.do(self.drop("left"))
            await self.sleep(0.3)
            self.end_trial()
            return self.here

    harness = run_with_faults(task_spec(Generous, stop={"max_ul": 6}))
    assert (harness.footer.reason, harness.footer.rewards, len(harness.valve_openings)) == ("reward_limit", 2, 2)


def test_trials_are_counted_when_they_end_not_when_their_drop_is_confirmed() -> None:
    class Quick(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            await self.first(self.box.left.poked, within=0.1)
            self.do(self.drop("left"))
            self.end_trial()
            return self.here

    harness = run_with_faults(task_spec(Quick, stop={"max_trials": 2}))
    assert (harness.footer.reason, len(harness.rows)) == ("trial_limit", 2)


# --- what travels while everything ends ------------------------------------------------------------------------

POKE_US = 2_000_000
ENDS = ["stop", "stop_now", "unplug", "reset"]
EDGES = {
    FreeWater: nose_pokes((POKE_US, "left", 15_000), (POKE_US + 60_000, "right", 15_000)),
    TwoArmedBandit: nose_pokes((POKE_US - 50_000, "center", 10_000), (POKE_US, "left", 20_000)),
}


def at_every_moment(kinds: list[str], latency_s: float, step_us: int) -> None:
    """Let something happen at every moment around two drops, one after the other."""
    for task, params in ((FreeWater, WATER), (TwoArmedBandit, SURE)):
        for kind in kinds:
            for at_us in range(POKE_US - 60_000, POKE_US + 120_000, step_us):
                fault = (at_us / 1e6, partial(inject, kind=kind, amount=2.2))
                harness = run_with_faults(
                    task_spec(task, params, {"session_s": 3}), EDGES[task], fault, faults=LinkFaults(latency_s)
                )
                check_session(harness)


@pytest.mark.parametrize("kind", [*ENDS, "block_input", "silence", "reward left", "delay"])
def test_whatever_happens_at_whatever_moment_around_a_drop_it_is_accounted_for(kind: str) -> None:
    at_every_moment([kind], 0.004, 14_300)


@pytest.mark.campaign
@pytest.mark.parametrize("latency_s", [0.0, 0.0005, 0.004, 0.06])
@pytest.mark.parametrize("kind", [*ENDS, "block_input", "silence", "stall", "reward left", "reward right", "delay"])
def test_whatever_happens_at_every_moment_around_a_drop_it_is_accounted_for(kind: str, latency_s: float) -> None:
    at_every_moment([kind], latency_s, 310)


def test_a_drop_whose_order_was_never_answered_is_in_doubt_counted_and_not_repeated() -> None:
    # The poke is read while the arming is on its way: the host pays, and the cable is pulled before the answer.
    edges = nose_pokes((POKE_US - 50_000, "center", 10_000), (POKE_US - 48_000, "left", 500_000))
    harness = run_with_faults(
        task_spec(TwoArmedBandit, SURE, {"session_s": 4}),
        edges,
        (1.9, lambda harness: harness.delay(0.02)),
        (1.975, lambda harness: harness.rig.cable.disconnect()),
    )
    check_session(harness)
    assert "pulse left.valve 40000 (2.5 ul)" in [order for _, order in harness.orders]
    assert (harness.row["outcome"], harness.row["delivered_by"], harness.row["rewarded"]) == (
        "interrupted",
        "unconfirmed",
        0,
    )
    assert (harness.footer.unconfirmed_rewards, harness.footer.rewards) == (1, 1)


@pytest.mark.parametrize("poked", [True, False])
def test_a_reflex_that_nobody_hears_of_any_more_is_in_doubt_too(poked: bool) -> None:
    edges = nose_pokes((3_000_000, "left", 50_000)) if poked else []  # before the lease has run out
    harness = run_with_faults(task_spec(FreeWater, WATER), edges, (2.5, lambda harness: harness.rig.cable.disconnect()))
    check_session(harness)
    assert len(harness.valve_openings) == poked
    assert harness.footer.unconfirmed_rewards == 1


def test_when_the_board_lost_events_what_may_have_been_among_them_is_in_doubt() -> None:
    flicker = [(1_000_000 + 5_100 * n, "center", 1 - n % 2) for n in range(300)]
    edges = sorted([*flicker, *nose_pokes((2_600_000, "left", 50_000))])
    harness = run_with_faults(task_spec(FreeWater, WATER), edges, (0.9, lambda harness: harness.stall(1.9)))
    check_session(harness)
    assert harness.faults == ["overflow"]
    assert harness.opened("left") == [2_600_100]
    assert not [edge for edge in harness.edges if edge.channel == "left.beam" and edge.level]
    assert harness.footer.unconfirmed_rewards == 1


# --- orders that come too late ---------------------------------------------------------------------------------


def test_orders_that_arrive_after_the_lease_has_expired_are_not_executed() -> None:
    # The second arming and its light wait in the cable while the lease runs out, and arrive behind it.
    edges = nose_pokes((2_000_000, "left", 15_000), (4_300_000, "right", 50_000), (6_000_000, "left", 50_000))
    harness = run_with_faults(
        task_spec(FreeWater, {"pause_s": 0.1}), edges, (2.101, lambda harness: harness.block_input(2.5))
    )
    check_session(harness)
    assert harness.faults == ["lease_expired", "refused"]
    armed = [(line.epoch, str(line.orders[0]).partition(":")[0]) for line in harness.of_kind(Command)]
    assert armed[:3] == [(0, "arm 1"), (0, "arm 2"), (1, "arm 3")]
    # The right port was poked when the board was deaf and nothing was armed: the host pays when it can.
    assert [row["delivered_by"] for row in harness.rows] == ["board", "host", "board"]
    assert len(harness.valve_openings) == 3


def test_a_drop_that_was_on_its_way_when_the_lease_expired_is_never_given() -> None:
    class Ordered(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            await self.first(self.box.left.poked)
            self.do(self.drop("left"))
            await self.sleep(5)
            self.end_trial()
            return self.here

    harness = run_with_faults(
        task_spec(Ordered), [(2_000_000, "left", 1)], (1.99, lambda harness: harness.block_input(2.5))
    )
    assert harness.faults == ["lease_expired"]
    assert not harness.valve_openings
    assert harness.rows[0]["drops"] == ["host left refused"]
    assert (harness.footer.rewards, harness.footer.unconfirmed_rewards) == (0, 0)


def test_more_than_255_reflexes_in_a_session_are_distinguished() -> None:
    visits = [(200_000 + 60_000 * n, ("left", "right")[n % 2], 10_000) for n in range(300)]
    harness = run_with_faults(task_spec(FreeWater, {"pause_s": 0.015}, {"max_rewards": 1_000}), nose_pokes(*visits))
    check_session(harness)
    assert len(harness.valve_openings) == len(harness.rows) == 300
    assert {row["delivered_by"] for row in harness.rows} == {"board"}
