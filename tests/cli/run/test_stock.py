"""Sessions and the stock of their feeders."""

import datetime
from pathlib import Path
from typing import Any

import pytest

from rig.boards.driver_lookup import Connection
from rig.cli.run import session as run_module
from rig.cli.run.stock import stock_warnings
from rig.core.model.rig_spec import SimulationOptions
from rig.records.stock.stock import StockFile
from rig.records.subject.deliveries import delivered_between
from rig.session.run import run_session as perform_module
from tests.cli.conftest import Inhabited, Rig, Said
from tests.session.real_driver import RealBoardDriver
from tests.session_specs import protocol_spec

DEVICES = """\
calibration_max_days: null
boards: {uno: {driver: serial, port: /dev/nowhere}}
devices:
  start:        {kind: zone, beam: 2}
  choice:       {kind: zone, beam: 3, confirm_off_us: 20000}
  left:         {kind: zone, beam: 4, confirm_off_us: 300000}
  right:        {kind: zone, beam: 5, confirm_off_us: 300000}
  left_feeder:  {kind: feeder, pin: 6, sensor: 7, measured: {date: 2026-11-03, pulses: 100, pellets: 100}}
  right_feeder: {kind: feeder, pin: 8, sensor: 9, measured: {date: 2026-11-03, pulses: 100, pellets: 100}}
  speaker:      {kind: speaker, pin: 10}
"""


class RatInMaze(Inhabited):
    """A board that passes for a real one, with a rat in the maze."""

    def connect(self, plan: Any, rehearsal: SimulationOptions) -> Connection:
        return RealBoardDriver.connect(self, plan, SimulationOptions("rat", hints=rehearsal.hints, seed=1))


@pytest.fixture
def run(rig: Rig, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    path = tmp_path / "rigs" / "maze.yaml"
    path.parent.mkdir()
    path.write_text(DEVICES)
    for module in (run_module, perform_module):
        monkeypatch.setattr(module, "find_driver", lambda name: RatInMaze())

    def session(*words: str) -> Said:
        usual = ("--subject", "R1", "--rig", path, "--yes", "--new", "--override", "weight=a test", "--seed", "1")
        return rig("run", "delay_discounting", *usual, "--set", "stop.session_s=300", *words)

    return session


def test_a_session_is_taken_from_the_stock_of_its_feeders(run, data: Path) -> None:  # type: ignore[no-untyped-def]
    stock = StockFile(data)
    for feeder in ("left_feeder", "right_feeder"):
        stock.fill("maze", feeder, {"pellets": 400}, "anna", datetime.datetime.now())
    said = run()
    assert said.status == 0, said.err
    total = delivered_between(data / "R1", datetime.datetime(2020, 1, 1), datetime.datetime(9999, 1, 1)).amount.pellets
    left = [stock.stock("maze", feeder) for feeder in ("left_feeder", "right_feeder")]
    assert total > 0
    assert sum(400 - each.left for each in left if each is not None) == total


def test_a_feeder_that_cannot_last_is_refused(run, data: Path) -> None:  # type: ignore[no-untyped-def]
    StockFile(data).fill("maze", "left_feeder", {"pellets": 40}, "anna", datetime.datetime.now())
    said = run()
    assert said.status == 2
    assert "left_feeder holds 40 pellets, and the session may give 360: fill it" in said.err
    assert not (data / "R1").exists()


def test_a_feeder_that_was_never_filled_is_a_warning(run, data: Path) -> None:  # type: ignore[no-untyped-def]
    said = run()
    assert said.status == 0, said.err
    assert "left_feeder: what it holds is not recorded: `rig device fill maze left_feeder" in " ".join(said.err.split())


@pytest.mark.parametrize(
    ("grain_g", "at", "warned"),
    [
        (None, "2026-11-24T09:00", True),
        (80.0, "2026-11-24T07:00", False),
        (80.0, "2026-11-23T18:00", True),
        (40.0, "2026-11-24T07:00", True),
    ],
)
def test_a_hopper_without_a_refill_of_today_is_a_warning(
    data: Path, monkeypatch: pytest.MonkeyPatch, grain_g: float | None, at: str, *, warned: bool
) -> None:
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 24, 9))
    stock = StockFile(data)
    if grain_g is not None:
        stock.fill("sim_pigeon_chamber", "hopper", {"grain_g": grain_g}, "anna", datetime.datetime.fromisoformat(at))
    found = stock_warnings(protocol_spec("disk_bandit"), data, ())
    assert [text.partition(":")[0] for text in found] == ["hopper"] * warned
    assert not warned or "`rig device fill sim_pigeon_chamber hopper --grain-g GRAMS`" in found[0]
