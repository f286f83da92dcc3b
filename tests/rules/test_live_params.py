"""A live parameter changes at the start of a trial, never in one, and a replay decides the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

import pytest
from pydantic import Field, model_validator

from rig import Live, RewardVolume
from rig.core.journal.kinds import ParamsChanged
from rig.core.model.line import kind_of
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from sim_hardware.driver import make_model
from tests.harness import FaultHarness, bad_link, nose_pokes, run_harness
from tests.session_specs import ThreePorts, Visit, protocol_spec, task_spec
from tests.tables import rows

Asked = Sequence[tuple[float, str]]


class Live3(TaskParams):
    """Three parameters that may change and must agree, and one that is fixed."""

    reward_ul: Annotated[RewardVolume, Live] = Field(default=2.5, ge=0.5, le=10)
    wait_s: Annotated[float, Live] = Field(default=1.0, ge=0.1, le=30)
    longest_s: Annotated[float | None, Live] = None
    p: float = 0.5

    @model_validator(mode="after")
    def _agree(self) -> Live3:
        if self.longest_s is not None and self.wait_s > self.longest_s:
            raise ValueError(f"wait_s is {self.wait_s:g}, more than longest_s ({self.longest_s:g})")
        return self


class Drops(Task[Live3, ThreePorts, Visit]):
    """A drop at the left, then a wait; a trial is open for 0.5 s."""

    @state(to=("give",), can_end=True)
    async def wait(self) -> Next:
        await self.sleep(self.params.wait_s)
        return self.give

    @state(to=("wait",))
    async def give(self) -> Next:
        self.begin_trial(Visit(trial=self.trial_number + 1))
        await self.sleep(0.25)
        self.do(self.box.left.drop(self.params.reward_ul))
        await self.sleep(0.25)
        self.end_trial()
        return self.wait


class Pairs(Drops):
    """A trial of two states, with a drop in each."""

    @state(to=("more",))
    async def give(self) -> Next:
        self.begin_trial(Visit(trial=self.trial_number + 1))
        self.do(self.box.left.drop(self.params.reward_ul))
        await self.sleep(0.5)
        return self.more

    @state(to=("wait",))
    async def more(self) -> Next:
        self.do(self.box.left.drop(self.params.reward_ul))
        await self.sleep(0.5)
        self.end_trial()
        return self.wait


class Endless(Drops):
    """Each trial begins where the last one ends, in one state."""

    @state(to=("give",), can_end=True)
    async def give(self) -> Next:
        if self.trial is not None:
            self.end_trial()
        self.begin_trial(Visit(trial=self.trial_number + 1))
        self.do(self.box.left.drop(self.params.reward_ul))
        await self.sleep(self.params.wait_s)
        return self.give


def asked_of(task: Any, asked: Asked, **stop: Any) -> FaultHarness:
    requests = [(at_s, lambda harness, what=what: harness.request(what)) for at_s, what in asked]
    harness = run_harness(task_spec(task, stop={"session_s": 12, **stop}), (), *requests)
    harness.assert_replay_agrees()
    return harness


def changes(harness: FaultHarness) -> list[tuple[int, dict[str, Any]]]:
    return [(line.trial, line.changed) for line in harness.of_kind(ParamsChanged)]


def drops_us(harness: FaultHarness) -> list[int | None]:
    return [opening.us for opening in harness.valve_openings]


SMALL_US, BIG_US = 40_000, 80_000
"""The open times of 2.5 and 5 ul."""


def test_a_change_between_two_trials_is_that_of_the_next() -> None:
    harness = asked_of(Drops, [(1.8, "set reward_ul=5")])
    assert changes(harness) == [(2, {"reward_ul": 5.0})]
    assert drops_us(harness) == [SMALL_US, *[BIG_US] * (len(harness.rows) - 1)]


def test_a_change_in_a_trial_waits_for_its_end() -> None:
    harness = asked_of(Drops, [(1.1, "set reward_ul=5")])
    assert changes(harness) == [(2, {"reward_ul": 5.0})]
    (line,) = harness.of_kind(ParamsChanged)
    assert abs(line.t_us - 1_505_000) < 1000
    assert drops_us(harness)[:2] == [SMALL_US, BIG_US]


def test_all_states_of_a_trial_have_the_same_value() -> None:
    harness = asked_of(Pairs, [(1.1, "set reward_ul=5")])
    assert changes(harness) == [(2, {"reward_ul": 5.0})]
    assert drops_us(harness)[:4] == [SMALL_US, SMALL_US, BIG_US, BIG_US]


@pytest.mark.parametrize("us_before", [-1, 0, 1, 1000])
def test_a_change_in_the_instant_of_a_trial_s_end_is_of_one_trial_or_the_next(us_before: int) -> None:
    harness = asked_of(Drops, [(1.504999 - us_before / 1e6, "set reward_ul=5"), (3.0, "set wait_s=0.5")])
    (trial, changed), (second, again) = changes(harness)
    assert trial == 2 < second
    assert (changed, again) == ({"reward_ul": 5.0}, {"wait_s": 0.5})
    assert drops_us(harness) == [SMALL_US if row.trial < trial else BIG_US for row in harness.rows]


def test_where_trials_follow_each_other_in_one_state_a_change_is_that_of_the_next() -> None:
    harness = asked_of(Endless, [(2.5, "set reward_ul=5"), (2.6, "set wait_s=2")])
    assert changes(harness) == [(3, {"reward_ul": 5.0, "wait_s": 2.0})]
    assert drops_us(harness)[:3] == [SMALL_US, SMALL_US, BIG_US]


def test_of_ten_changes_in_a_row_the_last_counts() -> None:
    asked = [(1.1 + each / 1000, f"set wait_s={0.5 + each}") for each in range(10)]
    harness = asked_of(Drops, [*asked, (1.2, "set reward_ul=5")], session_s=20)
    assert changes(harness) == [(2, {"reward_ul": 5.0, "wait_s": 9.5})]


def test_a_change_that_is_taken_back_leaves_no_line() -> None:
    harness = asked_of(Drops, [(1.1, "set reward_ul=5"), (1.2, "set reward_ul=2.5")])
    assert changes(harness) == []
    assert set(drops_us(harness)) == {SMALL_US}


def test_a_change_in_a_pause_is_that_of_the_next_trial() -> None:
    harness = asked_of(Drops, [(1.6, "pause"), (3.0, "set reward_ul=5"), (5.0, "resume")])
    assert changes(harness) == [(2, {"reward_ul": 5.0})]
    assert drops_us(harness)[:2] == [SMALL_US, BIG_US]


def test_a_reward_by_hand_has_the_size_of_the_present_trial() -> None:
    harness = asked_of(Drops, [(1.1, "set reward_ul=5"), (1.15, "reward right"), (4.0, "reward right")])
    assert [opening.us for opening in harness.valve_openings if opening.place == "right"] == [SMALL_US, BIG_US]


def test_an_interrupted_trial_keeps_its_value() -> None:
    harness = run_harness(
        task_spec(Drops, stop={"session_s": 14}),
        (),
        (1.05, lambda harness: harness.request("set reward_ul=5")),
        (1.1, lambda harness: harness.block_input(3.0)),
    )
    assert harness.faults == ["lease_expired"]
    assert [row.outcome for row in harness.rows][:1] == ["interrupted"]
    assert changes(harness) == [(2, {"reward_ul": 5.0})]
    assert BIG_US in drops_us(harness)
    harness.assert_replay_agrees()


def test_parameters_that_must_agree_are_judged_with_what_is_wanted_already() -> None:
    asked = [(1.1, "set longest_s=2"), (1.2, "set wait_s=3"), (1.3, "set wait_s=1.5"), (1.4, "set longest_s=1")]
    harness = asked_of(Drops, asked)
    assert changes(harness) == [(2, {"longest_s": 2.0, "wait_s": 1.5})]


@rows("text")
def test_nonsense_changes_nothing(text: str) -> None:
    harness = asked_of(Drops, [(1.1, f"set {text}"), (1.2, "set")])
    assert changes(harness) == []
    assert harness.footer.reason == "time_limit"
    assert set(drops_us(harness)) == {SMALL_US}


# --- the shipped tasks ----------------------------------------------------------------------------------------


def test_the_bandit_changes_its_interval_and_its_window() -> None:
    pokes = nose_pokes(*((2_000_000 + 8_000_000 * each, "center", 100_000) for each in range(4)))
    asked = [(5.0, "set choice_window_s=4"), (12.5, "set iti_min_s=3"), (20.5, "set initiation_timeout_s=1")]
    requests = [(at_s, lambda harness, what=what: harness.request(what)) for at_s, what in asked]
    harness = run_harness(protocol_spec(stop_session_s=40), pokes, *requests)
    spans = {name: [] for name in ("choose", "iti", "ready")}  # type: dict[str, list[float]]
    for (name, t_us), (_, until_us) in zip(harness.states, harness.states[1:], strict=False):
        spans.setdefault(name, []).append((until_us - t_us) / 1e6)
    assert spans["choose"][:3] == [pytest.approx(2, abs=0.01), pytest.approx(4, abs=0.01), pytest.approx(4, abs=0.01)]
    assert 1.0 in [pytest.approx(each, abs=0.01) for each in spans["ready"]]
    assert [line.changed for line in harness.of_kind(ParamsChanged)] == [
        {"choice_window_s": 4.0},
        {"iti_min_s": 3.0},
        {"initiation_timeout_s": 1.0},
    ]
    harness.assert_replay_agrees()


def test_free_water_changes_its_drop_and_its_pause() -> None:
    pokes = nose_pokes(*((1_000_000 + 2_000_000 * each, "left", 100_000) for each in range(8)))
    asked = [(3.5, "set reward_ul=5"), (7.5, "set pause_s=3")]
    requests = [(at_s, lambda harness, what=what: harness.request(what)) for at_s, what in asked]
    harness = run_harness(protocol_spec("free_water", stop_session_s=20), pokes, *requests)
    # The drop of 5 s was armed at the time of the change; that at 9 s came before the new pause.
    openings = [(round(opening.t_us / 1e6), opening.us) for opening in harness.valve_openings]
    assert openings[:3] == [(1, SMALL_US), (3, SMALL_US), (5, 78_750)]
    assert [at_s for at_s, _ in openings[3:]] == [7, 9, 13]
    harness.assert_replay_agrees()


def test_autoshaping_changes_its_pause_and_its_patience() -> None:
    spec = protocol_spec("disk_bandit_autoshaping", stop_session_s=400, autoshape_free_after_s=8)
    asked = [(20.0, "set autoshape_iti_s=20"), (60.0, "set autoshape_free_after_s=4")]
    requests = [(at_s, lambda harness, what=what: harness.request(what)) for at_s, what in asked]
    harness = run_harness(spec, None, *requests)
    spans: dict[str, list[float]] = {}
    for (name, t_us), (_, until_us) in zip(harness.states, harness.states[1:], strict=False):
        spans.setdefault(name, []).append(round((until_us - t_us) / 1e6))
    assert spans["pause"][:3] == [60, 20, 20]
    assert spans["respond"][:3] == [8, 4, 4]
    harness.assert_replay_agrees()


def test_the_maze_s_patience_with_a_jam_can_be_raised() -> None:
    animal = make_model("rat", {}, {"session_s": 400, "subject": "S", "days": 3})
    cut = frozenset({"left_feeder.feeder", "right_feeder.feeder"})
    spec = protocol_spec("delay_discounting", stop_session_s=300, jams_stop=4)
    jammed = run_harness(spec, None, model=animal, cut=cut, keep_error=True)
    assert jammed.footer.reason == "fault"
    animal = make_model("rat", {}, {"session_s": 400, "subject": "S", "days": 3})
    harness = run_harness(
        spec, None, (2.0, lambda harness: harness.request("set jams_stop=100")), model=animal, cut=cut
    )
    assert harness.footer.reason == "time_limit"
    harness.assert_replay_agrees()


# --- at random moments ----------------------------------------------------------------------------------------


def check_random_changes(seed: int) -> None:
    """Check a bandit's session with a random mouse, changes, pauses and rewards by hand at random moments."""
    draw = random.Random(seed)
    pokes, t_us = [], 3_000_000
    while t_us < 60_000_000:
        length_us = draw.randrange(20_000, 600_000)
        pokes.append((t_us, draw.choice(("center", "center", "left", "right")), length_us))
        t_us += length_us + draw.randrange(20_000, 1_500_000)
    asked, at_s = [], 0.0
    while at_s < 38:
        at_s += draw.expovariate(1) * draw.choice((0, 0.001, 1, 4))
        asked.append((at_s, random_request(draw)))
    requests = [(when_s, lambda harness, what=what: harness.request(what)) for when_s, what in asked]
    spec = protocol_spec(p_high=0.9, p_low=0.1, iti_min_s=0.5, stop_session_s=40)
    link = bad_link(seed, latency_s=0.004, jitter_s=0.02) if seed % 2 else None
    harness = run_harness(spec, nose_pokes(*pokes), *requests, seed=seed, faults=link)
    harness.assert_replay_agrees()
    values = {"reward_ul": 2.5}
    of_trial: dict[int, float] = {}
    for number in range(1, len(harness.rows) + 1):
        for trial, changed in changes(harness):
            values |= changed if trial == number else {}
        of_trial[number] = values["reward_ul"]
    for row in harness.rows:
        if row.outcome == "rewarded":
            # A reward by hand in a trial counts for its row.
            own = sum(by in ("board", "host") for by in row.delivered_by.split(","))
            by_hand = sum(by == "operator" for by in row.delivered_by.split(","))
            assert row.reward_ul == pytest.approx(of_trial[row.trial] * (own + by_hand))
    after = [line for before, line in pairwise(harness.journal) if isinstance(before, ParamsChanged)]
    assert {(kind_of(line), line.name) for line in after} <= {("state", name) for name in ("iti", "ready", "choose")}
    delivered = [line for line in harness.rewards if line.status == "delivered"]
    assert len(delivered) == len(harness.valve_openings) == harness.footer.rewards


def random_request(draw: random.Random) -> str:
    values: dict[str, Any] = {
        "reward_ul": lambda: round(draw.uniform(0.8, 9.9), 2),
        "choice_window_s": lambda: round(draw.uniform(0.1, 5), 3),
        "iti_min_s": lambda: round(draw.uniform(0, 2), 3),
        "initiation_timeout_s": lambda: draw.choice(("null", round(draw.uniform(0.5, 9), 3))),
    }
    key = draw.choice(list(values))
    return draw.choice(
        (f"set {key}={values[key]()}",) * 6 + ("pause", "resume", "resume", "reward left", "set p_high=1")
    )


@pytest.mark.parametrize("seed", range(10))
def test_changes_at_random_moments_are_of_whole_trials(seed: int) -> None:
    check_random_changes(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("hundred", range(10))
def test_changes_in_a_thousand_sessions_are_of_whole_trials(hundred: int) -> None:
    for seed in range(1_000 + 100 * hundred, 1_100 + 100 * hundred):
        check_random_changes(seed)
