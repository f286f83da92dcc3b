"""A pause: task time stands still, the board's clock goes on, and nothing is lost or given twice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from rig.core.journal.kinds import Paused, Resumed
from rig.core.task.states import Next, state
from sim_hardware.driver import make_model
from tests.harness import FaultHarness, bad_link, nose_pokes, run_harness
from tests.rules.port_tasks import CountdownTask, IntervalTask
from tests.session_specs import PortTask, Visit, protocol_spec, task_spec


class Poked(PortTask):
    """Waits for a nose at the center, then until it has left."""

    @state(to=("leave",), can_end=True)
    async def come(self) -> Next:
        poke = await self.first(self.box.center.poked)
        self.log.append(("in", poke.t_s, self.box.center.last_entry_s))
        return self.leave

    @state(to=("come",), can_end=True)
    async def leave(self) -> Next:
        await self.until(self.box.center.free)
        self.log.append(("out", self.now_s))
        return self.come


class Reflex(PortTask):
    """A drop at the left by a reflex, in a state in which the session may end."""

    @state(to=("rest",), can_end=True)
    async def wait(self) -> Next:
        await self.react((self.box.left.poked, self.drop("left")))
        self.log.append(self.now_s)
        return self.rest

    @state(to=("wait",), can_end=True)
    async def rest(self) -> Next:
        await self.sleep(1.0)
        return self.wait


LOG = [2.004999, 4.504999, 7.004999, 9.504999]
"""The ends of the intervals of 2 s, in task time; the first begins 5 ms after the board has opened the session."""
Asked = Sequence[tuple[float, str]]


def paused(task: Any, asked: Asked, edges: Any = (), **stop: Any) -> FaultHarness:
    requests = [(at_s, lambda harness, what=what: harness.request(what)) for at_s, what in asked]
    harness = run_harness(task_spec(task, stop={"session_s": 12, **stop}), edges, *requests)
    harness.assert_replay_agrees()
    return harness


def spans(harness: FaultHarness) -> list[tuple[int, int]]:
    begins = [line.t_us for line in harness.of_kind(Paused)]
    ends = [line.t_us for line in harness.of_kind(Resumed)]
    assert [line.paused_us for line in harness.of_kind(Resumed)] == [
        end - begin for begin, end in zip(begins, ends, strict=False)
    ]
    return list(zip(begins, ends, strict=False))


def test_an_interval_keeps_what_was_left_of_it() -> None:
    plain = paused(IntervalTask, ())
    harness = paused(IntervalTask, [(3.0, "pause"), (8.0, "resume")])
    assert harness.log == plain.log == LOG
    ((begin, end),) = spans(harness)
    assert abs(begin - 3_000_000) < 10_000
    assert abs(end - 8_000_000) < 10_000
    drops = [opened - (end - begin) * (opened > begin) for opened in harness.opened("left")]
    assert len(drops) == len(plain.opened("left"))
    assert all(abs(a - b) < 10_000 for a, b in zip(drops, plain.opened("left"), strict=True))
    assert harness.footer.t_us - plain.footer.t_us == end - begin


def test_outputs_are_off_in_a_pause_and_on_again_afterwards() -> None:
    harness = paused(IntervalTask, [(3.0, "pause"), (8.0, "resume")])
    assert "center.light" in harness.on_at(2_900_000)
    assert harness.on_at(3_100_000) == harness.on_at(7_900_000) == set()
    assert "center.light" in harness.on_at(8_100_000)


def test_in_a_trial_a_pause_waits_for_its_end() -> None:
    harness = paused(IntervalTask, [(2.2, "pause"), (8.0, "resume")])
    ((begin, _),) = spans(harness)
    assert begin == 2_504_999
    assert harness.log == LOG
    assert harness.opened("left")[0] < 2_100_000


def test_a_pause_that_is_taken_back_before_it_begins_leaves_no_line() -> None:
    harness = paused(IntervalTask, [(2.2, "pause"), (2.3, "resume"), (2.35, "resume")])
    assert spans(harness) == []


def test_a_second_request_to_pause_changes_nothing() -> None:
    harness = paused(IntervalTask, [(3.0, "pause"), (4.0, "pause"), (8.0, "resume")])
    assert len(spans(harness)) == 1
    assert harness.log == LOG


def test_a_pause_that_is_too_long_ends_the_session() -> None:
    harness = paused(IntervalTask, [(3.0, "pause")], max_pause_s=60)
    assert harness.footer.reason == "operator"
    assert harness.footer.detail == "it was paused for longer than 1 minutes"
    assert 63_000_000 < harness.footer.t_us < 63_100_000


def test_a_session_can_end_in_a_pause() -> None:
    harness = paused(IntervalTask, [(3.0, "pause"), (5.0, "stop")])
    assert harness.footer.reason == "operator"
    assert spans(harness) == []


def test_a_reward_by_hand_in_a_pause_is_given_and_the_pause_goes_on() -> None:
    harness = paused(IntervalTask, [(3.0, "pause"), (5.0, "reward right"), (8.0, "resume")])
    assert len(harness.opened("right")) == 1
    assert harness.log == LOG
    assert [line.status for line in harness.rewards if line.delivered_by == "operator"] == ["delivered"]


def test_what_comes_and_goes_in_a_pause_does_not_count() -> None:
    edges = nose_pokes((4_000_000, "center", 500_000), (10_000_000, "center", 500_000))
    harness = paused(Poked, [(3.0, "pause"), (8.0, "resume")], edges)
    (_, end), *_ = spans(harness)
    first = harness.log[0]
    assert first[0] == "in"
    assert first[1] == first[2] == pytest.approx(10.0 - 5.0, abs=0.01)
    assert end < 10_000_000


def test_who_has_left_in_a_pause_has_left_afterwards() -> None:
    edges = nose_pokes((1_000_000, "center", 4_000_000))
    harness = paused(Poked, [(3.0, "pause"), (8.0, "resume")], edges)
    assert [entry[0] for entry in harness.log] == ["in", "out"]
    assert harness.log[1][1] == pytest.approx(3.0, abs=0.01)


def test_who_has_come_in_a_pause_starts_the_trial_when_it_is_over() -> None:
    edges = nose_pokes((5_000_000, "center", 4_000_000))
    harness = paused(Poked, [(3.0, "pause"), (8.0, "resume")], edges)
    assert harness.log[0][:2] == ("in", pytest.approx(3.0, abs=0.01))
    assert harness.log[1][0] == "out"


def test_an_armed_reflex_is_waited_for_and_gives_its_drop() -> None:
    edges = nose_pokes((6_000_000, "left", 100_000), (14_000_000, "left", 100_000))
    harness = paused(Reflex, [(3.0, "pause"), (12.0, "resume")], edges)
    assert [begin for begin, _ in spans(harness)] == [harness.edges[0].t_us]
    assert len(harness.opened("left")) == 2
    assert harness.rewards[0].delivered_by == "board"


def test_a_reflex_is_not_fired_by_what_a_pause_has_left_behind() -> None:
    edges = nose_pokes((2_000_000, "left", 100_000), (6_000_000, "left", 5_000_000), (12_500_000, "left", 100_000))
    # The pause begins in `rest`, and a second one before the reflex is armed.
    harness = paused(Reflex, [(2.5, "pause"), (2.9, "resume"), (2.95, "pause"), (10.0, "resume")], edges)
    assert len(harness.opened("left")) == 2
    assert harness.opened("left")[1] > 12_000_000


def test_a_pause_begins_when_a_sequence_has_given_its_rewards() -> None:
    class Countdown(CountdownTask):
        countdown_s = 2.0

        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            self.begin_trial(Visit())
            self.countdown.start()
            await self.first(self.box.left.poked)
            self.end_trial()
            return self.here

    # The first pause is asked for in the countdown, the second one when nothing happens any more.
    harness = paused(Countdown, [(1.0, "pause"), (1.5, "resume"), (4.0, "pause"), (8.0, "resume")])
    ((begin, end),) = spans(harness)
    assert (begin, end) == (4_000_000, 8_000_000)
    assert len(harness.opened("left")) == 1


def test_an_expired_lease_restarts_the_trial_and_the_pause_goes_on() -> None:
    harness = run_harness(
        task_spec(IntervalTask, stop={"session_s": 12}),
        (),
        (3.0, lambda harness: harness.request("pause")),
        (4.0, lambda harness: harness.block_input(3.0)),
        (12.0, lambda harness: harness.request("resume")),
    )
    assert harness.faults == ["lease_expired"]
    assert len(harness.of_kind(Paused)) == 2
    assert harness.on_at(10_000_000) == set()
    assert harness.footer.reason == "time_limit"
    harness.assert_replay_agrees()


# --- at random moments ----------------------------------------------------------------------------------------


def bandit_with_pauses(seed: int) -> FaultHarness:
    """A bandit's session with a random mouse, paused at random moments for random times."""
    draw = random.Random(seed)
    pokes, t_us = [], 500_000
    while t_us < 60_000_000:
        place = draw.choice(("center", "center", "left", "right"))
        length_us = draw.randrange(20_000, 600_000)
        pokes.append((t_us, place, length_us))
        t_us += length_us + draw.randrange(20_000, 1_500_000)
    at_s, asked = 0.0, []
    for _ in range(draw.randrange(1, 4)):
        at_s += draw.uniform(0.2, 12)
        asked.append((at_s, lambda harness: harness.request("pause")))
        at_s += draw.choice((0.0, 0.001, 0.1, 1, 8)) * draw.random()
        asked.append((at_s, lambda harness: harness.request("resume")))
    spec = protocol_spec(p_high=0.9, p_low=0.1, iti_min_s=1, stop_session_s=40)
    return run_harness(spec, nose_pokes(*pokes), *asked, seed=seed)


def check_pauses(harness: FaultHarness) -> None:
    """Check that every drop was given once and counted once, that task time had no pause, and that it replays."""
    harness.assert_replay_agrees()
    delivered = [line for line in harness.rewards if line.status == "delivered"]
    assert len(delivered) == len(harness.valve_openings) == harness.footer.rewards
    assert {line.status for line in harness.rewards} <= {"delivered", "cancelled", "refused"}
    assert all(opening.us == 40_000 for opening in harness.valve_openings if opening.us is not None)
    rows = [row for row in harness.rows if row.outcome in ("rewarded", "unrewarded")]
    assert sum(row.rewarded for row in rows) == len(delivered)
    # In a pause no state is entered, and no drop begins more than a beam's and a link's time after its begin.
    for begin, end in spans(harness):
        assert not [name for name, t_us in harness.states if begin < t_us < end]
        assert harness.on_at(begin + 50_000) <= {"left.valve", "right.valve"} or end - begin < 60_000
        assert not [opening for opening in harness.valve_openings if begin + 20_000 < opening.t_us < end]
    # The interval of a trial lasts for what the protocol says, in task time.
    states = [(name, t_us - gone(harness, t_us)) for name, t_us in harness.states]
    for (name, t_us), (following, until_us) in pairwise(states):
        if name == "iti" and following == "ready":
            assert until_us - t_us >= 1_000_000 - 600_000, "what was left when the nose had gone"
    if harness.footer.reason == "time_limit":
        assert harness.footer.t_us - gone(harness, harness.footer.t_us) >= 40_000_000


def gone(harness: FaultHarness, t_us: int) -> int:
    return sum(min(t_us, end) - begin for begin, end in spans(harness) if begin < t_us)


def intervals_with_pauses(seed: int) -> None:
    """Check that the intervals of a session are those of one without pauses, to the microsecond of task time."""
    draw = random.Random(seed)
    at_s, asked = 0.01, []
    for _ in range(draw.randrange(1, 5)):
        at_s += draw.uniform(0, 4)
        asked.append((at_s, "pause"))
        at_s += draw.choice((0.0, 0.001, 1, 20)) * draw.random()
        asked.append((at_s, "resume"))
    harness = paused(IntervalTask, asked)
    assert harness.log == LOG
    assert len(harness.opened("left")) == len(LOG) + (harness.footer.reason != "time_limit")


@pytest.mark.parametrize("seed", range(15))
def test_pauses_at_random_moments_lose_and_double_nothing(seed: int) -> None:
    check_pauses(bandit_with_pauses(seed))
    intervals_with_pauses(seed)


@pytest.mark.parametrize("protocol", ["two_armed_bandit", "free_water"])
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=pytest.mark.campaign) for n in range(4, 12))])
def test_on_a_bad_link_and_with_rewards_by_hand_every_drop_counts_once(protocol: str, seed: int) -> None:
    draw = random.Random(seed)
    pokes = [(1_000_000 + 700_000 * each, draw.choice(("center", "left", "right")), 300_000) for each in range(60)]
    at_s, asked = 0.0, []
    for _ in range(draw.randrange(1, 6)):
        at_s += draw.uniform(0.2, 8)
        asked.append((at_s, lambda harness: harness.request("pause")))
        asked.append((at_s + draw.random(), lambda harness: harness.request("reward left")))
        at_s += draw.choice((0.001, 0.1, 1, 8)) * draw.random()
        asked.append((at_s, lambda harness: harness.request("resume")))
    spec = protocol_spec(protocol, stop_session_s=40)
    link = bad_link(seed, latency_s=0.004, jitter_s=0.02)
    harness = run_harness(spec, nose_pokes(*pokes), *sorted(asked, key=lambda one: one[0]), seed=seed, faults=link)
    harness.assert_replay_agrees()
    delivered = [line for line in harness.rewards if line.status == "delivered"]
    assert len(delivered) == len(harness.valve_openings) == harness.footer.rewards
    for begin, end in spans(harness):
        assert not [name for name, t_us in harness.states if begin < t_us < end]


@pytest.mark.parametrize(("protocol", "model"), [("disk_bandit", "pigeon"), ("delay_discounting", "rat")])
@pytest.mark.parametrize("seed", range(4))
def test_other_tasks_go_on_after_a_pause(protocol: str, model: str, seed: int) -> None:
    draw = random.Random(seed)
    asked = []
    for at_s in sorted(draw.uniform(0, 100) for _ in range(4)):
        asked.append((at_s, lambda harness: harness.request("pause")))
        asked.append((at_s + draw.choice((0.001, 1, 20)), lambda harness: harness.request("resume")))
    spec = protocol_spec(protocol, stop_session_s=120)
    animal = make_model(model, {}, {"session_s": 120, "subject": "S", "days": 3})
    asked.sort(key=lambda one: one[0])
    harness = run_harness(spec, None, *asked, seed=seed, model=animal)
    harness.assert_replay_agrees()
    assert harness.footer.reason == "time_limit"
    assert harness.faults == []


@pytest.mark.campaign
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_sessions_with_pauses_lose_and_double_nothing(hundred: int) -> None:
    for seed in range(1_000 + 100 * hundred, 1_100 + 100 * hundred):
        check_pauses(bandit_with_pauses(seed))
        intervals_with_pauses(seed)
