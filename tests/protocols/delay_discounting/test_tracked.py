"""Delay discounting on a maze whose zones are circles of a tracker: the host starts and stops, some frames later."""

from typing import Any

import pytest

from rig.core.errors import TaskError
from rig.core.journal.kinds import Command
from rig.core.model.actions import Stop
from rig.core.model.events import ZoneEvent
from rig.session.replay import replay_lines
from sim_hardware.link_model import LinkFaults
from sim_hardware.world.body import Body
from sim_hardware.world.camera import LATENCY_S
from tests.harness import FaultHarness, run_harness
from tests.protocols.delay_discounting.maze import CONFIRM_OFF_S, TO_SITE_S, lap, pulses, run, tones, visit
from tests.session_specs import protocol_spec

MAZE = "sim_t_maze_circles"
FIRST_S = 2.0
ENTERED_S = FIRST_S + TO_SITE_S
FRAME_S = 1 / 60
LATE_S = 2 * FRAME_S + LATENCY_S + 0.004
"""From coming into a circle to the board's answer: a frame that shows it, one that confirms it, the way there."""


def track(*moves: Any, **values: Any) -> FaultHarness:
    return run(*moves, maze=MAZE, **values)


def rows(harness: FaultHarness) -> list[dict[str, Any]]:
    assert replay_lines(harness.journal) == (replay_lines(harness.journal)[0], None), "a replay decides the same"
    return harness.rows


def test_leaving_before_the_reward_stops_tones_and_reward_milliseconds_after_it_was_seen() -> None:
    harness = track(lap(FIRST_S, "left", 3.4), visit("start", 14, 1), initial_delay_s=10)
    (row,) = rows(harness)
    left_s = ENTERED_S + 3.4
    assert (row["outcome"], row["left_by"], row["pellets"], row["delay_experienced_s"]) == ("skip", "tracker", 0, None)
    assert row["n_tones"] == len(tones(harness)) == 4
    assert pulses(harness, "left") == []
    left = next(line for line in harness.of_kind(ZoneEvent) if (line.channel, line.level) == ("left.zone", 0))
    assert left.t_us / 1e6 == pytest.approx(left_s, abs=FRAME_S + 0.001)
    (stopped,) = (line for line in harness.of_kind(Command) if any(isinstance(order, Stop) for order in line.orders))
    assert harness.journal.index(stopped) == harness.journal.index(left) + 1, "nothing comes between"


@pytest.mark.parametrize("stay_s", [1.1 + 0.05 * step for step in range(15)])
def test_around_the_first_pellet_either_all_of_the_reward_is_given_or_none(stay_s: float) -> None:
    harness = track(lap(FIRST_S, "left", stay_s), visit("start", 14, 1))
    (row,) = rows(harness)
    given = len(pulses(harness, "left"))
    assert (row["outcome"], row["pellets"], given) in (("rewarded", 3, 3), ("skip", 0, 0))
    assert row["n_tones"] == len(tones(harness))
    told_s = ENTERED_S + stay_s + CONFIRM_OFF_S + LATE_S
    if given:
        assert pulses(harness, "left")[0] <= told_s
    else:
        assert told_s - 2 * FRAME_S <= ENTERED_S + 2 + LATE_S


def test_a_rat_that_leaves_while_the_link_is_slow_is_not_discarded() -> None:
    slow = LinkFaults(latency_s=0.25, seed=1)
    for stay_s in (0.1, 0.25, 0.4, 0.55, 0.7):
        harness = track(lap(FIRST_S, "left", stay_s), visit("start", 14, 1), initial_delay_s=5, faults=slow)
        (row,) = rows(harness)
        assert (row["outcome"], pulses(harness, "left")) == ("skip", [])
        assert 0 <= row["n_tones"] - len(tones(harness)) <= 1, (
            "the host knows when the board had stopped, not when it did"
        )


def test_a_beam_at_one_site_and_a_circle_at_the_other_are_refused(tmp_path: Any) -> None:
    path = tmp_path / "halves.yaml"
    path.write_text(
        "extends: sim_t_maze_tracked.yaml\n"
        "devices: {left: {kind: zone, beam: null, x_cm: -128, y_cm: 139, radius_cm: 30}}\n"
    )
    harness = run(lap(FIRST_S, "left", 6), maze=str(path))
    assert isinstance(harness.outcome and harness.outcome.failure, TaskError)
    assert "one reflex has actions for left.zone and right.beam" in harness.footer.detail


def test_a_rat_that_walks_is_seen_where_it_walks_and_its_beams_are_not_asked() -> None:
    async def walks(body: Body) -> None:
        from sim_hardware.world.trajectory import TrajectoryPoint

        body.enter("start")
        await body.wait(1.0)
        body.trajectory.add(TrajectoryPoint(1, 0, 0), TrajectoryPoint(3, 0, 139), TrajectoryPoint(4, -128, 139))
        await body.wait(2.0)
        body.enter("right")  # it says so, and is not there
        await body.wait(20.0)

    prepared = protocol_spec("delay_discounting", MAZE, initial_delay_s=2, delayed_side="left", stop_session_s=20)
    harness = run_harness(prepared, walks)
    entered = [line.channel for line in harness.of_kind(ZoneEvent) if line.level]
    assert entered == ["start.zone", "choice.zone", "left.zone"]
    assert harness.rows[0]["side"] == "left"
