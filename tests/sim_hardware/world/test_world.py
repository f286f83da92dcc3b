"""The world: wires between pins and places, and what flows through a valve."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.core.model.rig_spec import BoardSpec, RigSpec
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import drop
from sim_hardware.world.senses import Senses, Stimulus
from sim_hardware.world.world import World


class Heard(Senses):
    """Takes down every sign that there is."""

    def __init__(self, heard: list[Any]) -> None:
        super().__init__()
        self._heard = heard

    def end_wait(self, sign: Stimulus, perceived: Stimulus | None = None) -> None:
        self._heard.append(perceived or sign)


class Around:
    """A world, its clock, and what it lets a board and a body know."""

    def __init__(self, plan: RigSpec, *cut: str) -> None:
        self.now_us = 0
        self.pins: list[tuple[int, int]] = []
        self.signs: list[Stimulus] = []
        self.world = World(plan, lambda: self.now_us, frozenset(cut), senses=Heard(self.signs), drive=self._drive)
        self.world.clear()

    def _drive(self, pin: int, level: int) -> None:
        self.pins.append((pin, level))


@pytest.fixture
def around(plan: RigSpec) -> Around:
    return Around(plan)


def test_at_rest_every_beam_is_clear_whichever_way_it_is_wired(around: Around) -> None:
    assert sorted(around.pins) == [(2, 0), (5, 1), (7, 0)]


def test_a_nose_in_a_port_changes_the_pin_that_the_rig_file_names(around: Around) -> None:
    around.pins.clear()
    around.world.set_occupied("left", True)
    around.world.set_occupied("left", False)
    assert around.pins == [(2, 1), (2, 0)]


def test_an_inverted_beam_is_low_when_it_is_broken(around: Around) -> None:
    around.pins.clear()
    around.world.set_occupied("center", True)
    around.world.set_occupied("center", False)
    assert around.pins == [(5, 0), (5, 1)]


def test_places_are_those_with_a_beam(around: Around) -> None:
    assert around.world.places == ("left", "center", "right")


def test_a_lamp_is_lit_and_goes_out(around: Around) -> None:
    around.world.on_output(3, 1)
    assert around.world.lights == {"left": True}
    around.world.on_output(3, 0)
    assert around.world.lights == {"left": False}
    assert around.signs == [Stimulus("light", "left", 1), Stimulus("light", "left", 0)]


def test_an_inverted_lamp_is_lit_when_its_pin_is_low(around: Around) -> None:
    around.world.on_output(8, 0)
    around.world.on_output(8, 1)
    assert around.signs == [Stimulus("light", "right", 1), Stimulus("light", "right", 0)]


def test_what_flows_is_what_the_calibration_says_of_the_time_that_the_valve_was_open(around: Around) -> None:
    for pin, opened_us, closed_us in ((4, 1_000, 26_000), (9, 30_000, 80_000), (4, 100_000, 105_000)):
        around.now_us = opened_us
        around.world.on_output(pin, 1)
        around.now_us = closed_us
        around.world.on_output(pin, 0)
    assert around.signs == [drop("left"), drop("right"), drop("left")]
    assert around.world.uncollected_rewards == {"left": 3.0, "right": 2.5}


def test_two_valves_may_be_open_at_once(around: Around) -> None:
    for t_us, pin, value in ((0, 4, 1), (5_000, 9, 1), (10_000, 4, 0), (25_000, 9, 0)):
        around.now_us = t_us
        around.world.on_output(pin, value)
    assert around.signs == [drop("left"), drop("right")]
    assert around.world.uncollected_rewards == {"left": 1.0, "right": 1.0}


def test_a_valve_that_is_closed_without_having_been_opened_gives_nothing(around: Around) -> None:
    around.world.on_output(4, 0)
    assert around.signs == []


@pytest.mark.parametrize("cut", ["left.light", "left.valve", "left.beam"])
def test_nothing_passes_a_wire_that_is_cut_and_the_other_wires_are_whole(plan: RigSpec, cut: str) -> None:
    around = Around(plan, cut)
    around.pins.clear()
    around.world.on_output(3, 1)
    around.world.on_output(4, 1)
    around.now_us = 10_000
    around.world.on_output(4, 0)
    around.world.set_occupied("left", True)
    assert (Stimulus("light", "left", 1) in around.signs) == (cut != "left.light")
    assert around.world.uncollected_rewards == ({} if cut == "left.valve" else {"left": 1.0})
    assert around.pins == ([] if cut == "left.beam" else [(2, 1)])


def test_the_trace_knows_every_pin_also_where_the_wire_is_cut(plan: RigSpec) -> None:
    around = Around(plan, "left.light", "left.beam")
    around.world.trace = []
    around.now_us = 70
    around.world.on_output(3, 1)
    around.world.on_output(8, 0)
    around.world.set_occupied("left", True)
    assert around.world.trace == [(70, "left.light", 1), (70, "right.light", 1), (70, "left.beam", 1)]


# --- a maze ---------------------------------------------------------------------------------------------------


class Maze:
    """A world with a feeder, its sensor and a speaker, and a clock that a test turns."""

    def __init__(self) -> None:
        sensor = Input("left_feeder", Role.SENSOR, 9, inverted=True)
        feeder, speaker = (
            Output("left_feeder", Role.FEEDER, 8, max_on_us=50_000),
            Output("speaker", Role.TONE, 10, max_on_us=1),
        )
        wiring = Wiring((Input("left", Role.BEAM, 4), feeder, sensor, speaker))
        self.loop = VirtualLoop()
        self.heard: list[Any] = []
        self.world = World(
            RigSpec("maze", BoardSpec("sim", "sim"), wiring),
            lambda: 0,
            clock=self.loop,
            senses=Heard(self.heard),
            drive=self._drive,
        )
        self.world.clear()

    def _drive(self, pin: int, level: int) -> None:
        self.heard.append((pin, level))

    def pulse(self) -> list[Any]:
        """Turn the feeder on by a pellet, and tell what happened within a second."""
        self.heard.clear()
        self.world.on_output(8, 1)
        self.world.on_output(8, 0)
        self.loop.run_until_complete(asyncio.sleep(1))
        return self.heard


@pytest.fixture
def maze() -> Iterator[Maze]:
    maze = Maze()
    yield maze
    maze.loop.close()


def test_a_pulse_of_a_feeder_drops_a_pellet_past_its_sensor(maze: Maze) -> None:
    assert maze.heard == [(4, 0), (9, 1)]
    assert maze.pulse() == [drop("left_feeder"), (9, 0), (9, 1)]
    assert maze.pulse()
    assert maze.world.uncollected_rewards == {"left_feeder": 2}


def test_a_feeder_that_jams_drops_nothing(maze: Maze) -> None:
    maze.world.jams = frozenset({0})
    assert maze.pulse() == []


def test_a_feeder_and_its_sensor_are_no_place_to_be(maze: Maze) -> None:
    assert maze.world.places == ("left",)


def test_a_tone_is_heard_by_its_frequency(maze: Maze) -> None:
    maze.heard.clear()
    maze.world.on_output(10, 1175)
    maze.world.on_output(10, 0)
    assert maze.heard == [Stimulus("tone", "speaker", 1175)]
