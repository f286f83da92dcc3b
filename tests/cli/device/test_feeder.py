"""`rig device` with a pellet feeder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.boards.driver_lookup import Connection
from rig.core.errors import BoardNotFoundError, LinkLostError
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.maintenance import bench, feeder
from rig.maintenance.feeder import PelletCount, count_pellets
from rig.records.stock.stock import StockFile
from sim_hardware.driver import SimRig
from tests.cli.conftest import Rig
from tests.session.real_driver import RealBoardDriver

MAZE = "sim_t_maze"


class Maze(RealBoardDriver):
    """A board that passes for a real one, whose feeder may jam."""

    def __init__(self, jams: frozenset[int]) -> None:
        super().__init__()
        self._jams = jams

    def connect(self, plan: RigSpec, simulation: SimulationOptions) -> Connection:
        rig = SimRig(plan, simulation)
        rig.world.jams = self._jams
        return Connection(rig.transport)


@pytest.fixture
def real_maze(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def jammed(*pulses: int) -> None:
        monkeypatch.setattr(bench, "find_driver", lambda name: Maze(frozenset(pulses)))

    return jammed


def test_a_jam_is_named_by_its_pulse(rig: Rig, real_maze: Callable[..., None]) -> None:
    real_maze(1, 2)
    said = rig("device", "test", MAZE, "left_feeder", "--pellets", "5", "--yes")
    assert said.status == 3
    assert "left_feeder: 5 pulses gave 3 pellets" in said.out
    assert "pulse 2: no pellet was seen" in said.err
    assert "pulse 3: no pellet was seen" in said.err
    assert "look for a jam" in said.err


def test_a_test_on_a_real_rig_is_taken_from_the_stock(rig: Rig, data: Path, real_maze: Callable[..., None]) -> None:
    real_maze()
    assert rig("device", "fill", MAZE, "left_feeder", "--pellets", "55", "--by", "anna").status == 0
    assert rig("device", "test", MAZE, "left_feeder", "--pellets", "5", "--yes").status == 0
    said = rig("device", "stock", MAZE)
    assert "left_feeder: 50 pellets" in said.out
    assert "fill it soon" in said.out
    assert "right_feeder: not known: `rig device fill" in said.out


def in_stock(data: Path) -> int:
    found = StockFile(data).stock(MAZE, "left_feeder")
    assert found is not None
    return found.left


def test_a_test_that_is_killed_has_taken_its_pellets_before(
    rig: Rig, data: Path, real_maze: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_maze()
    rig("device", "fill", MAZE, "left_feeder", "--pellets", "55")
    at_the_first_pulse = []

    async def count(*words: object) -> PelletCount:
        at_the_first_pulse.append(in_stock(data))  # a kill -9 from here on leaves this number
        return await count_pellets(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(feeder, "count_pellets", count)
    assert rig("device", "test", MAZE, "left_feeder", "--pellets", "5", "--yes").status == 0
    assert (at_the_first_pulse, in_stock(data)) == ([50], 50)


def test_a_test_that_fails_gives_back_what_it_did_not_give(
    rig: Rig, data: Path, real_maze: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_maze()
    rig("device", "fill", MAZE, "left_feeder", "--pellets", "55")

    async def fail_after_two(client: object, device: object, pulses: int, report: Callable[[int, bool], None]) -> None:
        report(1, True)
        report(2, True)
        raise LinkLostError("the cable is out")

    monkeypatch.setattr(feeder, "count_pellets", fail_after_two)
    assert rig("device", "test", MAZE, "left_feeder", "--pellets", "9", "--yes").status == 3
    assert in_stock(data) == 52  # the third pulse is in doubt, and counts

    def no_board(*words: object, **options: object) -> None:
        raise BoardNotFoundError("no board at this port")

    monkeypatch.setattr(bench.Bench, "run_on_board", no_board)
    assert rig("device", "test", MAZE, "left_feeder", "--pellets", "9", "--yes").status == 3
    assert in_stock(data) == 52
