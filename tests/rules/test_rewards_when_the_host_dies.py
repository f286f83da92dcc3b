"""The host dies at any line of its journal: what is on the disk counts every drop that the board still gives."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rig.core.journal.delivered import DeliveredRewards
from rig.core.model.actions import CANCEL, Set
from rig.core.model.events import ZoneEvent
from rig.core.model.line import kind_of
from rig.core.model.patterns import EdgePattern
from rig.core.model.rig_spec import RigSpec
from rig.core.task.states import Next, state
from sim_hardware.link_model import LinkFaults
from tests.harness import FaultHarness, nose_pokes, run_with_faults
from tests.session_specs import PortTask, Visit, task_spec

ZONE = EdgePattern("maze.zone", 1)
TELLING = ("reward", "command", "edge", "sequence_started", "time")


class Meals(PortTask):
    """Every second and a half something that leads to a meal."""

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        self.begin_trial(Visit())
        await self.serve()
        await self.sleep(1.5)
        self.end_trial()
        return self.here

    async def serve(self) -> None:
        raise NotImplementedError


class LoadedAtOnce(Meals):
    """A meal is started for a little later, and loaded for the next time in the same instant."""

    def prepare(self) -> None:
        self.meal = self.sequence((0, self.drop("left")))

    async def serve(self) -> None:
        await self.sleep(0.4)
        self.meal.start(self.now_s + 0.2)
        self.meal.load((0, self.drop("left")))
        await self.sleep(0.05)


class TwoCountdowns(Meals):
    """Two countdowns lead to one meal; the first that has paid is stopped."""

    def prepare(self) -> None:
        self.meal = self.sequence((0, self.drop("left")))
        self.long = self.sequence((0.8, self.meal.start_action))
        self.short = self.sequence((0.3, self.meal.start_action))

    async def serve(self) -> None:
        self.long.start()
        self.short.start()
        await self.sleep(0.5)
        self.short.stop()


class StartedAgain(Meals):
    """The meal of a countdown falls while the order that starts both again is on its way."""

    def prepare(self) -> None:
        self.meal = self.sequence((0, self.drop("left")))
        self.once = self.sequence((0.5, self.meal.start_action))

    async def serve(self) -> None:
        self.once.start()
        await self.sleep(0.49)
        self.once.start()
        self.meal.start()
        await self.sleep(1.0)


class EndedByAZone(PortTask):
    """A zone of the tracker ends a reflex of which the beam pays."""

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        self.begin_trial(Visit())
        with self.reflex((self.box.left.poked, self.drop("left")), (ZONE, CANCEL)):
            await self.first(self.box.left.poked, ZONE)
        await self.sleep(1.0)
        self.end_trial()
        return self.here


class Anything(PortTask):
    """Loads, starts and stops countdowns and meals, by the host and by reflexes, as a stream says."""

    def prepare(self) -> None:
        self.meal = self.sequence((0, self.drop("left")))
        self.once = self.sequence((0.05, self.meal.start_action))
        self.twice = self.sequence((0.02, self.meal.start_action), (0.4, self.meal.start_action))

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        stream, left, right = self.stream("anything"), self.box.left.poked, self.box.right.poked
        acts = [
            self.once.start_action,
            self.twice.start_action,
            self.once.stop_action,
            self.twice.stop_action,
            self.meal.start_action,
            self.drop("left"),
        ]
        orders = [
            self.once.start,
            self.twice.start,
            self.once.stop,
            self.twice.stop,
            self.meal.load,
            lambda: self.meal.load((0, self.drop("left"))),
            lambda: self.meal.load((0, Set("left.light", False))),
            lambda: self.once.start(self.now_s + 0.3 * stream.random()),
            lambda: self.do(self.drop("right")),
        ]
        self.begin_trial(Visit())
        with self.reflex((left, stream.choice([*acts, CANCEL])), (right, stream.choice([*acts, CANCEL]))):
            await self.first(left, right, within=0.2 * stream.random() + 0.001)
            for _ in range(stream.integer(0, 3)):
                stream.choice(orders)()
            await self.first(left, right, within=0.15 * stream.random() + 0.001)
        self.end_trial()
        return self.here


def played(
    task: type[PortTask], *moves: Any, seed: int = 1, latency_s: float = 0.02, until: int | None = None
) -> FaultHarness:
    """Play a session of two seconds; from line ``until`` of its journal on, nothing leaves the host."""

    def arrange(harness: FaultHarness) -> None:
        written = harness.append

        def append(line: bytes) -> None:
            written(line)
            if len(harness.journal) == until:
                harness.rig.cable.to_board.send = lambda data: None

        harness.append = append  # type: ignore[method-assign]

    spec = task_spec(task, {}, {"session_s": 2.0}, seed)
    faults = LinkFaults(latency_s, latency_s / 2, seed=seed)
    return run_with_faults(spec, *moves, faults=faults, arrange=arrange, after_s=5, t_max=60)


def counted(lines: list[Any]) -> int:
    given = DeliveredRewards()
    for line in lines:
        given.take(line)
    return given.total.rewards


def dies_at(task: type[PortTask], *moves: Any, lines: int, seed: int = 1, latency_s: float = 0.02) -> None:
    """Let the host die at some lines that tell of rewards, and hold what is on the disk against the openings."""
    whole = played(task, *moves, seed=seed, latency_s=latency_s)
    telling = [number for number, line in enumerate(whole.journal, 1) if kind_of(line) in TELLING]
    for until in Random(seed).sample(telling, min(lines, len(telling))):
        harness = played(task, *moves, seed=seed, latency_s=latency_s, until=until)
        assert len(harness.valve_openings) <= counted(harness.journal[:until]), (task.__name__, seed, until)


def visits(seed: int) -> Any:
    draw = Random(seed)
    at_us, found = 200_000, []
    while at_us < 1_900_000:
        place, us = draw.choice(("left", "center", "right", "left")), draw.choice((3_000, 20_000, 80_000))
        found.append((at_us, place, us))
        at_us += us + draw.choice((1_000, 30_000, 150_000))
    return nose_pokes(*found)


@pytest.mark.parametrize("task", [LoadedAtOnce, TwoCountdowns, StartedAgain])
def test_a_sequence_that_changes_while_it_runs_is_counted_at_every_line(task: type[PortTask]) -> None:
    assert played(task, nose_pokes()).valve_openings
    dies_at(task, nose_pokes(), lines=15)


@pytest.mark.parametrize("task", [LoadedAtOnce, TwoCountdowns, StartedAgain])
def test_a_cable_that_is_pulled_leaves_no_drop_uncounted(task: type[PortTask]) -> None:
    for at_s in (0.45, 0.5, 0.6, 0.7):
        harness = played(task, nose_pokes(), (at_s, lambda harness: harness.rig.cable.disconnect()))
        assert len(harness.valve_openings) <= harness.footer.rewards, at_s


def test_a_beam_is_counted_until_the_board_has_read_that_a_zone_has_ended_its_reflex(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RigSpec, "host_inputs", property(lambda self: frozenset({"maze.zone"})))
    cross = (0.5, lambda harness: harness.session.lines.put(ZoneEvent(500_000, "maze.zone", 1, 500_000, 100)))
    poke = nose_pokes((503_000, "left", 50_000))
    pulled = played(EndedByAZone, poke, cross, (0.515, lambda harness: harness.rig.cable.disconnect()))
    assert len(pulled.valve_openings) == pulled.footer.rewards == 1
    dies_at(EndedByAZone, poke, cross, lines=30)


@pytest.mark.parametrize("seed", [6, 15, 43, 234])
def test_whatever_is_loaded_started_and_stopped_is_counted(seed: int) -> None:
    latency_s = Random(seed + 7).choice((0.0005, 0.004, 0.03, 0.06))
    whole = played(Anything, visits(seed), seed=seed, latency_s=latency_s)
    assert len(whole.valve_openings) <= whole.footer.rewards
    dies_at(Anything, visits(seed), lines=6, seed=seed, latency_s=latency_s)


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1_000, 1_400, 50))
def test_whatever_is_loaded_started_and_stopped_is_counted_however_often(first: int) -> None:
    for seed in range(first, first + 50):
        test_whatever_is_loaded_started_and_stopped_is_counted(seed)
