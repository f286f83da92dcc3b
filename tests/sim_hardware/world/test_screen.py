"""The virtual screen: frames, what a body sees, what a finger does."""

import asyncio

import pytest

from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec
from rig.core.model.scene import DARK, Disk, Scene
from rig.core.model.screen import Contact, PointerMove, ScreenSpec
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import Body, shown
from sim_hardware.world.screen import SimScreen
from sim_hardware.world.world import World

SPEC = ScreenSpec(px_per_cm=20, width_px=600, height_px=400, pointer="mouse")
FRAME_S = 1 / 60


def disk(name: str, x_cm: float = 5.0) -> Disk:
    return Disk(x_cm=x_cm, y_cm=5, diameter_cm=2, color="#ffffff", name=name)


ONE, TWO = Scene(items=(disk("one"),)), Scene(items=(disk("one"), disk("two", 9)))


class ScreenBench:
    """A screen, a body before it, and what the screen says."""

    def __init__(self, cut: frozenset[str] = frozenset(), spec: ScreenSpec = SPEC) -> None:
        self.clock = asyncio.get_running_loop()
        self.world = World(RigSpec("bench", BoardSpec("sim", "sim"), Wiring(())), lambda: 0, clock=self.clock)
        self.screen = SimScreen(spec, self.world, self.clock, cut)
        self.body = Body(self.world, self.clock, 1, self.screen)
        self.frames: list[tuple[int, float]] = []
        self.contacts: list[Contact] = []
        self.keys: list[tuple[str, int]] = []
        self.hovers: list[PointerMove] = []

    def shown(self, frame: int, raw_us: int) -> None:
        self.frames.append((frame, raw_us / 1e6))

    def touched(self, contact: Contact) -> None:
        self.contacts.append(contact)

    def hovered(self, move: PointerMove) -> None:
        self.hovers.append(move)

    def typed(self, key: str, raw_us: int) -> None:
        self.keys.append((key, raw_us))

    def lost(self, why: str) -> None:
        raise AssertionError(why)


def run(work, spec: ScreenSpec = SPEC) -> ScreenBench:
    """Play on a bench whose screen is open."""

    async def main() -> ScreenBench:
        bench = ScreenBench(spec=spec)
        await bench.screen.open(bench)
        await work(bench)
        return bench

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


def test_a_scene_appears_at_the_next_refresh_and_never_before_it_is_ordered() -> None:
    async def work(bench: ScreenBench) -> None:
        for frame, at_s in enumerate((0.0, 0.01, 0.1, 6 * FRAME_S), start=1):
            await asyncio.sleep(at_s - bench.clock.time())
            bench.screen.show(frame, ONE)
        await asyncio.sleep(1)

    times = [at_s for _, at_s in run(work).frames]
    assert times == pytest.approx([0, FRAME_S, 6 * FRAME_S, 6 * FRAME_S], abs=1e-6)


def test_a_body_notices_what_comes_and_goes_by_its_name() -> None:
    async def work(bench: ScreenBench) -> None:
        body, screen = bench.body, bench.screen
        assert (body.has_screen, body.scene) == (True, DARK)
        assert await body.wait_for(shown("one").off) == shown("one").off  # it is so already
        screen.show(1, ONE)
        assert await body.wait_for(shown("two").on, shown("one").on) == shown("one").on
        screen.show(2, TWO)
        assert await body.wait_for(shown("two").on) == shown("two").on
        assert body.scene == TWO
        screen.show(3, DARK)
        assert await body.wait_for(shown("one").off) == shown("one").off
        await screen.close()

    run(work)


def test_a_peck_is_a_contact_of_a_moment_with_the_frame_that_was_seen() -> None:
    async def work(bench: ScreenBench) -> None:
        bench.screen.show(1, ONE)
        await bench.body.wait(1)
        bench.body.peck(5, 5)
        await bench.body.wait(1)

    down, up = run(work).contacts
    assert down == Contact("down", 1, 100.0, 300.0, 1_000_000, 1)
    assert up == Contact("up", 1, 100.0, 300.0, 1_030_000, 1)


def test_a_body_types() -> None:
    async def work(bench: ScreenBench) -> None:
        await bench.body.wait(1)
        bench.body.type("a")

    assert run(work).keys == [("a", 1_000_000)]


def test_a_screen_that_is_closed_is_dark_and_deaf() -> None:
    async def work(bench: ScreenBench) -> None:
        bench.screen.show(1, ONE)
        await bench.body.wait(1)
        assert dict(await bench.screen.close()) == {"screen_contacts": 0, "screen_frames": 1}
        assert bench.body.scene == DARK
        bench.screen.show(2, ONE)
        bench.body.peck(5, 5)
        await bench.body.wait(1)
        assert bench.body.scene == DARK

    assert run(work).contacts == []


def test_there_is_nothing_to_peck_without_a_screen() -> None:
    async def main() -> None:
        clock = asyncio.get_running_loop()
        world = World(RigSpec("bare", BoardSpec("sim", "sim"), Wiring(())), lambda: 0, clock=clock)
        body = Body(world, clock, 1)
        assert not body.has_screen
        with pytest.raises(RuntimeError, match="no screen to touch: its rig file has no section `screen:`"):
            body.peck(1, 1)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(main())


# --- hovering -------------------------------------------------------------------------------------------------

HOVERED = TWO.model_copy(update={"hover": True})


async def sweep(bench: ScreenBench) -> None:
    """Move the pointer over two disks and off them, faster than reports may follow each other."""
    for x_cm in (5, 7, 9, 11, 9):
        bench.body.hover(x_cm, 5)
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)


def test_a_pointer_is_reported_where_it_comes_and_where_it_rests_only_by_a_scene_that_asks_for_it() -> None:
    async def work(bench: ScreenBench) -> None:
        for frame, scene in ((1, TWO), (2, HOVERED)):
            bench.screen.show(frame, scene)
            await asyncio.sleep(0.1)
            if frame == 1:
                await sweep(bench)
                bench.body.hover(1, 1)
        await sweep(bench)

    hovers = run(work).hovers
    assert [(move.on, move.x_px, move.frame) for move in hovers] == [("one", 100, 2), ("two", 180, 2)]
    assert hovers[1].raw_us - hovers[0].raw_us == 50_000


def test_a_picture_that_changes_under_a_pointer_at_rest_is_a_change() -> None:
    async def work(bench: ScreenBench) -> None:
        bench.body.hover(9, 5)
        for frame, scene in enumerate((HOVERED, ONE.model_copy(update={"hover": True}), HOVERED, TWO, HOVERED), 1):
            bench.screen.show(frame, scene)
            await asyncio.sleep(0.1)

    hovers = run(work).hovers
    assert [(move.on, move.frame) for move in hovers] == [("two", 1), ("", 2), ("two", 3), ("", 4), ("two", 5)]


def test_a_finger_does_not_hover_and_a_screen_that_is_closed_reports_nothing() -> None:
    async def work(bench: ScreenBench) -> None:
        bench.screen.show(1, HOVERED)
        await asyncio.sleep(0.1)
        bench.body.hover(5, 5)
        bench.body.hover(9, 5)
        bench.screen.abort()
        await asyncio.sleep(1)
        bench.body.hover(5, 5)

    assert run(work, ScreenSpec(px_per_cm=20, width_px=600, height_px=400)).hovers == []
    assert [move.on for move in run(work).hovers] == ["one"]
