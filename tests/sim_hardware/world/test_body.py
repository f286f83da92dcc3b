"""The body: what a virtual subject can notice and do, and nothing else."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec
from rig.core.model.zones import CircularZone
from rig.session.spec.build import load_rig_spec
from sim_hardware import loop as virtual
from sim_hardware.loop import Deadlock
from sim_hardware.world.body import Body, drop, light
from sim_hardware.world.senses import Stimulus
from sim_hardware.world.trajectory import TrajectoryPoint
from sim_hardware.world.world import World

LEFT_LAMP, CENTER_LAMP, LEFT_VALVE = 3, 6, 4


@pytest.fixture
def live(plan: RigSpec) -> Callable[..., Any]:
    """Run a story in a fresh world: ``story(body, world)``."""

    def live(story: Callable[[Body, World], Any], *cut: str, t_max: float = 1e6) -> Any:
        async def main() -> Any:
            clock = running()
            world = World(plan, lambda: round(clock.time() * 1e6), frozenset(cut))
            return await story(Body(world, clock, 1), world)

        return virtual.run(main(), t_max=t_max)

    return live


def at(seconds: float, what: Callable[..., object], *args: Any) -> None:
    asyncio.get_running_loop().call_at(seconds, what, *args)


def test_it_waits_for_exactly_as_long_as_it_wants(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> list[float]:
        await body.wait(1.25)
        times = [body.now_s]
        body.begin()
        await body.wait_until_us(2_000_000)
        return [*times, body.now_s]

    assert live(story) == [1.25, 2.0]


def test_it_is_reported_the_last_note_of_each_kind(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> Any:
        for note in ({"what": "assignment", "vi_s": [3]}, {"what": "assignment", "vi_s": [9]}, {"of": "no kind"}):
            body.add_task_note(note)
        return body.task_notes

    assert live(story) == {"assignment": {"what": "assignment", "vi_s": [9]}, "": {"of": "no kind"}}


def test_it_sees_the_lamps(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> list[bool]:
        seen = [body.light_on("left")]
        for value in (1, 0):
            world.on_output(LEFT_LAMP, value)
            seen.append(body.light_on("left"))
        return [*seen, body.light_on("nowhere")]

    assert live(story) == [False, True, False, False]


def test_it_wakes_when_a_lamp_is_lit_or_goes_out(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> list[tuple[Stimulus, float]]:
        at(1.0, world.on_output, LEFT_LAMP, 1)
        at(2.0, world.on_output, CENTER_LAMP, 1)
        at(3.0, world.on_output, CENTER_LAMP, 0)
        log = [(await body.wait_for(light("center").on), body.now_s)]
        log.append((await body.wait_for(light("left").off, light("center").off), body.now_s))
        return log

    assert live(story) == [(light("center").on, 2.0), (light("center").off, 3.0)]


def test_a_lamp_that_is_lit_already_is_noticed_at_once(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> tuple[Any, ...]:
        world.on_output(LEFT_LAMP, 1)
        first = await body.wait_for(light("center").on, light("left").on)
        second = await body.wait_for(light("center").off)
        return first, second, body.now_s

    assert live(story) == (light("left").on, light("center").off, 0.0)


def test_a_drop_is_a_moment_and_not_a_state(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> float:
        for seconds, value in ((1.0, 1), (1.1, 0), (5.0, 1), (5.1, 0)):
            at(seconds, world.on_output, LEFT_VALVE, value)
        await body.wait(2.0)
        await body.wait_for(drop("left"))
        return body.now_s

    assert live(story) == 5.1


def test_a_mouse_cannot_know_of_a_lamp_whose_wire_is_cut(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> None:
        world.on_output(CENTER_LAMP, 1)
        at(1.0, world.on_output, CENTER_LAMP, 0)
        at(2.0, world.on_output, CENTER_LAMP, 1)
        assert not body.light_on("center")
        await body.wait_for(light("center").on)

    with pytest.raises(Deadlock, match=r"t = 2\.0 s"):
        live(story, "center.light")


def test_it_eats_what_the_calibration_says_once(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> list[float]:
        for seconds, value in ((1.0, 1), (1.025, 0), (2.0, 1), (2.01, 0)):
            at(seconds, world.on_output, LEFT_VALVE, value)
        await body.wait(1.5)
        eaten = [body.consume("right"), body.consume("left"), body.consume("left")]
        await body.wait(1.5)
        return [*eaten, body.consume("left")]

    assert live(story) == [0.0, 2.5, 0.0, 1.0]


def test_drops_pile_up_until_they_are_eaten(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> float:
        for seconds, value in ((1.0, 1), (1.025, 0), (2.0, 1), (2.01, 0)):
            at(seconds, world.on_output, LEFT_VALVE, value)
        await body.wait(5.0)
        return body.consume("left")

    assert live(story) == 3.5


def test_it_breaks_and_clears_the_beam_of_a_place(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> list[tuple[int, str, int]]:
        world.trace = []
        body.enter("right")
        body.leave("right")
        assert body.places == ("left", "center", "right")
        return world.trace

    assert live(story) == [(0, "right.beam", 1), (0, "right.beam", 0)]


def test_a_sign_that_was_given_up_does_not_end_a_later_wait(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> float:
        at(2.0, world.on_output, CENTER_LAMP, 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await body.wait_for(light("center").on)
        await body.wait(5.0)
        return body.now_s

    assert live(story) == 6.0


def test_a_wait_that_was_given_up_does_not_disturb_what_follows(live: Callable[..., Any]) -> None:
    async def story(body: Body, world: World) -> float:
        at(9.0, world.on_output, CENTER_LAMP, 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await body.wait(3.0)
        await body.wait_for(light("center").on)
        return body.now_s

    assert live(story) == 9.0


def test_its_draws_depend_on_its_seed_only(plan: RigSpec) -> None:
    async def draws(seed: int) -> list[float]:
        body = Body(World(plan, lambda: 0), running(), seed)
        return [body.random.random() for _ in range(3)]

    assert virtual.run(draws(1)) == virtual.run(draws(1))
    assert virtual.run(draws(1)) != virtual.run(draws(2))


# --- zones without beams --------------------------------------------------------------------------------------


@pytest.fixture
def floor(plan: RigSpec) -> RigSpec:
    """The same rig with a circle on the floor."""
    circle = CircularZone("nest", 10, 20, 5, 1, 0, 0)
    found = load_rig_spec("sim_t_maze_tracked").tracking
    assert found is not None
    return replace(plan, tracking=replace(found, circles=(circle,)))


def stand(plan: RigSpec, *moves: str, cut: str = "", walks: bool = False) -> Body:
    """A body that enters (``+nest``) and leaves (``-nest``), a move a second."""

    async def main() -> Body:
        clock = running()
        body = Body(World(plan, lambda: round(clock.time() * 1e6), frozenset({cut})), clock, 1)
        if walks:
            body.trajectory.add(TrajectoryPoint(0, 0, 0))
        for move in moves:
            await body.wait(1.0)
            (body.enter if move[0] == "+" else body.leave)(move[1:])
        return body

    found: Body = virtual.run(main())
    return found


def test_who_enters_a_zone_without_a_beam_is_in_its_middle_and_who_leaves_it_is_elsewhere(floor: RigSpec) -> None:
    body = stand(floor, "+nest", "-nest")
    assert "nest" in body.places
    assert body.trajectory.at(1.5) == (10, 20)
    x_cm, y_cm = body.trajectory.at(2.0)
    assert math.dist((x_cm, y_cm), (10, 20)) > 5 + 1


def test_who_says_where_it_walks_is_there_whatever_it_enters(floor: RigSpec) -> None:
    assert stand(floor, "+nest", walks=True).trajectory.at(5) == (0, 0)


def test_a_zone_whose_wire_is_cut_sees_nobody(floor: RigSpec) -> None:
    assert stand(floor, "+nest", cut="nest.zone").trajectory.points == []
