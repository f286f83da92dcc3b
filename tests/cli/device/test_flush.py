"""`rig device flush` and `rig device prime`."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rig.boards.driver_lookup import Connection
from rig.core.clock import running
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.maintenance import bench
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab

AT_ONCE_US = 10_000


@pytest.fixture
def presses_after_1_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a person at the keys who presses one a second after water has begun to run."""

    @contextmanager
    def watch(pressed: Callable[[], None]) -> Iterator[None]:
        timer = running().call_at(running().time() + 1.0, pressed)
        yield
        timer.cancel()

    monkeypatch.setattr(bench, "on_any_key", watch)


@pytest.mark.parametrize(
    ("command", "status", "primed"), [("prime", 0, ["left", "right"]), ("flush", 130, ["left"])], ids=["prime", "flush"]
)
@pytest.mark.parametrize("devices", [("left", "right"), ()], ids=["named", "all of the rig"])
def test_a_key_goes_on_to_the_next_valve_that_is_primed(
    rig: Rig, lab: Lab, presses_after_1_s: None, command: str, status: int, primed: list[str], devices: tuple[str, ...]
) -> None:
    said = rig("device", command, lab.rig_file, *devices, "--yes")
    assert said.status == status, said.err
    assert said.out == "".join(f"{device}: stopped: everything is off\n" for device in primed)
    assert {output for output, _ in lab.pulses} == {f"{device}.valve" for device in primed}
    assert len(lab.pulses) <= 2 * 3


@pytest.mark.parametrize("gaps_s", [(), (0.0,), (0.0, 0.0), (0.0005, 0.001), (0.002, 0.004, 0.1)])
@pytest.mark.parametrize("at_s", [0.0, 0.003, 0.2, 0.449, 0.46, 1.7])
@pytest.mark.parametrize("command", ["flush", "prime"])
def test_the_valve_is_shut_at_once_however_often_ctrl_c_is_pressed(
    rig: Rig, lab: Lab, monkeypatch: pytest.MonkeyPatch, command: str, at_s: float, gaps_s: tuple[float, ...]
) -> None:
    rigs, pressed_us, connect = list[SimRig](), list[int](), lab.connect

    def press() -> None:
        pressed_us.append(rigs[0].now_us())
        os.kill(os.getpid(), signal.SIGINT)

    def connect_and_press(plan: RigSpec, options: SimulationOptions) -> Connection:
        made = connect(plan, options)
        assert lab._rig is not None
        rigs.append(lab._rig)
        rigs[0].world.trace = []
        at = running().time() + at_s
        for gap_s in (0.0, *gaps_s):
            at += gap_s
            running().call_at(at, press)
        return made

    async def let_the_bytes_arrive(loop: VirtualLoop) -> None:
        await asyncio.sleep(2 * AT_ONCE_US / 1e6)

    monkeypatch.setattr(lab, "connect", connect_and_press)
    # What the program has sent last is on its way when its loop ends; the lease of 2 s ends later.
    monkeypatch.setattr(VirtualLoop, "shutdown_asyncgens", let_the_bytes_arrive)
    said = rig("device", command, lab.rig_file, "left", "--yes")
    assert said.status == (0 if command == "prime" else 130)
    assert said.out == "left: stopped: everything is off\n"
    changes = [(t_us, level) for t_us, name, level in rigs[0].world.trace or () if name == "left.valve"]
    assert len(changes) % 2 == 0
    assert bool(changes) == (at_s > 0.1)
    assert not changes or changes[-1][0] <= pressed_us[0] + AT_ONCE_US
