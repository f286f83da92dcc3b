"""A board that is lost and back within a minute: the session waits, and goes on in the same program."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rig.core.journal.kinds import Paused, Resumed
from rig.core.model.events import Continued, Fault, FrameShown, Touch
from sim_hardware.driver import SimDriver, make_model
from tests.broken_sessions import ReconnectingHarness, run_reconnecting
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.rules.test_a_broken_session_goes_on import Counting
from tests.session_specs import protocol_spec, session_spec, task_spec

POKES = nose_pokes(*((2_000_000 * n + 500_000, "left", 100_000) for n in range(60)))
COUNTING = session_spec(task_spec(Counting, stop={"session_s": 20}))


def unplug(harness: FaultHarness) -> None:
    harness.rig.cable.disconnect()


def plug(harness: FaultHarness) -> None:
    harness.rig.cable.connect()


def reset(harness: FaultHarness) -> None:
    harness.rig.board.reset()


def test_a_cable_that_is_out_for_some_seconds_needs_no_command() -> None:
    whole = run_harness(COUNTING, POKES)
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug), (19.0, plug))
    (line,) = harness.of_kind(Continued)
    assert (line.why, line.restarted) == ("link_lost", False)
    assert 12e6 <= line.gap_us < 13e6
    assert harness.faults == ["disconnected"]
    assert harness.footer.reason == "time_limit"
    assert harness.footer.t_us - line.gap_us == pytest.approx(20e6, abs=5_000)
    count = min(len(harness.log), len(whole.log))
    assert count > 6
    assert harness.log[:count] == whole.log[:count]
    harness.assert_replay_agrees()


def test_a_board_that_has_reset_is_opened_again() -> None:
    harness = run_reconnecting(COUNTING, POKES, (7.0, reset))
    (line,) = harness.of_kind(Continued)
    assert line.why == "reset"
    assert harness.footer.reason == "time_limit"
    harness.assert_replay_agrees()


def test_while_the_board_is_away_the_task_stands_still() -> None:
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug), (19.0, plug))
    kinds = [type(line) for line in harness.journal]
    assert kinds.index(Continued) == kinds.index(Fault) + 1


def test_the_time_that_is_left_is_known_while_the_board_is_away() -> None:
    left: list[float | None] = []
    looks = [(at_s, lambda harness: left.append(harness.session.reconnect_s)) for at_s in (6.0, 12.0, 18.0, 22.0)]
    run_reconnecting(COUNTING, POKES, (7.0, unplug), (19.0, plug), *looks)
    before, first, second, after = left
    assert (before, after) == (None, None)
    assert first is not None
    assert 54 < first < 57
    assert first - 6 == pytest.approx(second)


def test_a_board_that_is_not_back_in_time_ends_the_session() -> None:
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug))
    assert harness.faults == ["disconnected", "link_lost"]
    assert harness.footer.reason == "fault"
    assert "was not back within 60 s" in harness.footer.detail
    assert harness.footer.t_us == pytest.approx(67e6, abs=1e6)
    harness.assert_replay_agrees()


def test_an_error_of_the_program_ends_the_wait_for_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise ValueError("no such driver")

    monkeypatch.setattr(SimDriver, "reconnect", fail)
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug), (8.0, plug))
    assert harness.faults == ["disconnected", "link_lost"]
    assert harness.footer.reason == "fault"
    assert "no such driver" in harness.footer.detail
    harness.assert_replay_agrees()


def test_a_session_that_does_not_wait_ends_at_once() -> None:
    spec = session_spec(task_spec(Counting, stop={"session_s": 20, "reconnect_within_s": 0}))
    harness = run_reconnecting(spec, POKES, (7.0, unplug), (8.0, plug))
    assert harness.faults == ["link_lost"]
    assert harness.footer.t_us < 8_000_000


@pytest.mark.parametrize("stop", [lambda harness: harness.request("stop"), lambda harness: harness.session.stop_now()])
def test_the_operator_can_end_the_session_that_waits(stop: Callable[[FaultHarness], object]) -> None:
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug), (12.0, stop))
    assert harness.footer.reason == "operator"
    assert 12_000_000 <= harness.footer.t_us < 12_100_000
    harness.assert_replay_agrees()


def test_a_reward_by_hand_is_refused_while_the_board_is_away() -> None:
    harness = run_reconnecting(
        COUNTING, POKES, (7.0, unplug), (12.0, lambda harness: harness.request("reward right")), (19.0, plug)
    )
    assert not [line for line in harness.rewards if line.delivered_by == "operator"]
    assert harness.opened("right") == []
    harness.assert_replay_agrees()


def test_a_pause_that_is_wanted_meanwhile_begins_when_the_board_is_back() -> None:
    requests = [(9.0, lambda harness: harness.request("pause")), (30.0, lambda harness: harness.request("resume"))]
    harness = run_reconnecting(COUNTING, POKES, (7.0, unplug), (19.0, plug), *requests)
    assert [type(line) for line in harness.of_kind(Continued, Paused, Resumed)] == [Continued, Paused, Resumed]
    assert harness.footer.reason == "time_limit"
    harness.assert_replay_agrees()


def test_the_fourth_loss_ends_the_session() -> None:
    losses = [(3.0 + 2 * n, reset) for n in range(4)]
    harness = run_reconnecting(COUNTING, POKES, *losses)
    assert harness.faults == ["disconnected"] * 3 + ["reset"]
    assert harness.footer.reason == "fault"
    harness.assert_replay_agrees()


CHAMBER = session_spec(protocol_spec("disk_bandit", stop_session_s=120))
SUBJECTS = {
    "two_armed_bandit": (session_spec(protocol_spec("two_armed_bandit", stop_session_s=90)), "rflr"),
    "disk_bandit": (CHAMBER, "pigeon"),
    "a tracked maze": (
        session_spec(protocol_spec("delay_discounting", "sim_t_maze_tracked", stop_session_s=200)),
        "rat",
    ),
}
SEEDS = [
    pytest.param(name, seed, marks=pytest.mark.campaign if seed >= few else ())
    for name, few in (("two_armed_bandit", 5), ("disk_bandit", 2), ("a tracked maze", 1))
    for seed in range(1000 if name == "two_armed_bandit" else 200)
]


def test_the_screen_goes_on_and_its_touches_are_skipped_while_the_board_is_away() -> None:
    harness = run_reconnecting(CHAMBER, make_model("pigeon", {}).live, (40.0, unplug), (55.0, plug))
    (line,) = harness.of_kind(Continued)
    assert 15e6 <= line.gap_us < 17e6
    assert harness.footer.reason == "time_limit"
    kinds = [type(line) for line in harness.journal]
    lost, back = kinds.index(Fault), kinds.index(Continued)
    assert set(kinds[lost + 1 : back]) <= {Touch, FrameShown}
    touches = [line for line in harness.journal[back:] if isinstance(line, Touch)]
    assert touches, "the pigeon pecks again"
    harness.assert_replay_agrees()


def run_random(name: str, seed: int) -> ReconnectingHarness:
    spec, model = SUBJECTS[name]
    chance = random.Random(seed)
    at_s = sorted(chance.uniform(1, 80) for _ in range(chance.randint(1, 3)))
    injected = []
    for when in at_s:
        if chance.random() < 0.5:
            injected.append((when, reset))
        else:
            injected += [(when, unplug), (when + chance.uniform(0, 30), plug)]
    return run_reconnecting(spec, make_model(model, {}).live, *injected, seed=seed)


@pytest.mark.parametrize(("name", "seed"), SEEDS)
def test_no_reward_is_given_twice_whenever_the_board_is_lost(name: str, seed: int) -> None:
    harness = run_random(name, seed)
    assert harness.footer.reason in ("time_limit", "fault")
    harness.assert_replay_agrees()
    if name == "two_armed_bandit":
        assert len(harness.valve_openings) <= harness.footer.rewards
        assert harness.footer.rewards - harness.footer.unconfirmed_rewards <= len(harness.valve_openings)
        assert [row["trial"] for row in harness.rows] == list(range(1, len(harness.rows) + 1))
