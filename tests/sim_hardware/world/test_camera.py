"""The camera above a virtual animal."""

import asyncio
import math
import random
from collections.abc import Callable, Coroutine, Sequence
from statistics import pstdev
from typing import Any

import pytest

from rig.camera.interface import FramePosition
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.core.model.zones import ZoneDetector
from rig.session.spec.build import load_rig_spec
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from sim_hardware.world import camera as module
from sim_hardware.world.body import Body
from sim_hardware.world.camera import LATENCY_S, VirtualCamera
from sim_hardware.world.trajectory import TrajectoryPoint

PLAN = load_rig_spec("sim_t_maze_circles")


class Seen:
    """What a camera told, and when."""

    def __init__(self) -> None:
        self.told: list[tuple[float, list[FramePosition]]] = []

    @property
    def frame_positions(self) -> list[FramePosition]:
        return [sighting for _, frame_positions in self.told for sighting in frame_positions]

    @property
    def found(self) -> list[FramePosition]:
        return [sighting for sighting in self.frame_positions if sighting.found]


def watched(live: Callable[[Body], Coroutine[Any, Any, None]], seed: int = 1, plan: RigSpec = PLAN) -> Seen:
    """Watch an animal for as long as it lives."""
    seen = Seen()

    async def main() -> None:
        sim = SimRig(plan, SimulationOptions(seed=seed))
        sim.body.begin()
        assert sim.camera is not None
        await sim.camera.open()

        def tell(frame_positions: Sequence[FramePosition]) -> None:
            seen.told.append((running().time(), list(frame_positions)))

        sim.camera.watch(tell, lambda why: None)
        await live(sim.body)
        sim.camera.close()

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=10_000)) as runner:
        runner.run(main())
    return seen


async def runs(body: Body) -> None:
    """Stand at the start for a second, then run to the left in two, and stay there."""
    body.enter("start")
    await body.wait(1.0)
    body.trajectory.add(TrajectoryPoint(1.0, 0, 0), TrajectoryPoint(2.0, 0, 139), TrajectoryPoint(3.0, -128, 139))
    await body.wait(4.0)


def test_every_frame_is_reported_once_in_its_order_and_not_before_it_has_arrived() -> None:
    seen = watched(runs)
    assert [sighting.frame for sighting in seen.frame_positions] == list(range(len(seen.frame_positions)))
    assert len(seen.frame_positions) == pytest.approx((5 - LATENCY_S) * 60, abs=1)
    assert all(sighting.raw_us == round(sighting.frame * 1e6 / 60) for sighting in seen.frame_positions)
    for now_s, frame_positions in seen.told:
        assert frame_positions[-1].raw_us / 1e6 + LATENCY_S <= now_s + 1e-6


def test_frames_show_where_the_animal_was_as_exactly_as_a_head_is_still() -> None:
    async def stands(body: Body) -> None:
        body.trajectory.add(TrajectoryPoint(0.0, 10, 20))
        await body.wait(60.0)

    found = watched(stands).found
    assert pstdev(sighting.x_cm for sighting in found) == pytest.approx(module.HEAD_CM, rel=0.1)
    assert sum(sighting.y_cm for sighting in found) / len(found) == pytest.approx(20, abs=0.02)


def test_on_its_way_it_is_between_the_points() -> None:
    seen = {sighting.frame: sighting for sighting in watched(runs).frame_positions}
    assert seen[90].y_cm == pytest.approx(69.5, abs=0.6)
    assert seen[150].x_cm == pytest.approx(-64, abs=0.6)


def test_the_light_is_lost_now_and_then_for_a_few_frames() -> None:
    async def stands(body: Body) -> None:
        body.trajectory.add(TrajectoryPoint(0.0, 10, 20))
        await body.wait(600.0)

    lost = [math.isnan(sighting.x_cm) for sighting in watched(stands).frame_positions]
    assert 0.01 < sum(lost) / len(lost) < 0.03
    assert "1" * 5 not in "".join(str(int(each)) for each in lost)


def test_a_crossing_is_reported_as_soon_as_a_real_camera_would() -> None:
    seen = watched(runs)
    presence = ZoneDetector(PLAN.tracking.circles if PLAN.tracking is not None else ())
    told = {
        (change.channel, change.level): now_s - sighting.raw_us / 1e6
        for now_s, frame_positions in seen.told
        for sighting in frame_positions
        if sighting.found
        for change in presence.update(sighting.raw_us, sighting.x_cm, sighting.y_cm)
    }
    assert set(told) >= {("start.zone", 1), ("start.zone", 0), ("left.zone", 1)}
    late = {change: delay_s for change, delay_s in told.items() if change != ("start.zone", 1)}
    assert all(delay_s == pytest.approx(LATENCY_S, abs=1e-3) for delay_s in late.values())


def test_who_stops_in_a_zone_is_noticed_there_while_nothing_else_happens() -> None:
    async def stops(body: Body) -> None:
        body.trajectory.add(TrajectoryPoint(0.0, 0, 100), TrajectoryPoint(0.25, 0, 20), TrajectoryPoint(0.26, 0, 19))
        await body.wait(2.0)

    seen = watched(stops)
    first = next(now_s for now_s, frame_positions in seen.told if frame_positions[-1].raw_us > 260_000)
    assert first < 0.35


def test_who_is_lost_just_then_is_noticed_in_the_next_frame_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def dark(self: VirtualCamera, block: int) -> list[tuple[float, float]]:
        return [(math.nan, math.nan) if 16 <= frame < 38 else (0.0, 0.0) for frame in range(module.BLOCK)]

    async def stops(body: Body) -> None:
        body.trajectory.add(TrajectoryPoint(0.0, 0, 100), TrajectoryPoint(0.25, 0, 15))
        await body.wait(2.0)

    monkeypatch.setattr(VirtualCamera, "_draw", dark)
    seen = watched(stops)
    first = next(now_s for now_s, frame_positions in seen.told if frame_positions[-1].frame >= 38)
    assert first == pytest.approx(38 / 60 + LATENCY_S, abs=0.001)


def test_who_goes_another_way_than_it_had_planned_is_seen_there_and_not_where_it_would_have_been() -> None:
    async def turns_back(body: Body) -> None:
        await body.wait(0.5)
        body.trajectory.add(TrajectoryPoint(0.5, 0, 0), TrajectoryPoint(1.5, 0, 139), TrajectoryPoint(2.5, -128, 139))
        await body.wait(1.5)
        here = body.trajectory.stop(body.now_s)
        body.trajectory.add(here, TrajectoryPoint(4.0, 128, 139))
        await body.wait(3.0)

    seen = watched(turns_back)
    assert [sighting.frame for sighting in seen.frame_positions] == list(range(len(seen.frame_positions)))
    assert {sighting.frame: sighting for sighting in seen.frame_positions}[118].x_cm == pytest.approx(-60, abs=1)
    assert min(sighting.x_cm for sighting in seen.found) == pytest.approx(-64, abs=1)
    presence = ZoneDetector(PLAN.tracking.circles if PLAN.tracking is not None else ())
    told = {
        (change.channel, change.level)
        for sighting in seen.found
        for change in presence.update(sighting.raw_us, sighting.x_cm, sighting.y_cm)
    }
    assert ("right.zone", 1) in told
    assert ("left.zone", 1) not in told


def test_the_same_seed_sees_the_same() -> None:
    assert watched(runs).frame_positions[:50] == watched(runs).frame_positions[:50]
    assert watched(runs).found[:50] != watched(runs, seed=2).found[:50]


def test_no_timer_is_set_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = 0

    class Counting(VirtualLoop):
        def call_at(self, *args: Any, **kwargs: Any) -> Any:
            nonlocal timers
            timers += 1
            return super().call_at(*args, **kwargs)

        def call_at_in_background(self, *args: Any) -> Any:
            nonlocal timers
            timers += 1
            return super().call_at_in_background(*args)

    async def wanders(body: Body) -> None:
        draw = random.Random(1)
        for _ in range(100):
            now_s = body.now_s
            body.trajectory.add(
                *(TrajectoryPoint(now_s + part, 60 * draw.random(), 130 * draw.random()) for part in range(1, 10))
            )
            await body.wait(10.0)

    monkeypatch.setitem(globals(), "VirtualLoop", Counting)
    frames = len(watched(wanders).frame_positions)
    assert frames > 59_000
    assert timers < frames / 10
